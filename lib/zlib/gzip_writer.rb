module Zlib
  # Writes a file of gzip.
  class GzipWriter < GzipFile
    def self.open(path, *how, **options, &) = wrap(File.open(path, "wb"), *how, **options, &)

    def initialize(io, level = nil, _strategy = nil, **options)
      @io = io
      @level = level || DEFAULT_COMPRESSION
      @codec = Codec.deflate(@level, -MAX_WBITS)
      @crc = 0
      @size = 0
      @is_closed = @is_ended = false
      @mtime = nil
      @os_code = OS_CODE
      @encoding = options[:external_encoding]
    end

    def mtime=(time)
      before_header!
      @mtime = time.to_i
    end

    def orig_name=(name)
      before_header!
      @orig_name = name.dup
    end

    def comment=(comment)
      before_header!
      @comment = comment.dup
    end

    def write(*strings)
      strings.sum do |string|
        string = string.to_s
        string = string.encode(@encoding) if @encoding
        add(string, @sync ? SYNC_FLUSH : NO_FLUSH)
        string.bytesize
      end
    end

    def <<(string)
      write(string)
      self
    end

    def print(*objects)
      objects = [$_] if objects.empty?
      objects.each_with_index do |object, index|
        write($,) if $, && index > 0
        write(object)
      end
      write($\) if $\
      nil
    end

    def puts(*objects)
      return write("\n") && nil if objects.empty?
      objects.flatten.each do |object|
        text = object.to_s
        write(text)
        write("\n") unless text.end_with?("\n")
      end
      nil
    end

    def printf(format, *args)
      write(Kernel.format(format, *args))
      nil
    end

    def putc(character)
      write(character.is_a?(String) ? character[0] : (character.to_int & 255).chr)
      character
    end

    # Bytes of the contents so far.
    def pos = (open!; @size)
    alias tell pos

    def flush(flush = SYNC_FLUSH)
      add("", flush) unless flush == NO_FLUSH
      @io.flush if @io.respond_to?(:flush)
      self
    end

    # Ends the file; the stream stays open and is returned. Tried once, even if the stream does not take the end.
    def finish
      open!
      @is_ended = true
      write_out(coded("", FINISH) << [@crc, @size & 0xffff_ffff].pack("V2"))
      @is_closed = true
      @io
    end

    def close
      return if @is_closed
      finish
      close_io
      @io
    end

    private

    def before_header!
      open!
      raise GzipFile::Error, "header is already written" if @has_header
    end

    def add(string, flush)
      open!
      write_out(coded(string, flush))
    end

    # The header, if it was not written yet, and what comes out of +string+: one piece, as who gets it may raise.
    def coded(string, flush)
      output = @has_header ? String.new : header
      output << @codec.run(string, flush)
      @crc = Zlib.crc32(string, @crc)
      @size += string.bytesize
      output
    end

    def write_out(output)
      return if output.empty?
      @io.write(output)
      @io.flush if @sync && @io.respond_to?(:flush)
    end

    def header
      @has_header = true
      @mtime ||= ::Time.now.to_i
      GzipFile.header(@level, mtime: @mtime, name: @orig_name, comment: @comment)
    end
  end
end
