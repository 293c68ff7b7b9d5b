# frozen_string_literal: true

module FileUtils
  # One file and what lies below it.
  class Entry_
    attr_reader :prefix, :rel

    def initialize(prefix, rel = nil, dereference = false)
      @prefix = prefix
      @rel = rel
      @dereference = dereference
    end

    def path = @rel ? (@prefix ? File.join(@prefix, @rel) : @rel) : @prefix
    alias to_s path

    def inspect = "#<#{self.class} #{path}>"

    def stat = @dereference ? File.stat(path) : File.lstat(path)

    def lstat = File.lstat(path)

    # What is not there is no folder either.
    def directory?
      stat.directory?
    rescue SystemCallError
      false
    end

    def symlink?
      lstat.symlink?
    rescue SystemCallError
      false
    end

    # Whether it is the folder +other+ or one above it.
    def above?(other) = "#{File.expand_path(other)}/".start_with?("#{File.realpath(path)}/")

    def exist?
      stat
      true
    rescue Errno::ENOENT
      false
    end

    def children
      Dir.children(path).sort.map { |name| Entry_.new(@prefix, @rel ? File.join(@rel, name) : name) }
    end

    # Yields this entry and those below it, folders first.
    def preorder_traverse(&block)
      yield self
      children.each { |child| child.preorder_traverse(&block) } if directory?
    end
    alias traverse preorder_traverse

    # The same, folders last. Of a folder that may not be read nothing else is known.
    def postorder_traverse(&block)
      if directory?
        begin
          below = children
        rescue Errno::EACCES
          below = []
        end
        below.each { |child| child.postorder_traverse(&block) }
      end
      yield self
    end

    def copy(destination)
      status = lstat
      case
      when stat.file? then copy_file(destination)
      when stat.directory? then make_directory(destination, status)
      when status.symlink? then File.symlink(File.readlink(path), destination)
      when status.chardev?, status.blockdev? then raise "cannot handle device file"
      when status.socket? then copy_socket(destination, status)
      when status.pipe? then File.mkfifo(destination, status.mode & 0o666)
      else raise "unknown file type: #{path}"
      end
    end

    def copy_file(destination)
      File.open(path, "rb") do |source|
        File.open(destination, "wb", source.stat.mode) { |target| IO.copy_stream(source, target) }
      end
    end

    # Time, owner and mode of the original; without the right to give a file away, no set-id bits.
    def copy_metadata(destination)
      status = lstat
      File.utime(status.atime, status.mtime, destination) unless status.symlink?
      mode = status.mode
      begin
        status.symlink? ? File.lchown(status.uid, status.gid, destination) : File.chown(status.uid, status.gid, destination)
      rescue Errno::EPERM
        mode &= 0o1777
      end
      status.symlink? ? File.lchmod(mode, destination) : File.chmod(mode, destination)
    rescue NotImplementedError, Errno::EOPNOTSUPP
      nil
    end

    def link(destination)
      stat.directory? ? make_directory(destination, lstat) : File.link(path, destination)
    end

    def remove = !symlink? && directory? ? Dir.rmdir(path) : File.unlink(path)

    def chmod(mode) = symlink? ? nil : File.chmod(mode, path)

    def chown(user, group) = symlink? ? File.lchown(user, group, path) : File.chown(user, group, path)

    # Makes a folder the caller's own. What has become a link meanwhile is not followed.
    def take
      File.lchown(Process.euid, -1, path)
      File.lchmod(0o700, path)
    rescue Errno::EOPNOTSUPP
      nil
    end

    private

    def copy_socket(destination, status)
      require "socket"
      UNIXServer.new(destination).close
      File.chmod(status.mode, destination)
    end

    def make_directory(destination, _status)
      Dir.mkdir(destination)
    rescue SystemCallError
      raise unless File.directory?(destination)
    end
  end
end
