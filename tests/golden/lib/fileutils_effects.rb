# Links that say how their target is reached, and what mv, cp_lr and rmdir refuse.
require "fileutils"
require "tmpdir"

def attempt
  result = yield
  puts "no error: #{result.inspect}"
rescue ArgumentError, SystemCallError => error
  puts "#{error.class}: #{error.message[/- .*|\A[a-z].*/].sub(Dir.pwd, ".")}"
end

Dir.mktmpdir do |dir|
  Dir.chdir(dir) do
    include FileUtils
    touch("a")
    mkdir_p("data/d1")
    mkdir_p("data/d2")
    touch(%w[data/x data/y])
    ln_sr("data/x", "other")
    p File.readlink("other")
    attempt { ln_sr(%w[data/x data/y], "other", target_directory: false) }

    mkdir_p("to/data/junk")
    attempt { mv("data", "to") }
    attempt { mv("a", "a") }
    File.symlink("loop", "loop")
    attempt { mv("loop", "loop") }
    attempt { cp_lr("data", "data/inside") }
    attempt { cp_r("data", "data/inside") }
    attempt { rmdir("none") }
    attempt { rm_rf("none") }
    p File.exist?("data/inside"), File.directory?("data")
    install("a", "there/under/name")
    install("a", "there/folder/")
    p Dir.glob("there/**/*").sort
    output = Object.new
    output.define_singleton_method(:puts) { |line| STDOUT.puts "[#{line}]" }
    @fileutils_output = output
    rm("a", verbose: true)
  end
end
