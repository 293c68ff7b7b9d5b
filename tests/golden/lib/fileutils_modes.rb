# oracle: native
# Symbolic modes, of files and of all below a folder.
require "fileutils"
require "tmpdir"

def mode(path) = format("%04o", File.stat(path).mode & 0o7777)

Dir.mktmpdir do |dir|
  Dir.chdir(dir) do
    include FileUtils
    touch("a")
    ["u=wrx,g=rx,o=x", "g+w-x", "o+r,g=o+w,o-r,u-o", "go=u", "u=wrx,g=,o=", "u=rx,go=", "+wrx", "u+s,o=s", "u-w,go-wrx", "+s", "u+t,o+t",
     "a-t,a-s", "o+X", 0o640, "g=u-w", "ug+x,o=g"].each do |change|
      chmod(change, "a")
      puts "#{change}: #{mode("a")}"
    end
    mkdir_p("m/n", mode: 0o700)
    p mode("m"), mode("m/n")
    touch("m/f")
    chmod_R("u=xr,g+X,o=", "m")
    p mode("m"), mode("m/f")
    ["755", "a", "x+a", "u+z", ",+x"].each do |change|
      chmod(change, "a")
    rescue ArgumentError => error
      puts error.message.tr("`", "'")
    end
  end
end
