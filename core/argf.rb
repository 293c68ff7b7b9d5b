# ARGF: the files named in ARGV one after the other, or standard input.
class ArgfClass
  include Enumerable

  def initialize(*argv)
    @argv = argv.empty? ? nil : argv
    @stream = nil
    @lineno = 0
    @started = false
    @binmode = false
  end

  def argv = @argv || ARGV
  def to_s = "ARGF"
  alias inspect to_s
  attr_reader :lineno

  def lineno=(number)
    @lineno = number
    Primitive.io_set_last_lineno(number)
  end

  # The stream being read; nil when all have been.
  def current
    return @stream if @stream && !@stream.closed?
    if argv.empty?
      return nil if @started
      @started = true
      @filename = "-"
      return @stream = $stdin
    end
    @started = true
    @filename = argv.shift
    @stream = @filename == "-" ? $stdin : File.open(@filename, @binmode ? "rb" : "r")
  end

  def file = current
  def to_io = current.to_io
  def fileno = (current or raise ArgumentError, "no stream").fileno
  alias to_i fileno

  def filename
    current
    @filename || "-"
  end
  alias path filename

  def close
    stream = current
    stream.close unless stream.nil? || stream.equal?($stdin)
    @stream = nil
    self
  end

  def closed? = @started && @stream.nil?
  def skip = (leave if @stream; self)
  def binmode = (@binmode = true; self)
  def binmode? = @binmode

  # Goes on to the next file.
  def leave
    @stream.close unless @stream.equal?($stdin)
    @stream = nil
    @started = true
  end

  def gets(*args, **options)
    while stream = current
      if line = stream.gets(*args, **options)
        @lineno += 1
        Primitive.io_set_last_lineno(@lineno)
        return line
      end
      return nil if stream.equal?($stdin) && argv.empty?
      leave
    end
  end

  def readline(*args, **options)
    gets(*args, **options) or raise EOFError, "end of file reached"
  end

  def readlines(*args, **options)
    lines = []
    while line = gets(*args, **options)
      lines << line
    end
    lines
  end
  alias to_a readlines

  def read(length = nil, buffer = nil)
    result = nil
    while stream = current
      part = stream.read(length && length - (result ? result.bytesize : 0))
      result = result ? result << part : part if part
      break if length && result && result.bytesize >= length
      break if stream.equal?($stdin) && argv.empty?
      leave
    end
    result = +"" if result.nil? && length.nil?
    buffer && result ? buffer.replace(result) : result
  end

  def readpartial(length, buffer = nil)
    raise EOFError, "end of file reached" unless stream = current
    buffer ? stream.readpartial(length, buffer) : stream.readpartial(length)
  rescue EOFError
    raise if argv.empty?
    leave
    +""
  end

  def getc = next_of(:getc)
  def getbyte = next_of(:getbyte)
  def readchar = getc || raise(EOFError, "end of file reached")
  def readbyte = getbyte || raise(EOFError, "end of file reached")

  def next_of(method)
    while stream = current
      found = stream.public_send(method)
      return found if found
      return nil if stream.equal?($stdin) && argv.empty?
      leave
    end
  end

  def eof?
    raise IOError, "ARGF is not opened for reading" unless @stream
    @stream.eof?
  end
  alias eof eof?

  def pos = (current or raise ArgumentError, "no stream to tell").pos
  alias tell pos
  def pos=(position)
    current.pos = position
  end
  def seek(...) = (current or raise ArgumentError, "no stream to seek").seek(...)
  def rewind = (current or raise ArgumentError, "no stream to rewind").rewind.tap { @lineno = 0 }
  def external_encoding = (current || $stdin).external_encoding
  def internal_encoding = (current || $stdin).internal_encoding
  def set_encoding(...) = (current.set_encoding(...); self)

  def each_line(*args, **options)
    return to_enum(:each_line, *args, **options) unless block_given?
    while line = gets(*args, **options)
      yield line
    end
    self
  end
  alias each each_line

  def each_char
    return to_enum(:each_char) unless block_given?
    while char = getc
      yield char
    end
    self
  end

  def each_byte
    return to_enum(:each_byte) unless block_given?
    while byte = getbyte
      yield byte
    end
    self
  end

  def each_codepoint
    return to_enum(:each_codepoint) unless block_given?
    each_char { |char| yield char.ord }
  end
end

ARGF = ArgfClass.new

module Primitive
  # What Kernel#gets reads: ARGF belongs to the main Ractor.
  def self.argument_stream = Primitive.ractor_is_main ? ARGF : $stdin
end
