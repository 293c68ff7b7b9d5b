# What functions say that they would do, in modules that only say so; symbolic modes, relative links, what mv refuses.
require "fileutils"
require "tmpdir"

p FileUtils::METHODS.sort, FileUtils.options.sort, FileUtils.commands.size == FileUtils::METHODS.size
p FileUtils.have_option?(:cp, :noop), FileUtils.collect_method(:preserve).sort, FileUtils.options_of("rm"), FileUtils.options_of(:pwd)
[FileUtils::Verbose, FileUtils::NoWrite, FileUtils::DryRun].each do |variant|
  p variant.ancestors, (FileUtils::METHODS - variant.public_methods).size, variant.private_instance_methods(false).include?(:cp)
end
p FileUtils::StreamUtils_.private_instance_methods(false).sort
p FileUtils::DryRun.cp("a", "b"), FileUtils::NoWrite.rm("x"), FileUtils::DryRun.copy_entry("a", "b"), FileUtils::NoWrite.uptodate?("a", ["b"])

class Labelled
  include FileUtils::DryRun

  def run
    @fileutils_label = "would: "
    rm("q", force: true)
    rm("r", verbose: false)
  end
end
Labelled.new.run
Labelled.new.rm("private") rescue puts $!.class

FileUtils.module_eval do
  chmod("u+rw,g-x,o=", ".", noop: true, verbose: true)
  chmod(0o755, ".", noop: true, verbose: true)
  chown("root", nil, ".", noop: true, verbose: true)
  chown(nil, nil, ".", noop: true, verbose: true)
  chown_R(nil, "wheel", ".", noop: true, verbose: true, force: true)
  ln_sr("a", "b", noop: true, verbose: true)
  ln_sr("a", "b", noop: true, verbose: true, force: true, target_directory: false)
  install("a", "b", mode: "u+x", owner: "o", group: "g", preserve: true, noop: true, verbose: true)
  mv("a", "b", force: true, noop: true, verbose: true)
  cp_r("a", "b", preserve: true, noop: true, verbose: true, remove_destination: true)
  touch("a", mtime: Time.gm(2020), nocreate: true, noop: true, verbose: true)
  rm_r("a", secure: true, force: true, noop: true, verbose: true)
end
