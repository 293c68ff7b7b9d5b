# Files, as a shell handles them.
require "fileutils"
require "tmpdir"

def tree = Dir.glob("**/*", File::FNM_DOTMATCH).reject { |f| f.end_with?(".") }.sort

def show
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

Dir.mktmpdir do |dir|
  Dir.chdir(dir) do
    include FileUtils
    show { mkdir_p("a/b/c") }
    show { mkdir(%w[d e], verbose: true) }
    show { touch(%w[a/x a/b/y z], verbose: true) }
    File.write("z", "hello")
    show { cp("z", "a") }
    show { cp(%w[z a/x], "d", verbose: true) }
    show { cp_r("a", "f", verbose: true) }
    show { cp_r("a/.", "e") }
    p tree
    show { cp("z", "z") }
    show { cp("none", "q") }
    show { mv("z", "zz", verbose: true) }
    show { mv(%w[zz d/x], "e") }
    p tree
    show { ln_s("a/x", "link", verbose: true) }
    show { File.readlink("link") }
    show { ln_s("a/y", "link") rescue $!.class }
    show { ln_sf("a/y", "link") }
    show { File.readlink("link") }
    show { compare_file("a/z", "d/z") }
    show { cmp("a/z", "a/x") }
    show { rm("none") }
    show { rm_f("none") }
    show { rm_rf("f", verbose: true) }
    show { rm_r(%w[link d]) }
    show { rmdir("e") }
    show { mkdir("e") }
    show { mkdir("none/x") }
    show { rmdir("a/b/c") }
    p tree
    show { touch("t", mtime: Time.at(1000)) }
    show { File.mtime("t").to_i }
    show { touch("no", nocreate: true) }
    show { uptodate?("a/x", %w[t none]) }
    show { cd("a") { pwd == File.join(File.realpath(dir), "a") } }
    show { rm_r("a", noop: true, verbose: true) }
    show { FileUtils::DryRun.rm_rf("a") }
    show { FileUtils::NoWrite.mkdir("nothing") }
    show { FileUtils::Verbose.mkdir("vv") }
    p tree
    show { remove_entry("a"); 1 }
    show { remove_file("t") }
    show { remove_dir("e"); 1 }
    show { FileUtils.rm_rf(".hidden") }
    show { FileUtils.mkdir_p(["p/q", "p/r"], mode: 0o755) }
    show { copy_entry("p", "s") }
    show { install("x", "y", mode: 0o644, noop: true, verbose: true) }
    p tree
    show { mkdir_p("p/q/../w") }
  end
end
