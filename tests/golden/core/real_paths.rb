# oracle: native
# Paths without links, from the working directory and from the root.
require "tmpdir"
Dir.mktmpdir do |dir|
  dir = File.realpath(dir)
  Dir.mkdir("#{dir}/a")
  File.write("#{dir}/a/f", "")
  File.symlink("a", "#{dir}/link")
  File.symlink("/", "#{dir}/top")
  Dir.chdir("#{dir}/link") do
    shown = ->(path) { path.sub(dir, "DIR") }
    p shown.(File.realpath("f")), shown.(File.realpath(".")), shown.(File.realpath("../link/f")), shown.(File.realpath("f", "../link"))
    p shown.(File.realpath("../link")), shown.(File.realdirpath("none")), File.realpath("../top"), File.realpath("../top/../..")
    p File.realpath("../" * 30), (File.realpath("none") rescue $!.class), (File.realpath("f/x") rescue $!.class)
    p (File.realdirpath("none/x") rescue shown.($!.message))
  end
  Dir.chdir("/") { p File.realpath("."), File.realpath("dev/null"), File.realpath("..") }
end
