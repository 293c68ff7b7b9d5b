# frozen_string_literal: true

class Pathname
  # Questions about the file, which File answers.
  [:atime, :birthtime, :ctime, :mtime, :ftype, :readable?, :world_readable?, :readable_real?, :writable?, :world_writable?,
   :writable_real?, :executable?, :executable_real?, :file?, :size, :size?, :sticky?, :symlink?, :owned?, :pipe?, :socket?,
   :blockdev?, :chardev?, :directory?, :exist?, :grpowned?, :setgid?, :setuid?, :zero?, :stat, :lstat].each do |name|
    define_method(name) { File.__send__(name, @path) }
  end

  def empty? = File.directory?(@path) ? Dir.empty?(@path) : File.empty?(@path)

  # Names that come from the file system.

  def basename(*suffix) = self.class.new(File.basename(@path, *suffix))
  def dirname = self.class.new(File.dirname(@path))
  def extname = File.extname(@path)

  def split
    parts = File.split(@path)
    raise TypeError, "wrong argument type #{parts.class} (expected Array)" unless Array === parts
    parts.map { |part| self.class.new(part) }
  end

  def expand_path(*base) = self.class.new(File.expand_path(@path, *base))
  def realpath(*base) = self.class.new(File.realpath(@path, *base))
  def realdirpath(*base) = self.class.new(File.realdirpath(@path, *base))
  def readlink = self.class.new(File.readlink(@path))
  def fnmatch(pattern, *flags) = File.fnmatch(pattern, @path, *flags)
  def fnmatch?(pattern, *flags) = File.fnmatch?(pattern, @path, *flags)

  # Contents.

  def open(...) = File.open(@path, ...)
  def read(...) = File.read(@path, ...)
  def binread(...) = File.binread(@path, ...)
  def readlines(...) = File.readlines(@path, ...)
  def write(...) = File.write(@path, ...)
  def binwrite(...) = File.binwrite(@path, ...)
  def sysopen(...) = IO.sysopen(@path, ...)
  def each_line(...) = File.foreach(@path, ...)

  # Changes.

  def chmod(mode) = File.chmod(mode, @path)
  def lchmod(mode) = File.lchmod(mode, @path)
  def chown(user, group) = File.chown(user, group, @path)
  def lchown(user, group) = File.lchown(user, group, @path)
  def utime(access, change) = File.utime(access, change, @path)
  def lutime(access, change) = File.lutime(access, change, @path)
  def truncate(length) = File.truncate(@path, length)
  def rename(to) = File.rename(@path, to)
  def make_link(old) = File.link(old, @path)
  def make_symlink(old) = File.symlink(old, @path)

  def unlink
    File.directory?(@path) && !File.symlink?(@path) ? Dir.unlink(@path) : File.unlink(@path)
  end
  alias delete unlink

  # Folders.

  def mkdir(...) = Dir.mkdir(@path, ...)
  def rmdir = Dir.rmdir(@path)
  def opendir(&block) = Dir.open(@path, &block)
  def entries = Dir.entries(@path).map { |name| self.class.new(name) }

  def each_entry
    return to_enum(__method__) unless block_given?
    Dir.foreach(@path) { |name| yield self.class.new(name) }
  end

  # Files below that match.
  def glob(pattern, flags = 0)
    found = Dir.glob(pattern, flags, base: @path).map { |path| self + path }
    return found unless block_given?
    found.each { |path| yield path }
    nil
  end

  def mkpath(mode: nil)
    require "fileutils"
    mode ? FileUtils.mkdir_p(@path, mode: mode) : FileUtils.mkdir_p(@path)
    self
  end

  def rmtree(noop: nil, verbose: nil, secure: nil)
    require "fileutils"
    FileUtils.rm_rf(@path, noop: noop, verbose: verbose, secure: secure)
    self
  end

  # Yields this and everything below.
  def find(ignore_error: true)
    return to_enum(__method__, ignore_error: ignore_error) unless block_given?
    require "find"
    return Find.find(@path, ignore_error: ignore_error) { |path| yield self.class.new(path) } unless @path == "."
    Find.find(@path, ignore_error: ignore_error) { |path| yield self.class.new(path.delete_prefix("./")) }
  end

  # A new folder that is gone when the block is done.
  def self.mktmpdir
    require "tmpdir"
    return new(Dir.mktmpdir) unless block_given?
    Dir.mktmpdir { |dir| yield new(dir) }
  end
end
