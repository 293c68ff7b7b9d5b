# Reading and writing in pieces for whoever has `sysread` and `syswrite`.
module OpenSSL
  # A class that includes this has `@io`, whose `sync` it begins with, and the methods `sysread(size)`, which raises EOFError at the end,
  # `syswrite(text)`, `sysread_nonblock`, `syswrite_nonblock` and `sysclose`.
  module Buffering
    include Enumerable

    # How much is read, and written, at once.
    BLOCK_SIZE = 16 * 1024

    # Whether what is written leaves at once.
    attr_accessor :sync

    def initialize(*)
      super
      @at_end = false
      @read_ahead = "".b
      @unwritten = "".b
      @sync = @io.sync
    end

    # Reads +size+ bytes, or all there are.
    def read(size = nil, buffer = nil)
      return into(buffer, "") if size == 0
      nil while !(size && @read_ahead.bytesize >= size) && fill
      taken = take(size || @read_ahead.bytesize)
      into(buffer, taken)
      size && taken.empty? ? nil : (buffer || taken)
    end

    # Reads what there is, at most +size+ bytes; waits only if there is nothing.
    def readpartial(size, buffer = nil)
      return into(buffer, "") if size == 0
      return into(buffer, take(size)) unless @read_ahead.empty?
      begin
        sysread(size, *buffer)
      rescue Errno::EAGAIN
        retry
      end
    end

    # As readpartial, but does not wait.
    def read_nonblock(size, buffer = nil, exception: true)
      return into(buffer, "") if size == 0
      return sysread_nonblock(size, buffer, exception: exception) if @read_ahead.empty?
      into(buffer, take(size))
    end

    # Reads a line: up to +separator+, and no more than +limit+ bytes.
    def gets(separator = $/, limit = nil, chomp: false)
      separator, limit = $/, separator if Integer === separator && limit.nil?
      return "" if limit == 0
      separator = "\n\n" if (is_paragraph = separator == "")
      skip_newlines if is_paragraph
      found = nil
      nil while !(found = line_size(separator, limit)) && fill
      found ||= @read_ahead.bytesize
      line = take(found)
      skip_newlines if is_paragraph && line.end_with?(separator)
      return nil if line.empty?
      chomp && separator ? line.chomp(is_paragraph ? "" : separator) : line
    end

    def readline(separator = $/, chomp: false)
      gets(separator, chomp: chomp) || raise(EOFError)
    end

    def readlines(separator = $/)
      lines = []
      while line = gets(separator)
        lines << line
      end
      lines
    end

    def each(separator = $/)
      while line = gets(separator)
        yield line
      end
    end
    alias each_line each

    def getc = read(1)

    def readchar = getc || raise(EOFError)

    def getbyte = read(1)&.ord

    def readbyte = getbyte || raise(EOFError)

    def each_byte
      while char = getc
        yield char.ord
      end
    end

    # Puts a character back: the next thing read begins with it.
    def ungetc(char)
      @read_ahead = char.b << @read_ahead
      char
    end

    # Whether there is nothing more to read.
    def eof?
      fill if @read_ahead.empty?
      @read_ahead.empty?
    end
    alias eof eof?

    # Writes; returns the number of bytes.
    def write(*texts)
      texts.sum { |text| add(text) }
    end

    def write_nonblock(text, exception: true)
      flush
      syswrite_nonblock(text, exception: exception)
    end

    def <<(text)
      add(text)
      self
    end

    def puts(*args)
      args = [""] if args.empty?
      args.each do |arg|
        line = arg.to_s
        add(line.end_with?("\n") ? line : "#{line}\n")
      end
      nil
    end

    def print(*args)
      args.each { |arg| add(arg) }
      nil
    end

    def printf(text, *args)
      add(format(text, *args))
      nil
    end

    # Has what was written leave.
    def flush
      before, @sync = @sync, true
      add("")
      self
    ensure
      @sync = before
    end

    def close
      begin
        flush
      rescue StandardError
        # Nobody reads any more.
      end
      sysclose
    end

    private

    # Reads more; false at the end.
    def fill
      return false if @at_end
      @read_ahead << sysread(BLOCK_SIZE)
      true
    rescue Errno::EAGAIN
      retry
    rescue EOFError
      @at_end = true
      false
    end

    def take(size)
      @read_ahead.slice!(0, size)
    end

    def into(buffer, text)
      buffer ? buffer.replace(text) : text
    end

    # How many of the bytes there are belong to the line; nil if more have to be read to know.
    def line_size(separator, limit)
      at = separator && @read_ahead.index(separator.b)
      size = at && at + separator.bytesize
      return [size, limit].compact.min if size
      limit if limit && @read_ahead.bytesize >= limit
    end

    def skip_newlines
      loop do
        fill if @read_ahead.empty?
        break unless @read_ahead.start_with?("\n")
        take(1)
      end
    end

    # Keeps a text until there is enough to be written.
    def add(text)
      text = text.to_s.b
      @unwritten << text
      send_off if @sync || @unwritten.bytesize > BLOCK_SIZE
      text.bytesize
    end

    def send_off
      until @unwritten.empty?
        begin
          count = syswrite(@unwritten)
        rescue Errno::EAGAIN
          retry
        end
        @unwritten.slice!(0, count)
      end
    end
  end
end
