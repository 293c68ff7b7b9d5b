# oracle: native
# Commands for makefiles.
require "un"
require "tmpdir"

def run(command, *arguments)
  ARGV.replace(arguments)
  __send__(command)
rescue SystemCallError => error
  puts error.class
end

Dir.mktmpdir do |folder|
  Dir.chdir(folder) do
    run(:mkdir, "-pv", "a/b", "c")
    run(:touch, "-v", "a/b/x", "a/b/y")
    run(:cp, "-v", "a/b/x", "z")
    run(:cp, "-r", "a", "c")
    run(:cp, "a/b/x", "a/b/y", "c")
    run(:mv, "-v", "z", "zz")
    run(:ln, "-sf", "zz", "link")
    run(:install, "-m", "0600", "zz", "own")
    run(:touch, "*z")
    puts Dir.glob("**/*").sort, File.symlink?("link")
    run(:rm, "-v", "zz")
    run(:rm, "zz")
    run(:rm, "-f", "zz")
    run(:rm, "-rf", "a", "c/a")
    run(:rmdir, "c")
    run(:wait_writable, "nothing")
    puts Dir.glob("**/*").sort
  end
end
begin
  run(:cp, "--nope")
rescue OptionParser::InvalidOption => error
  puts error.message
end
