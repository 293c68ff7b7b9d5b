# Files with names of their own in the folder for temporary files.
require "delegate"
require "tmpdir"

# A File that is deleted when nothing refers to it any more, or when the process ends.
class Tempfile < DelegateClass(File)
  VERSION = "0.3.1".freeze

  # Deletes the file of a Tempfile that was forgotten. A process that was forked from the one that made it does not.
  class Remover
    def initialize(file)
      @file = file
      @pid = Process.pid
    end

    def call(*)
      return if @pid != Process.pid
      @file.close unless @file.closed?
      File.unlink(@file.path)
    rescue Errno::ENOENT, Errno::EACCES
      nil
    end
  end

  # Creates and opens a file. +basename+ is the beginning of its name, or an Array of beginning and end.
  def initialize(basename = "", tmpdir = nil, mode: 0, anonymous: false, **options)
    warn "Tempfile.new doesn't call the given block.", uplevel: 1 if block_given?
    @mode = mode | File::RDWR | File::CREAT | File::EXCL
    @options = options.merge(perm: 0600)
    file = nil
    Dir::Tmpname.create(basename, tmpdir) do |path, number, opts|
      file = File.open(path, @mode, **@options)
    end
    @unlinked = false
    super(file)
    watch
  end

  # A copy has a file of its own.
  def initialize_dup(other)
    super
    __setobj__(__getobj__.dup)
    watch
  end

  # Opens the file anew, or for the first time after it was closed.
  def open
    _close
    __setobj__(File.open(path, @mode & ~(File::CREAT | File::EXCL), **@options))
    watch
    __getobj__
  end

  # Closes the file, and deletes it if +unlink_now+.
  def close(unlink_now = false)
    _close
    unlink if unlink_now
    nil
  end

  # Closes and deletes the file.
  def close! = close(true)

  # Deletes the file, which stays open.
  def unlink
    return if @unlinked
    begin
      File.unlink(path)
    rescue Errno::ENOENT
      nil
    rescue Errno::EACCES
      return
    end
    ObjectSpace.undefine_finalizer(self)
    @unlinked = true
    nil
  end
  alias delete unlink

  # Returns the path, or nil once the file was deleted.
  def path = @unlinked ? nil : __getobj__.path

  # Returns the length in bytes, with what is written but not yet handed over.
  def size = __getobj__.closed? ? File.size(__getobj__.path) : __getobj__.size
  alias length size

  def inspect
    state = __getobj__.closed? ? " (closed)" : ""
    @unlinked ? "#<#{self.class}: (unlinked)#{state}>" : "#<#{self.class}:#{path}#{state}>"
  end
  alias to_s inspect

  protected

  # Closes the file, deleted or not.
  def _close
    file = __getobj__
    file.close unless file.closed?
  end

  private

  def watch
    ObjectSpace.undefine_finalizer(self)
    ObjectSpace.define_finalizer(self, Remover.new(__getobj__))
  end

  class << self
    # Creates a Tempfile. With a block yields it, closes it afterwards, and returns what the block returned.
    def open(*args, **options)
      file = new(*args, **options)
      return file unless block_given?
      begin
        yield file
      ensure
        file.close
      end
    end

    # Creates a plain File, which is not deleted by itself. With a block yields it, deletes it afterwards, and returns what
    # the block returned. With +anonymous+ the file has no name from the beginning.
    def create(basename = "", tmpdir = nil, mode: 0, anonymous: false, **options, &block)
      return create_anonymous(basename, tmpdir, mode, options, &block) if anonymous
      file = open_new(basename, tmpdir, mode, options)
      return file unless block_given?
      begin
        yield file
      ensure
        unless file.closed?
          file.close
        end
        begin
          File.unlink(file.path)
        rescue Errno::ENOENT
          nil
        end
      end
    end

    private

    def open_new(basename, tmpdir, mode, options)
      mode |= File::RDWR | File::CREAT | File::EXCL
      opened = nil
      Dir::Tmpname.create(basename, tmpdir) { |path| opened = File.open(path, mode, **options, perm: 0600) }
      opened
    end

    def create_anonymous(basename, tmpdir, mode, options)
      named = open_new(basename, tmpdir, mode, options)
      File.unlink(named.path)
      file = File.for_fd(named.fileno, mode | File::RDWR, path: "#{tmpdir || Dir.tmpdir}/", **options)
      named.autoclose = false
      return file unless block_given?
      begin
        yield file
      ensure
        file.close unless file.closed?
      end
    end
  end
end
