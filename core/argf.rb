# ARGF: the files named in ARGV one after the other, or standard input.
#
# +@__next+ says what the next operation does first: nothing (nil), open the next file of ARGV (:file), or stay with
# standard input for good (:stdin). +@__state+ is :fresh before the first operation and :closed after a stream was left.
class ArgfClass
  include Enumerable

  def initialize(*argv)
    @__argv = argv
    @__stream = @__filename = @__output = @__inplace = @__next = nil
    @__state = :fresh
    @__lines_before = 0
    @__binmode = false
  end

  def initialize_copy(other)
    @__argv = other.argv.dup
  end

  def argv = @__argv
  def to_s = "ARGF"
  alias inspect to_s

  # Lines read so far, of all streams.
  def lineno = @__lines_before + (IO === @__stream && !@__stream.closed? ? @__stream.lineno : 0)

  def lineno=(number)
    number = Primitive.to_long(number)
    @__lines_before += number - lineno
    Primitive.io_set_last_lineno(number)
  end

  def inplace_mode = @__inplace&.dup

  # Nil reads only; a suffix keeps what files were before under their name with it, an empty one does not.
  def inplace_mode=(suffix)
    suffix = Primitive.to_str(suffix) if suffix
    if suffix && !suffix.encoding.ascii_compatible?
      suffix = suffix.encode(Encoding::UTF_8)
    end
    raise ArgumentError, "string contains null byte" if suffix && suffix.include?("\0")
    @__inplace = suffix ? suffix.dup.freeze : nil
  end

  def file
    advance
    @__stream
  end

  def to_io
    advance
    @__stream.to_io
  end

  def fileno = stream_for("no stream").fileno
  alias to_i fileno

  def filename
    advance
    @__filename
  end
  alias path filename

  def close
    advance
    leave
    @__next = :file unless @__next == :stdin
    @__lines_before = 0
    self
  end

  def closed?
    advance
    @__stream.closed?
  end

  def skip
    leave_for_next if @__state != :fresh && @__next.nil?
    self
  end

  def binmode? = @__binmode

  def binmode
    @__binmode = true
    advance
    @__stream.binmode
    self
  end

  def gets(*args, **options)
    line = next_line(args, options)
    Primitive.io_set_last_line(line)
  end

  def readline(*args, **options)
    raise EOFError, "end of file reached" unless line = next_line(args, options)
    Primitive.io_set_last_line(line)
  end

  def readlines(*args, **options)
    lines = []
    while advance
      lines.concat(@__stream.readlines(*args, **options))
      Primitive.io_set_last_lineno(lineno)
      leave unless generic?
      @__next = :file
    end
    @__state = :fresh
    lines
  end
  alias to_a readlines

  def read(length = nil, buffer = nil)
    result = buffer.nil? ? nil : Primitive.to_str(buffer).clear
    while advance
      part = @__stream.read(length && length - (result ? result.bytesize : 0))
      result = result ? result << part : part if part
      return result if part && length && result.bytesize >= length
      next if part && length
      return result if @__next == :stdin
      leave_for_next
    end
    result
  end

  def readpartial(length, buffer = nil) = read_available(buffer) { @__stream.readpartial(length, buffer) }

  def read_nonblock(length, buffer = nil, exception: true)
    read_available(buffer, exception) { @__stream.read_nonblock(length, buffer, exception: exception) }
  end

  def getc = next_of(:getc)
  def getbyte = next_of(:getbyte)

  # Nil at the end of standard input, as CRuby has it.
  def readchar
    char = next_of(:getc)
    raise EOFError, "end of file reached" if char.nil? && @__next != :stdin
    char
  end

  # Nil when all files have been read before.
  def readbyte
    return nil unless advance
    raise EOFError, "end of file reached" unless byte = next_of(:getbyte)
    byte
  end

  def eof?
    advance
    @__stream ? @__stream.eof? : false
  end
  alias eof eof?

  def pos = stream_for("no stream to tell").pos
  alias tell pos

  def pos=(position)
    stream_for("no stream to set position").pos = position
  end

  def seek(offset, whence = IO::SEEK_SET) = stream_for("no stream to seek").seek(offset, whence)
  def rewind = stream_for("no stream to rewind").rewind
  def external_encoding = @__stream ? @__stream.external_encoding : Encoding.default_external
  def internal_encoding = @__stream ? @__stream.internal_encoding : Encoding.default_external

  # Also how all further files are read.
  def set_encoding(*args, **options)
    stream_for("no stream to set encoding").set_encoding(*args, **options)
    @__encodings = [args, options]
    self
  end

  def each_line(*args, **options)
    return to_enum(:each_line, *args, **options) unless block_given?
    each_stream do |stream|
      stream.each_line(*args, **options) do |line|
        Primitive.io_set_last_lineno(lineno)
        yield line
        break if left?(stream)
      end
    end
  end
  alias each each_line

  def each_char
    return to_enum(:each_char) unless block_given?
    each_stream do |stream|
      stream.each_char do |char|
        yield char
        break if left?(stream)
      end
    end
  end

  def each_byte
    return to_enum(:each_byte) unless block_given?
    each_stream do |stream|
      stream.each_byte do |byte|
        yield byte
        break if left?(stream)
      end
    end
  end

  def each_codepoint
    return to_enum(:each_codepoint) unless block_given?
    each_stream do |stream|
      stream.each_codepoint do |codepoint|
        yield codepoint
        break if left?(stream)
      end
    end
  end

  # The file that takes the place of the one being read, in in-place mode.
  def to_write_io
    raise IOError, "not opened for writing" unless @__stream
    @__output || @__stream
  end

  def write(*objects) = to_write_io.write(*objects)
  def print(*objects) = to_write_io.print(*objects)
  def puts(*objects) = to_write_io.puts(*objects)
  def putc(object) = to_write_io.putc(object)
  def printf(*args) = to_write_io.printf(*args)

  private

  # Whether there is a stream to read: opens the next file when it is its turn.
  def advance
    if @__state == :fresh
      @__next = argv.empty? ? :stdin : :file
    elsif @__next == :stdin && !argv.empty?
      @__next = :file
    end
    return true if @__next.nil?
    return false if @__next == :file && @__state != :fresh && argv.empty?
    is_open = @__next == :file ? open_next : read_standard_input
    @__state = :open
    is_open
  end

  # False when none of the files that are left can be edited in place.
  def open_next
    begin
      return false if argv.empty?
      @__filename = File.path(argv.shift)
      stream = @__filename == "-" ? standard_stream : open_file(@__filename)
    end until stream
    start(stream)
    @__next = nil
    true
  end

  def read_standard_input
    stream = standard_stream
    start(stream) unless stream.equal?(@__stream)
    @__filename = "-"
    true
  end

  def standard_stream
    if @__inplace
      Primitive.warn("Can't do inplace edit for stdio; skipping")
      $stdout = STDOUT
    end
    $stdin
  end

  # Nil when the file cannot be edited in place.
  def open_file(name)
    file = Core.open_file(name, @__binmode ? "rb" : "r")
    file.set_encoding(*@__encodings[0], **@__encodings[1]) if @__encodings
    return file if @__inplace.nil? || redirect_output(name, file)
    file.close
    nil
  end

  # Makes a new file of that name standard output; false when the old one is in the way.
  def redirect_output(name, file)
    $stdout.close if @__output && $stdout.equal?(@__output)
    return false unless put_aside(name)
    @__output = Core.open_file(name, File::WRONLY | File::CREAT | File::TRUNC)
    stat = file.stat
    @__output.chmod(stat.mode)
    @__output.chown(stat.uid, stat.gid) if [stat.uid, stat.gid] != [@__output.stat.uid, @__output.stat.gid]
    @__output.binmode if $stdout.respond_to?(:binmode?) && !$stdout.closed? && $stdout.binmode?
    $stdout = @__output
    true
  end

  def put_aside(name)
    @__inplace.empty? ? File.unlink(name) : File.rename(name, name + @__inplace)
    true
  rescue SystemCallError => error
    doing = @__inplace.empty? ? "remove #{name}" : "rename #{name} to #{name}#{@__inplace}"
    Primitive.warn("Can't #{doing}: #{error.message.sub(/ @ .*/m, "")}, skipping file")
    false
  end

  def start(stream)
    @__lines_before = lineno
    @__lines_before -= stream.lineno if IO === stream
    @__stream = stream
  end

  def stream_for(complaint)
    raise ArgumentError, complaint unless advance
    @__stream
  end

  # Standard input may be any object.
  def generic? = @__stream.equal?($stdin) && !(IO === @__stream)

  def leave
    return if @__stream.equal?($stdin)
    @__lines_before = lineno
    @__stream.close
    @__state = :closed
  end

  def leave_for_next
    leave
    @__next = :file
  end

  def next_line(args, options)
    while advance
      line = @__stream.gets(*args, **options)
      @__lines_before += 1 if line && generic?
      Primitive.io_set_last_lineno(lineno) if line
      return line if line || @__next == :stdin || generic?
      leave_for_next
    end
  end

  def next_of(method)
    while advance
      found = @__stream.public_send(method)
      return found if found || @__next == :stdin
      leave_for_next
    end
  end

  # One piece of the current stream; an empty one at the end of every file but the last.
  def read_available(buffer, exception = true)
    unless advance
      Primitive.to_str(buffer).clear if buffer
      raise EOFError, "end of file reached"
    end
    chunk = begin
      yield
    rescue EOFError
      nil
    end
    return chunk if chunk
    is_last = @__next == :stdin
    leave_for_next unless is_last
    return buffer || +"" unless is_last || argv.empty?
    raise EOFError, "end of file reached" if exception
  end

  def each_stream
    while advance
      stream = @__stream
      yield stream
      leave_for_next unless left?(stream)
    end
    self
  end

  # Whether the block of an iteration went on to another stream.
  def left?(stream) = @__state == :closed || !stream.equal?(@__stream)
end

ARGF = ArgfClass.new
Primitive.field_set(ARGF, :__argv, ARGV)
Primitive.class_path_set(ArgfClass, "ARGF.class")

class Object
  remove_const :ArgfClass
end

module Core
  # What Kernel#gets reads: ARGF belongs to the main Ractor.
  def self.argument_stream = Primitive.ractor_is_main ? ARGF : $stdin
end
