module Zlib
  # What reading and writing files of gzip have in common: the header.
  class GzipFile
    class Error < Zlib::Error
      attr_reader :input

      def initialize(message = nil, input = nil)
        super(message)
        @input = input
      end

      def inspect = @input ? "#{super.chomp(">")}, input=#{@input.inspect}>" : super
    end

    class NoFooter < Error
    end

    class CRCError < Error
    end

    class LengthError < Error
    end

    MAGIC = "\x1f\x8b\x08".b.freeze
    HAS_CRC = 2
    HAS_EXTRA = 4
    HAS_NAME = 8
    HAS_COMMENT = 16
    private_constant :HAS_CRC, :HAS_EXTRA, :HAS_NAME, :HAS_COMMENT

    attr_reader :level, :os_code

    def orig_name = (open!; @orig_name)

    def comment = (open!; @comment)

    class << self
      def new(...) = equal?(GzipFile) ? raise(TypeError, "allocator undefined for #{self}") : super

      # Yields a new one and closes it.
      def wrap(*args, **options)
        file = new(*args, **options)
        return file unless block_given?
        begin
          yield file
        ensure
          file.close unless file.closed?
        end
      end

      def header(level, mtime: 0, name: nil, comment: nil) # :nodoc:
        flags = (name ? HAS_NAME : 0) | (comment ? HAS_COMMENT : 0)
        speed = level == BEST_SPEED ? 4 : level == BEST_COMPRESSION ? 2 : 0
        text = MAGIC.dup << [flags, mtime, speed, OS_CODE].pack("CVCC")
        text << name.b << 0 if name
        text << comment.b << 0 if comment
        text
      end

      # Where the data begins; nil if this is no header, false if it ends too early. The block gets flags, time, speed, system,
      # name and comment.
      def skip_header(text) # :nodoc:
        return text.bytesize < 10 && MAGIC.start_with?(text.byteslice(0, 3)) ? false : nil unless text.bytesize >= 10 && text.start_with?(MAGIC)
        flags, mtime, speed, system = text.unpack("@3CVCC")
        position = 10
        if flags & HAS_EXTRA != 0
          size = text.byteslice(position, 2).unpack1("v") or return false
          position += 2 + size
        end
        name, position = zero_ended(text, position) if flags & HAS_NAME != 0
        comment, position = zero_ended(text, position) if flags & HAS_COMMENT != 0 && position
        return false unless position
        position += 2 if flags & HAS_CRC != 0
        return false if position > text.bytesize
        yield mtime, speed, system, name, comment if block_given?
        position
      end

      def check_footer(footer, crc, size) # :nodoc:
        raise NoFooter, "footer is not found" if footer.nil? || footer.bytesize < 8
        stored_crc, stored_size = footer.unpack("V2")
        raise CRCError, "invalid compressed data -- crc error" if stored_crc != crc
        raise LengthError, "invalid compressed data -- length error" if stored_size != size & 0xffff_ffff
      end

      private

      def zero_ended(text, position)
        zero = text.byteindex("\0", position)
        [text.byteslice(position, zero - position), zero + 1] if zero
      end
    end

    def mtime = ::Time.at(@mtime || 0)

    def sync = @sync || false

    def sync=(flag)
      open!
      @sync = flag ? true : false
    end

    # The stream's name, if it has one.
    def respond_to_missing?(name, include_all) = name == :path && @io.respond_to?(:path) || super

    def method_missing(name, ...) = name == :path && @io.respond_to?(:path) ? @io.path : super

    def to_io = (open!; @io)

    def closed? = @is_closed

    # The checksum of the contents so far.
    def crc = (open!; @crc)

    private

    def open! = @is_closed || @is_ended ? raise(GzipFile::Error, "closed gzip stream") : nil

    def close_io
      @io.close if @io.respond_to?(:close)
    end
  end
end
