# oracle: native
# What remove_entry_secure refuses, and what it leaves alone when others swap files under it. Everything is in folders of the test's own.
require "fileutils"
require "tmpdir"

# Does something after a method of File has answered once, as somebody else might who runs at the same time.
module Meddler
  class << self
    attr_accessor :after, :act
  end

  [:lstat, :open, :stat].each do |name|
    define_method(name) do |*arguments, **options, &block|
      act = Meddler.act if Meddler.after == [name, File.basename(arguments[0])]
      return super(*arguments, **options, &block) unless act
      Meddler.after = nil
      if block
        super(*arguments) { |file| block.call(file).tap { act.call } }
      else
        super(*arguments).tap { act.call }
      end
    end
  end
end
File.singleton_class.prepend(Meddler)

def attempt(root)
  yield
  puts "no error"
rescue ArgumentError, SystemCallError => error
  puts "#{error.class}: #{error.message.gsub(root, "ROOT").sub(/ @ \w+/, "")}"
end

def below(root) = Dir.glob("**/*", base: root).sort

Dir.mktmpdir do |root|
  root = File.realpath(root)
  sticky, open, closed = ["sticky", "open", "closed"].map { |name| File.join(root, name) }
  [sticky, open, closed].each { |folder| Dir.mkdir(folder) }
  File.chmod(0o1777, sticky)
  File.chmod(0o777, open)
  File.chmod(0o700, closed)

  puts "nothing there"
  attempt(root) { FileUtils.remove_entry_secure("#{sticky}/none") }
  attempt(root) { FileUtils.remove_entry_secure("#{sticky}/none", true) }
  attempt(root) { Dir.chdir(sticky) { FileUtils.remove_entry_secure("none") } }

  puts "a file, a link, a tree"
  [sticky, closed, open].each do |folder|
    File.write("#{folder}/file", "")
    File.symlink("/nowhere", "#{folder}/link")
    FileUtils.mkdir_p("#{folder}/tree/inner/deep")
    File.write("#{folder}/tree/inner/file", "")
    File.symlink(closed, "#{folder}/tree/inner/link")
    File.chmod(0o500, "#{folder}/tree/inner") if folder == sticky
    ["file", "link", "tree"].each { |name| attempt(root) { FileUtils.remove_entry_secure("#{folder}/#{name}") } }
    p below(folder)
  end
  attempt(root) { FileUtils.remove_entry_secure("#{open}/tree", true) }
  attempt(root) { FileUtils.rm_r("#{open}/tree", secure: true) }
  attempt(root) { FileUtils.rm_rf("#{open}/tree", secure: true) }
  p below(open)

  puts "the folder becomes a link after it was looked at"
  FileUtils.mkdir_p("#{closed}/precious")
  File.write("#{closed}/precious/file", "")
  File.chmod(0o755, "#{closed}/precious")
  swap = proc do
    File.rename("#{sticky}/tree", "#{sticky}/moved")
    File.symlink("#{closed}/precious", "#{sticky}/tree")
  end
  [[:lstat, "tree"], [:open, "."], [:stat, "sticky"]].each do |moment|
    FileUtils.mkdir_p("#{sticky}/tree/inner")
    Meddler.after, Meddler.act = moment, swap
    attempt(root) { FileUtils.remove_entry_secure("#{sticky}/tree") }
    p Meddler.after, below(sticky), below(closed), File.stat("#{closed}/precious").mode.to_s(8)
    FileUtils.rm_rf(Dir.glob("#{sticky}/*"))
  end

  puts "another folder takes its place"
  FileUtils.mkdir_p("#{sticky}/tree")
  Meddler.after = [:open, "."]
  Meddler.act = proc do
    File.rename("#{sticky}/tree", "#{sticky}/moved")
    FileUtils.mkdir_p("#{sticky}/tree/precious")
  end
  attempt(root) { FileUtils.remove_entry_secure("#{sticky}/tree") }
  p below(sticky)
end

# What may not be removed is told of by its own error, not by that of the folder around it.
module Refusing
  def unlink(*) = $refuses ? raise(Errno::EACCES, "file") : super
end
File.singleton_class.prepend(Refusing)
Dir.mktmpdir do |root|
  FileUtils.mkdir_p("#{root}/a/b")
  File.write("#{root}/a/b/file", "")
  $refuses = true
  attempt(root) { FileUtils.rm_r("#{root}/a") }
  attempt(root) { FileUtils.rm_rf("#{root}/a") }
  p below(root)
  $refuses = false
  attempt(root) { FileUtils.rm_rf("#{root}/a") }
  p below(root)
end
