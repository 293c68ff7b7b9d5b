module Zlib
  # Reads a file of gzip.
  class GzipReader < GzipFile
    include Enumerable

    # As much is read of the stream at a time.
    READ_BYTES = 1 << 14
    private_constant :READ_BYTES

    class << self
      def open(path, *how, **options, &) = wrap(File.open(path, "rb"), *how, **options, &)

      # The contents of all files that stand one behind the other in the stream.
      def zcat(io, **options)
        contents = String.new unless block_given?
        while true
          reader = new(io, **options)
          contents ? contents << reader.read : reader.each { |line| yield line }
          unused = reader.unused
          reader.finish
          break if unused.nil? && io.eof?
          io.pos -= unused.bytesize if unused
          break if io.eof?
        end
        contents
      end
    end

    attr_accessor :lineno
    attr_reader :external_encoding

    def initialize(io, external_encoding: Encoding.default_external, internal_encoding: nil, **)
      @io = io
      @external_encoding = external_encoding ? Encoding.find(external_encoding) : Encoding.default_external
      @internal_encoding = internal_encoding
      @is_closed = false
      start
    end

    def rewind
      open!
      raise NoMethodError, "undefined method 'seek' for an instance of #{@io.class}" unless @io.respond_to?(:seek)
      @io.seek(@start)
      start
      0
    end

    # What was read of the stream behind the end of the file.
    def unused
      open!
      @unused unless @unused.nil? || @unused.empty?
    end

    def pos = (open!; @size - @ready.bytesize)
    alias tell pos

    def eof?
      open!
      inflate until @is_complete || !@ready.empty?
      @ready.empty?
    end
    alias eof eof?

    def read(length = nil, buffer = nil)
      open!
      raise ArgumentError, "negative length #{length} given" if length && length < 0
      return take_all(buffer) unless length
      return buffer ? buffer.replace("") : "" if length.zero?
      fill(length)
      return buffer&.clear && nil if @ready.empty?
      text = take(length)
      buffer ? buffer.replace(text) : text
    end

    def readpartial(length, buffer = nil)
      raise ArgumentError, "negative length #{length} given" if length < 0
      return "" if length.zero?
      fill(1)
      raise EOFError, "end of file reached" if @ready.empty?
      text = take(length)
      buffer ? buffer.replace(text) : text
    end

    def getbyte
      fill(1)
      @ready.empty? ? nil : take(1).getbyte(0)
    end

    def readbyte = getbyte || raise(EOFError, "end of file reached")

    def each_byte
      return to_enum(:each_byte) unless block_given?
      while (byte = getbyte)
        yield byte
      end
      self
    end

    def getc
      fill(4)
      return if @ready.empty?
      first = @ready.byteslice(0, 4).force_encoding(@external_encoding)[0]
      take(first.bytesize).force_encoding(@external_encoding)
    end

    def readchar = getc || raise(EOFError, "end of file reached")

    def each_char
      return to_enum(:each_char) unless block_given?
      while (character = getc)
        yield character
      end
      nil
    end

    def ungetc(character)
      return if character.nil?
      character = character.chr(@external_encoding) if character.is_a?(Integer)
      @ready = character.b << @ready
      nil
    end

    def ungetbyte(byte)
      @ready = (byte & 255).chr << @ready if byte
      nil
    end

    # The next line.
    def gets(separator = $/, limit = nil, chomp: false)
      line = line(separator, limit, chomp)
      $_ = line
    end

    def readline(...) = gets(...) || raise(EOFError, "end of file reached")

    def each(*args, **options)
      return to_enum(:each, *args, **options) unless block_given?
      while (line = gets(*args, **options))
        yield line
      end
      self
    end
    alias each_line each

    def readlines(*args, **options) = each(*args, **options).to_a

    # Closes the reader; the stream stays open and is returned.
    def finish
      open!
      @is_closed = true
      check_footer if @ready.empty?
      @io
    end

    def close
      return if @is_closed
      finish
      close_io
      @io
    end

    private

    def start
      @codec = Codec.inflate(-MAX_WBITS)
      @ready = String.new
      @crc = 0
      @size = 0
      @lineno = 0
      @footer = @unused = nil
      @is_complete = false
      @start = @io.respond_to?(:pos) ? @io.pos : 0
      read_header
    end

    def read_header
      text = String.new
      until (position = GzipFile.skip_header(text) { |*parts| note_header(*parts) })
        raise GzipFile::Error.new("not in gzip format", text) if position.nil? && text.bytesize >= 3
        text << (more or raise GzipFile::Error.new("not in gzip format", text.empty? ? nil : text))
      end
      @input = text.byteslice(position..)
    end

    def note_header(mtime, speed, system, name, comment)
      @mtime = mtime
      @level = speed == 4 ? BEST_SPEED : speed == 2 ? BEST_COMPRESSION : DEFAULT_COMPRESSION
      @os_code = system
      @orig_name = (name || +"").force_encoding(Encoding.default_external)
      @comment = (comment || +"").force_encoding(Encoding.default_external)
    end

    def more
      text = @io.respond_to?(:readpartial) ? @io.readpartial(READ_BYTES) : @io.read(READ_BYTES)
      text unless text.nil? || text.empty?
    rescue EOFError
      nil
    end

    # Makes so many bytes ready, if there are.
    def fill(length)
      open!
      inflate until @is_complete || @ready.bytesize >= length
      check_footer if @ready.empty?
    end

    def inflate
      input = @input || more or raise GzipFile::Error, "unexpected end of file"
      @input = nil
      output = @codec.run(input, NO_FLUSH)
      @crc = Zlib.crc32(output, @crc)
      @size += output.bytesize
      @ready << output
      complete(input.byteslice(@codec.consumed..)) if @codec.finished?
    end

    def complete(rest)
      @is_complete = true
      rest << (more || break) while rest.bytesize < 8
      @footer = rest.byteslice(0, 8)
      @unused = rest.byteslice(8..)
    end

    # The footer is looked at when all before it was taken.
    def check_footer
      footer, @footer = @footer, nil
      GzipFile.check_footer(footer, @crc, @size) if footer
    end

    def take(length)
      text = @ready.byteslice(0, length)
      @ready = @ready.byteslice(length..) || String.new
      text
    end

    def take_all(buffer)
      inflate until @is_complete
      check_footer if @ready.empty?
      text = encoded(take(@ready.bytesize))
      buffer ? buffer.replace(text) : text
    end

    def encoded(text)
      text.force_encoding(@external_encoding)
      @internal_encoding ? text.encode(@internal_encoding) : text
    end

    def line(separator, limit, chomp)
      separator, limit = $/, separator if separator.is_a?(Integer)
      open!
      return take_all(nil).then { |text| text.empty? ? nil : count(text) } if separator.nil? && limit.nil?
      return encoded(String.new) if limit == 0
      skip_newlines if separator&.empty?
      mark = separator&.empty? ? "\n\n" : separator
      finish = line_end(mark, limit)
      return if finish.nil?
      text = count(encoded(take(finish)))
      skip_newlines if separator&.empty?
      chomp && mark ? text.chomp(mark) : text
    end

    def count(text)
      @lineno += 1
      text
    end

    def skip_newlines
      while (fill(1); @ready.getbyte(0) == 10)
        take(1)
      end
    end

    # A limit within a character lets the whole of it in.
    def whole_character(limit)
      longest = @external_encoding == Encoding::UTF_8 ? 3 : 0
      longest.times do |more|
        fill(limit + more + 1)
        return limit + more if @ready.byteslice(0, limit + more).force_encoding(@external_encoding).valid_encoding?
      end
      limit
    end

    def line_end(mark, limit)
      searched = 0
      while true
        found = mark && @ready.byteindex(mark.b, searched)
        finish = found && found + mark.bytesize
        return whole_character(limit) if limit && @ready.bytesize >= limit && (finish.nil? || finish > limit)
        return finish if finish
        return @ready.empty? ? nil : @ready.bytesize if @is_complete
        searched = [@ready.bytesize - (mark ? mark.bytesize : 0), 0].max
        inflate
      end
    end
  end
end
