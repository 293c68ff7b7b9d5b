require "mkmf"

# Lists of files are written with the folder's name, which `RbConfig.expand` has to know.
$srcs = Dir[File.join(RbConfig.expand(+"$(srcdir)"), "*.c")]
$srcs.empty? and abort "no sources in $(srcdir)"
create_makefile("shortcuts")
