# MessagePack: values as few bytes, and back. What every value becomes is native; types of the program are here.
module MessagePack
  VERSION = "1.8.0".freeze
  DEFAULT_EMPTY_PARAMS = {}.freeze

  class UnpackError < StandardError
  end

  class MalformedFormatError < UnpackError
  end

  class StackError < UnpackError
  end

  class UnexpectedTypeError < UnpackError
  end

  class UnknownExtTypeError < UnpackError
  end

  class NoMemoryError < StandardError
  end

  TypeError = UnexpectedTypeError
  MalformedFormatException = MalformedFormatError

  # A value of a type that nobody registered.
  ExtensionValue = Struct.new(:type, :payload)

  require "msgpack.so"

  # What is registered under which type, for classes and numbers.
  class Registry # :nodoc:
    def initialize
      @packers = {}
      @unpackers = {}
    end

    def initialize_copy(other)
      @packers = @packers.dup
      @unpackers = @unpackers.dup
    end

    attr_reader :packers, :unpackers

    def add_packer(type, klass, options = {}, &block)
      proc = options[:packer] || block || :to_msgpack_ext
      proc = proc.to_proc if proc.is_a?(Symbol)
      @packers[klass] = [type, proc, options[:recursive]]
    end

    def add_unpacker(type, klass, options = {}, &block)
      proc = options[:unpacker] || block || :from_msgpack_ext
      proc = klass.method(proc) if proc.is_a?(Symbol)
      @unpackers[type] = [klass, proc, options[:recursive]]
    end

    def packer_for(value)
      return if @packers.empty?
      @packers[value.class] || @packers.find { |klass, _| klass === value }&.last
    end
  end
  private_constant :Registry

  # Collects values and writes them to a stream, if it has one.
  class Packer
    attr_reader :buffer

    def initialize(io = nil, options = {})
      io, options = nil, io if io.is_a?(Hash)
      @io = io
      @buffer = String.new(capacity: 64)
      @registry = options[:registry] || Registry.new
      @compatibility_mode = !!options[:compatibility_mode]
    end

    def compatibility_mode? = @compatibility_mode

    def write(value)
      MessagePack.__pack(@buffer, value, self)
      flush_if_long
    end
    alias pack write

    def write_nil = write(nil)

    def write_true = write(true)

    def write_false = write(false)

    def write_int(value) = write(expect(Integer, value))

    def write_float(value) = write(expect(Numeric, value).to_f)

    def write_float32(value) = append("\xca".b << [expect(Numeric, value)].pack("g"))

    def write_string(value) = write(expect(String, value))

    def write_symbol(value) = write(expect(Symbol, value))

    def write_array(value) = write(expect(Array, value))

    def write_hash(value) = write(expect(Hash, value))

    def write_array_header(count) = header(0, count)

    def write_map_header(count) = header(1, count)

    def write_bin_header(count) = header(2, count)

    def write_bin(value)
      header(2, value.bytesize)
      append(value)
    end

    def write_ext(type, payload)
      header(1000 + type, payload.bytesize)
      append(payload)
    end

    def write_extension(value) = write_ext(value.type, value.payload)

    # Values of the class become extensions: the block makes the payload, or writes it with +recursive+.
    def register_type(type, klass, method = nil, &block) = @registry.add_packer(type, klass, {packer: method || block})

    def register_type_internal(type, klass, proc) = @registry.add_packer(type, klass, {packer: proc})

    def registered_types
      @registry.packers.to_h { |klass, (type, proc)| [klass, {type:, class: klass, packer: proc}] }
    end

    def type_registered?(type_or_class)
      type_or_class.is_a?(Integer) ? @registry.packers.any? { |_, (type)| type == type_or_class } : @registry.packers.key?(type_or_class)
    end

    # Writes what was collected to the stream.
    def flush
      if @io && !@buffer.empty?
        @io.write(@buffer)
        @buffer = String.new(capacity: 64)
      end
      self
    end

    def reset
      @buffer.clear
      nil
    end
    alias clear reset

    def size = @buffer.bytesize

    def empty? = @buffer.empty?

    def to_s = @buffer.dup
    alias to_str to_s
    alias to_a to_s

    def full_pack
      text = @io ? (flush; nil) : to_s
      reset
      text
    end

    def write_to(io) = io.write(@buffer).tap { @buffer.clear }

    # For the native half: a value that has no type of its own.
    def __other(value) # :nodoc:
      type, proc, is_recursive = @registry.packer_for(value)
      if type
        extension(type, proc, value, is_recursive)
      elsif value.is_a?(ExtensionValue)
        write_extension(value)
      elsif value.is_a?(Integer)
        raise RangeError, "bignum too big to convert into 'unsigned long long'"
      elsif value.respond_to?(:to_msgpack)
        value.to_msgpack(self)
      else
        raise NoMethodError, "undefined method 'to_msgpack' for #{Kernel.instance_method(:inspect).bind_call(value)}"
      end
    end

    # Whether the value is an extension: a symbol, or of a class below String, Array or Hash. Then it is written.
    def __extension(value) # :nodoc:
      type, proc, is_recursive = Symbol === value ? @registry.packers[Symbol] : @registry.packer_for(value)
      extension(type, proc, value, is_recursive) if type
      type
    end

    private

    # More than this goes to the stream at once.
    LONG = 1 << 16
    private_constant :LONG

    def flush_if_long
      flush if @io && @buffer.bytesize > LONG
      self
    end

    def extension(type, proc, value, is_recursive)
      if is_recursive
        packer = Packer.new(registry: @registry)
        proc.call(value, packer)
        write_ext(type, packer.to_s)
      else
        write_ext(type, proc.call(value))
      end
    end

    def expect(klass, value)
      klass === value ? value : raise(::TypeError, "wrong argument type #{value.class} (expected #{klass})")
    end

    def header(kind, count)
      MessagePack.__header(@buffer, kind, count)
      self
    end

    def append(bytes)
      @buffer << bytes.b
      flush_if_long
    end
  end

  # Reads values of a stream or of what it is fed.
  class Unpacker
    include Enumerable

    def initialize(io = nil, options = {})
      io, options = nil, io if io.is_a?(Hash)
      @io = io
      @buffer = String.new
      @position = 0
      @result = [nil, 0]
      @symbolize_keys = !!options[:symbolize_keys]
      @freeze = !!options[:freeze]
      @flags = (@symbolize_keys ? 1 : 0) | (@freeze ? 2 : 0)
      @allow_unknown_ext = !!options[:allow_unknown_ext]
      @registry = options[:registry] || Registry.new
    end

    def symbolize_keys? = @symbolize_keys

    def freeze? = @freeze

    def allow_unknown_ext? = @allow_unknown_ext

    def feed(bytes)
      @buffer = @buffer.byteslice(@position..) if @position > 0
      @position = 0
      bytes = "" + bytes unless bytes.is_a?(String)
      @buffer << bytes.b
      self
    end
    alias feed_reference feed

    # The next value; EOFError at the end.
    def read
      until MessagePack.__unpack(@buffer, @position, self, @flags, @result)
        read_more or raise_eof
      end
      @position = @result[1]
      @result[0]
    end
    alias unpack read

    def skip
      read
      nil
    end

    # Whether nil comes next, which in spite of the name stays to be read.
    def skip_nil = peek_byte == 0xc0

    def read_array_header = sized_header(0x90, 0xdc)

    def read_map_header = sized_header(0x80, 0xde)

    def each
      return to_enum unless block_given?
      loop do
        begin
          value = read
        rescue EOFError
          return
        end
        yield value
      end
    end

    def feed_each(bytes, &)
      feed(bytes)
      each(&)
    end

    # The only value.
    def full_unpack
      value = read
      raise MalformedFormatError, "#{@buffer.bytesize - @position} extra bytes after the deserialized object" if @position < @buffer.bytesize
      reset
      value
    end

    def reset
      @buffer = String.new
      @position = 0
      nil
    end

    def register_type(type, klass = nil, method = nil, &block)
      @registry.add_unpacker(type, klass, {unpacker: method || block})
    end

    def registered_types = @registry.unpackers.to_h { |type, (klass, proc)| [type, {type:, class: klass, unpacker: proc}] }

    def type_registered?(type_or_class)
      type_or_class.is_a?(Integer) ? @registry.unpackers.key?(type_or_class) : @registry.unpackers.any? { |_, (klass)| klass == type_or_class }
    end

    # For the native half.
    def __extension(type, payload) # :nodoc:
      _, proc, is_recursive = @registry.unpackers[type]
      return is_recursive ? proc.call(Unpacker.new(registry: @registry).feed(payload)) : proc.call(payload) if proc
      return ExtensionValue.new(type, payload) if @allow_unknown_ext
      raise UnknownExtTypeError, "unexpected extension type"
    end

    private

    # As much is read of a stream at a time, at least.
    READ_BYTES = 1 << 14
    private_constant :READ_BYTES

    def read_more
      return unless @io
      size = [READ_BYTES, @buffer.bytesize - @position].max
      bytes = @io.respond_to?(:readpartial) ? @io.readpartial(size) : @io.read(size)
      bytes && feed(bytes)
    rescue EOFError
      nil
    end

    def raise_eof = raise(EOFError, @io ? "end of file reached" : "end of buffer reached")

    def peek_byte
      read_more or raise_eof while @position >= @buffer.bytesize
      @buffer.getbyte(@position)
    end

    def sized_header(fixed, code)
      byte = peek_byte
      if byte & 0xf0 == fixed
        @position += 1
        return byte & 15
      end
      raise UnexpectedTypeError, "unexpected type" unless byte == code || byte == code + 1
      width = byte == code ? 2 : 4
      read_more or raise_eof while @position + width >= @buffer.bytesize
      count = @buffer.byteslice(@position + 1, width).unpack1(width == 2 ? "n" : "N")
      @position += 1 + width
      count
    end
  end

  # Packers and unpackers that know the same types.
  class Factory
    def initialize
      @registry = Registry.new
    end

    def initialize_copy(other)
      super
      @registry = @registry.dup
    end

    def packer(*args) = Packer.new(*with_registry(args))

    def unpacker(*args) = Unpacker.new(*with_registry(args))

    def register_type(type, klass, options = nil)
      options ||= {packer: :to_msgpack_ext, unpacker: :from_msgpack_ext}
      raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
      raise RangeError, "integer #{type} too big to convert to 'signed char'" unless type.between?(-128, 127)
      if klass == Integer && options[:oversized_integer_extension_type]
        options = options.except(:oversized_integer_extension_type)
      end
      @registry.add_packer(type, klass, options) if options[:packer] || !options[:unpacker]
      @registry.add_unpacker(type, klass, options) if options[:unpacker] || !options[:packer]
    end

    def registered_types
      types = @registry.packers.to_h { |klass, (type, proc)| [type, {type:, class: klass, packer: proc, unpacker: nil}] }
      @registry.unpackers.each do |type, (klass, proc)|
        (types[type] ||= {type:, class: klass, packer: nil})[:unpacker] = proc
      end
      types.sort.map(&:last)
    end

    def type_registered?(type_or_class)
      registered_types.any? { |entry| entry[:type] == type_or_class || entry[:class] == type_or_class }
    end

    def dump(value, *rest) = MessagePack.__send__(:packed, packer(*rest), value)
    alias pack dump

    def load(source, *rest)
      return unpacker(source, *rest).read if source.respond_to?(:read)
      unpacker(*rest).feed(source).full_unpack
    end
    alias unpack load

    # Dumps and loads with the types of now, whatever is registered later.
    def pool(_size = 1, **options) = Pool.new(frozen? ? self : dup.freeze, options.empty? ? [] : [options])

    private

    def with_registry(args)
      options = args.last.is_a?(Hash) ? args.pop : {}
      [*args, options.merge(registry: @registry)]
    end

    # A factory with options. There is nothing in it to be used by one thread at a time: packers are made in no time.
    class Pool
      def initialize(factory, options)
        @factory = factory
        @options = options
        freeze
      end

      def dump(value) = @factory.dump(value, *@options)

      def load(source) = @factory.load(source, *@options)

      def packer = yield(@factory.packer(*@options))

      def unpacker = yield(@factory.unpacker(*@options))
    end
  end

  DefaultFactory = Factory.new

  class << self
    # The bytes of a value, or nil after they were written to +io+.
    def pack(value, io = nil, options = nil)
      io, options = nil, io if io.is_a?(Hash)
      packed(io.nil? ? DefaultFactory.packer(options || {}) : DefaultFactory.packer(io, options || {}), value)
    end
    alias dump pack

    # The value of bytes or of a stream. Options: +symbolize_keys+, +freeze+, +allow_unknown_ext+.
    def unpack(source, options = {})
      return DefaultFactory.unpacker(source, options).read if source.respond_to?(:read)
      DefaultFactory.unpacker(options).feed(source).full_unpack
    end
    alias load unpack

    private

    def packed(packer, value) = packer.write(value).full_pack
  end

  # +to_msgpack+ of the core classes.
  module CoreExt
    def to_msgpack(packer_or_io = nil)
      case packer_or_io
      when Packer
        packer_or_io.write(self)
      when nil
        MessagePack.pack(self)
      else
        MessagePack.pack(self, packer_or_io)
      end
    end
  end

  [NilClass, TrueClass, FalseClass, Integer, Float, String, Symbol, Array, Hash].each { |klass| klass.include(CoreExt) }
  ExtensionValue.include(CoreExt)

  # What a Symbol is as an extension, if somebody registers that.
  class ::Symbol
    def to_msgpack_ext = name

    def self.from_msgpack_ext(data) = data.force_encoding(Encoding::UTF_8).to_sym
  end

  # Seconds and nanoseconds: what extension -1 holds.
  class Timestamp
    TYPE = -1

    attr_reader :sec, :nsec

    def initialize(sec, nsec)
      @sec = sec
      @nsec = nsec
    end

    def self.from_msgpack_ext(data)
      case data.bytesize
      when 4 then new(data.unpack1("N"), 0)
      when 8
        number = data.unpack1("Q>")
        new(number & 0x3_ffff_ffff, number >> 34)
      when 12 then new(*data.unpack("Nq>").reverse)
      else raise MalformedFormatError, "Invalid timestamp data size: #{data.bytesize}"
      end
    end

    def self.to_msgpack_ext(sec, nsec)
      return [nsec, sec].pack("Nq>") unless sec.between?(0, 0x3_ffff_ffff)
      nsec.zero? && sec < 1 << 32 ? [sec].pack("N") : [nsec << 34 | sec].pack("Q>")
    end

    def to_msgpack_ext = Timestamp.to_msgpack_ext(sec, nsec)

    def ==(other) = other.class == self.class && sec == other.sec && nsec == other.nsec
  end

  # What Factory#register_type takes for times.
  module Time
    Packer = ->(time) { Timestamp.to_msgpack_ext(time.tv_sec, time.tv_nsec) }
    Unpacker = lambda do |payload|
      timestamp = Timestamp.from_msgpack_ext(payload)
      ::Time.at(timestamp.sec, timestamp.nsec, :nanosecond)
    end
    TimePacker = Packer
    TimeUnpacker = Unpacker
  end
end
