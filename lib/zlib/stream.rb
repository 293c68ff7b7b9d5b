# carat: core

module Zlib
  # A codec, with what it was not given yet and what nobody took yet.
  class ZStream
    def self.new(...) = equal?(ZStream) ? raise(TypeError, "allocator undefined for #{self}") : super

    def initialize(codec)
      @codec = codec
      @input = nil
      @output = String.new
      @adler = 1
      @is_closed = @is_locked = false
    end

    # Of a stream that was given something, nobody can tell what it would make of it.
    def initialize_copy(other)
      raise NotImplementedError, "a stream that is under way cannot be copied" if other.total_in > 0 || other.adler != 1
      @codec = new_codec
      @output = @output.dup
    end

    def avail_in = (open!; @input ? @input.bytesize : 0)

    def avail_out = (open!; 0)

    def avail_out=(_size)
      open!
    end

    def total_in = (open!; @codec.total_in)

    def total_out = (open!; @codec.total_out)

    def data_type = (open!; UNKNOWN)

    # The checksum of what went in or came out uncompressed.
    def adler = (open!; @adler)

    def finished? = (open!; @codec.finished?)
    alias stream_end? finished?

    def closed? = @is_closed
    alias ended? closed?

    def close
      open!
      @codec.release
      @is_closed = true
      nil
    end
    alias end close

    def reset
      open!
      @codec.reset
      @input = nil
      @output = String.new
      @adler = 1
      nil
    end

    # Takes what the end makes of everything so far.
    def finish(&) = hand_out(run("", FINISH), last: true, &)

    def flush_next_in
      open!
      input, @input = @input, nil
      input || String.new
    end

    def flush_next_out
      open!
      output, @output = @output, String.new
      output
    end

    private

    def open! = @is_closed ? raise(Zlib::Error, "stream is not ready") : nil

    def unlocked! = @is_locked ? raise(ThreadError, "deadlock; recursive locking") : nil

    # What comes out of +input+ behind what is left of the input before.
    def run(input, flush)
      open!
      unlocked!
      if @input
        input = @input << input
        @input = nil
      end
      output, input = coded(input, flush)
      left = input.bytesize - @codec.consumed
      @input = input.byteslice(-left, left).b if left > 0
      note(input, output)
      output
    end

    # What comes out, and the input that was last looked at.
    def coded(input, flush) = [@codec.run(input, flush), input]

    # All output, or whole chunks of it to the block; what is left waits for more, or for the block to be called again. With a
    # buffer it is that which holds them.
    def hand_out(output, last: false, buffer: nil)
      output = @output << output unless @output.empty?
      unless block_given?
        @output = String.new
        return buffer ? buffer.replace(output) : output
      end
      @output = output
      while @output.bytesize >= CHUNK_BYTES || last && !@output.empty?
        chunk = @output.byteslice(0, CHUNK_BYTES)
        @output = @output.byteslice(CHUNK_BYTES..) || String.new
        yield_locked(chunk) { |part| yield(buffer ? buffer.replace(part) : part) }
      end
      nil
    end

    # The block must not use the stream whose output it gets.
    def yield_locked(chunk)
      @is_locked = true
      yield chunk
    ensure
      @is_locked = false
    end

    # As much a block is given at a time.
    CHUNK_BYTES = 1 << 14
    private_constant :CHUNK_BYTES

    def text(string) = Primitive.to_str(string)
  end

  # Makes data small.
  class Deflate < ZStream
    def self.deflate(string, level = DEFAULT_COMPRESSION, &)
      stream = new(level)
      stream.deflate(stream.send(:text, string), FINISH, &)
    end

    FLUSHES = (NO_FLUSH..5)
    private_constant :FLUSHES

    def initialize(level = nil, wbits = nil, memlevel = nil, strategy = nil)
      raise StreamError, "stream error" unless (1..MAX_MEM_LEVEL).cover?(memlevel || DEF_MEM_LEVEL) && (0..FIXED).cover?(strategy || 0)
      @level = level || DEFAULT_COMPRESSION
      @wbits = wbits || MAX_WBITS
      super(new_codec)
    end

    def deflate(string, flush = NO_FLUSH, &)
      flush = FINISH if string.nil?
      hand_out(run(string.nil? ? "" : text(string), flush), last: flush == FINISH, &)
    end

    # Adds to the input; what comes out is taken later.
    def <<(string)
      @output << run(text(string), NO_FLUSH)
      self
    end

    def flush(flush = SYNC_FLUSH, &) = hand_out(flush == NO_FLUSH ? String.new : run("", flush), last: true, &)

    # A codec that has begun in another way of searching goes on with it: the level is a matter of speed and size alone.
    def params(level, _strategy)
      raise StreamError, "stream error" unless (DEFAULT_COMPRESSION..BEST_COMPRESSION).cover?(level)
      flush_for_params
      @codec.level = level
    rescue StreamError
      raise unless (DEFAULT_COMPRESSION..BEST_COMPRESSION).cover?(level)
    end

    def set_dictionary(dictionary)
      open!
      @codec.set_dictionary(dictionary)
      @adler = Zlib.adler32(dictionary)
      @is_sum_of_dictionary = true
      dictionary
    end

    private

    def new_codec = Codec.deflate(@level, @wbits)

    # After a flush there may be nothing to flush.
    def flush_for_params
      @output << run("", SYNC_FLUSH)
    rescue BufError
      nil
    end

    def coded(input, flush)
      raise StreamError, "stream error" if !FLUSHES.cover?(flush) || (finished? && flush != FINISH)
      super
    end

    def note(input, _output)
      @adler = 1 if @is_sum_of_dictionary
      @is_sum_of_dictionary = false
      @adler = Zlib.adler32(input, @adler) unless @wbits < 0
    end
  end

  # Makes of small data what it was made of.
  class Inflate < ZStream
    def self.inflate(string) = new.then { |stream| stream.inflate(stream.send(:text, string)).tap { stream.finish } }

    def initialize(wbits = MAX_WBITS)
      @wbits = wbits || MAX_WBITS
      @dictionaries = {}
      # 32 and more: zlib or gzip, as the data has it.
      @is_open = @wbits > 31
      super(new_codec)
    end

    # What comes behind the end is not looked at, but handed out with what comes next.
    def inflate(string, buffer: nil, &)
      unlocked!
      if finished? && !string.nil?
        @output << text(string).b
        return buffer ? buffer.clear : String.new
      end
      output = run(string.nil? ? "" : text(string), NO_FLUSH)
      finish_input if string.nil?
      hand_out(output, last: finished?, buffer:, &).tap { keep_rest if finished? }
    end

    def <<(string)
      unlocked!
      if string.nil?
        finish_input
      else
        @output << (finished? ? text(string).b : run(text(string), NO_FLUSH))
        keep_rest if finished?
      end
      self
    end

    def finish(&)
      output = finished? ? String.new : run("", NO_FLUSH)
      finish_input
      hand_out(output, last: true, &)
    end

    # A dictionary that is taken when the data asks for it.
    def add_dictionary(dictionary)
      @dictionaries[Zlib.adler32(dictionary)] = dictionary
      nil
    end

    def set_dictionary(dictionary)
      open!
      @codec.set_dictionary(dictionary)
      dictionary
    rescue StreamError
      raise unless @is_waiting
      raise DataError, "data error"
    end

    # What a full flush ends with.
    FLUSH_MARK = "\0\0\xFF\xFF".b.freeze
    private_constant :FLUSH_MARK

    # Whether a place was found from which to go on: behind a full flush. What stands before is lost.
    def sync(string)
      unlocked!
      input = (@input || String.new) << text(string)
      place = input.byteindex(FLUSH_MARK)
      @input = place ? input.byteslice(place + FLUSH_MARK.bytesize..) : started_mark(input)
      return false unless place
      @codec = Codec.inflate(-MAX_WBITS)
      @is_open = false
      true
    end

    def sync_point? = false

    def avail_in = (open!; @input ? @input.bytesize : 0)

    def total_in = (open!; @codec.total_in)

    private

    def new_codec = Codec.inflate(@is_open ? @wbits - 32 : @wbits)

    def finish_input
      raise BufError, "buffer error" unless @codec.finished?
    end

    # How the mark may begin at the end of the input.
    def started_mark(input)
      width = 3.downto(1).find { |count| input.end_with?(FLUSH_MARK.byteslice(0, count)) }
      input.byteslice(-width, width).b if width
    end

    def keep_rest
      @output << @input if @input
      @input = nil
    end

    def run(input, flush)
      if @is_open
        first = @input ? @input + input : input
        return String.new.tap { @input = first.b } if first.empty?
        @codec = Codec.inflate(31) if first.getbyte(0) == 0x1f
        @is_open = false
      end
      super
    end

    def coded(input, flush)
      super
    rescue DataError
      @input = input.byteslice(@codec.consumed..).b
      raise
    rescue NeedDict
      rest = input.byteslice(@codec.consumed..)
      dictionary = @dictionaries[needed_dictionary(input)]
      unless dictionary
        @input = rest.b
        @is_waiting = true
        raise
      end
      @codec.set_dictionary(dictionary)
      [@codec.run(rest, flush), rest]
    end

    # The data said which one: behind its first two bytes.
    def needed_dictionary(input) = input.byteslice(2, 4).unpack1("N")

    def note(_input, output)
      @adler = Zlib.adler32(output, @adler) unless @wbits < 0
    end
  end
end
