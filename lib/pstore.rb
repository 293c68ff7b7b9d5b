# frozen_string_literal: true

require "digest"

# A table in a file that is read and written as a whole, by one process at a time.
#   PStore.new("pebbles").transaction { |store| store[:count] = 3 }
class PStore
  VERSION = "0.2.0"

  class Error < StandardError
  end

  CHECKSUM_ALGO = Digest::SHA256
  EMPTY_MARSHAL_DATA = Marshal.dump({}).freeze
  EMPTY_MARSHAL_CHECKSUM = CHECKSUM_ALGO.digest(EMPTY_MARSHAL_DATA).freeze
  private_constant :EMPTY_MARSHAL_DATA, :EMPTY_MARSHAL_CHECKSUM

  # Writes a new file and renames it, so that a crash loses nothing.
  attr_accessor :ultra_safe

  def initialize(file, thread_safe = false)
    folder = File.dirname(file)
    raise Error, "directory #{folder} does not exist" unless File.directory?(folder)
    raise Error, "file #{file} not readable" if File.exist?(file) && !File.readable?(file)
    @filename = file
    @abort = false
    @ultra_safe = false
    @thread_safe = thread_safe
    @lock = Thread::Mutex.new
  end

  def path = @filename

  def [](key)
    in_transaction
    @table[key]
  end

  # As `[]`, but a key that is not there is an error unless there is a default.
  def fetch(key, default = Error)
    in_transaction
    return @table[key] if @table.key?(key)
    raise Error, "undefined key `#{key}'" if default == Error
    default
  end

  def []=(key, value)
    in_transaction_wr
    @table[key] = value
  end

  def delete(key)
    in_transaction_wr
    @table.delete(key)
  end

  def keys
    in_transaction
    @table.keys
  end
  alias roots keys

  def key?(key)
    in_transaction
    @table.key?(key)
  end
  alias root? key?

  # Ends the transaction and writes what was changed.
  def commit
    in_transaction
    @abort = false
    throw :pstore_abort_transaction
  end

  # Ends the transaction and forgets what was changed.
  def abort
    in_transaction
    @abort = true
    throw :pstore_abort_transaction
  end

  # Calls the block with the store: what that changes is written, unless it raises or aborts.
  def transaction(read_only = false)
    raise Error, "nested transaction" if @thread_safe ? @lock.owned? : @lock.locked?
    @lock.synchronize do
      @rdonly = read_only
      @abort = false
      file = open_and_lock_file(@filename, read_only)
      next run_without_file { yield(self) } unless file
      begin
        @table, checksum, size = load_data(file, read_only)
        value = run { yield(self) }
        save_data(checksum, size, file) unless read_only || @abort
        value
      ensure
        file.close
      end
    ensure
      @table = nil
    end
  end

  private

  def run
    value = nil
    catch(:pstore_abort_transaction) { value = yield }
    value
  rescue Exception
    @abort = true
    raise
  end

  def run_without_file(&block)
    @table = {}
    run(&block)
  end

  def in_transaction
    raise Error, "not in transaction" unless @lock.locked?
  end

  def in_transaction_wr
    in_transaction
    raise Error, "in read-only transaction" if @rdonly
  end

  # nil: there is no file to read.
  def open_and_lock_file(name, read_only)
    if read_only
      begin
        file = File.new(name, File::RDONLY | File::BINARY, encoding: Encoding::ASCII_8BIT)
      rescue Errno::ENOENT
        return nil
      end
    else
      file = File.new(name, File::RDWR | File::CREAT | File::BINARY, encoding: Encoding::ASCII_8BIT)
    end
    file.flock(read_only ? File::LOCK_SH : File::LOCK_EX)
    file
  rescue Exception
    file&.close
    raise
  end

  # The table and, if it may be written, the checksum and size of what was read.
  def load_data(file, read_only)
    data = file.read
    table = data.empty? ? {} : load_table(data)
    return [table] if read_only
    return [table, empty_marshal_checksum, empty_marshal_data.bytesize] if data.empty?
    [table, CHECKSUM_ALGO.digest(data), data.bytesize]
  end

  def load_table(data)
    table = load(data)
    raise Error, "PStore file seems to be corrupted." unless table.is_a?(Hash)
    table
  end

  def save_data(checksum, size, file)
    data = dump(@table)
    return if data.bytesize == size && CHECKSUM_ALGO.digest(data) == checksum
    @ultra_safe ? replace_file(data) : write_over(data, file)
  end

  def replace_file(data)
    temporary = "#{@filename}.tmp.#{Process.pid}.#{rand(1 << 32)}"
    copy = File.new(temporary, File::WRONLY | File::CREAT | File::EXCL | File::BINARY, encoding: Encoding::ASCII_8BIT)
    begin
      copy.flock(File::LOCK_EX)
      copy.write(data)
      copy.flush
      File.rename(temporary, @filename)
    ensure
      copy.close
      File.unlink(temporary) if File.file?(temporary)
    end
  end

  def write_over(data, file)
    file.rewind
    file.write(data)
    file.truncate(data.bytesize)
  end

  # What subclasses with another kind of file change.

  def dump(table) = Marshal.dump(table)

  def load(content) = Marshal.load(content)

  def empty_marshal_data = EMPTY_MARSHAL_DATA

  def empty_marshal_checksum = EMPTY_MARSHAL_CHECKSUM
end
