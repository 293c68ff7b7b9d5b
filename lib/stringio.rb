# carat: core
# StringIO: a stream that reads from a String and writes to it. Positions count bytes.
class StringIO
  include Enumerable

  VERSION = "3.2.0".freeze
  MAX_LENGTH = 0x7fff_ffff_ffff_ffff

  # The string and the position in it, which copies of a stream have in common.
  require "stringio/shared.so"
  private_constant :Shared

  class << self
    def open(*args, **options)
      io = new(*args, **options)
      return io unless block_given?
      begin
        yield io
      ensure
        io.__send__(:__release)
      end
    end
  end

  # A stream is no value to be kept.
  def marshal_dump = raise(TypeError, "no _dump_data is defined for class #{self.class}")
  private :marshal_dump

  def initialize(string = (no_string = true; +""), mode = nil, **options)
    warn "#{self.class}::new() does not take block; use #{self.class}::open() instead", uplevel: 0 if block_given?
    return __set_up(string, mode, no_string, options) unless String === string && mode.nil? && options.empty?
    # As __set_up does, of what most streams begin with.
    @__shared = Shared.new(string)
    @__lineno = 0
    @__append = false
    @__encoding = nil
    string.force_encoding(Encoding.default_external) if no_string
    @__has_mark = false
    @__readable = @__opened_readable = true
    @__writable = @__opened_writable = !string.frozen?
    self
  end

  def initialize_copy(other)
    super
    @__shared = Primitive.field(other, :__shared)
    self
  end

  def lineno = @__lineno

  def lineno=(number)
    @__lineno = Primitive.to_int(number)
  end

  def string = @__shared.string

  def string=(string)
    __check_frozen
    string = __convert(string)
    @__shared.string = string
    @__shared.position = 0
    @__readable = true
    @__writable = !string.frozen?
    @__append = false
    @__lineno = 0
    string
  end

  def reopen(*args)
    __check_frozen
    return __set_up(+"", nil, true, {}) if args.empty?
    if args.size == 1 && !(String === args[0])
      other = args[0]
      raise TypeError, "can't convert #{other.nil? ? "nil" : other.class} into StringIO" unless other.respond_to?(:to_strio, true)
      other = other.__send__(:to_strio)
      return __take_over(other)
    end
    __set_up(*args, *([nil] if args.size == 1), false, {})
    self
  end

  def to_strio = self
  private :to_strio

  # ---- state ----

  def close
    @__readable = @__writable = false
    nil
  end

  def close_read
    raise IOError, "closing non-duplex IO for reading" unless @__opened_readable
    @__readable = false
    nil
  end

  def close_write
    raise IOError, "closing non-duplex IO for writing" unless @__opened_writable
    @__writable = false
    nil
  end

  def closed? = !@__readable && !@__writable
  def closed_read? = !@__readable
  def closed_write? = !@__writable

  def pos = @__shared.position
  alias tell pos

  def pos=(position)
    __check_frozen
    position = Primitive.to_int(position)
    raise Errno::EINVAL if position < 0
    @__shared.position = position
  end

  def rewind
    @__shared.position = 0
    @__lineno = 0
    0
  end

  def seek(offset, whence = 0)
    raise IOError, "closed stream" unless @__readable || @__writable
    offset = Primitive.to_int(offset)
    start =
      case whence
      when 0, :SET then 0
      when 1, :CUR then @__shared.position
      when 2, :END then __bytesize
      else raise Errno::EINVAL, "invalid whence"
      end
    raise Errno::EINVAL if start + offset < 0
    @__shared.position = start + offset
    0
  end

  def eof?
    __check_readable unless @__readable
    @__shared.at_end?
  end
  alias eof eof?

  def size
    raise IOError, "not opened" unless @__shared.string || @__readable || @__writable
    __bytesize
  end
  alias length size

  def sync = true
  def sync=(value)
    value
  end

  def flush = self
  def fsync = 0
  def binmode = (@__encoding = Encoding::BINARY; @__shared.string.force_encoding(Encoding::BINARY) if @__writable; self)
  def fileno = nil
  def pid = nil
  def isatty = false
  alias tty? isatty
  def fcntl(*) = raise(NotImplementedError, "fcntl() function is unimplemented on this machine")

  def external_encoding = __encoding
  def internal_encoding = nil

  def set_encoding(external, _internal = nil, **)
    external = external.to_s.split(":", 2)[0] if String === external
    external = Encoding.default_external if external.nil?
    @__encoding = Encoding === external ? external : Encoding.find(external)
    __mark_string
    self
  end

  def set_encoding_by_bom
    raise FrozenError, "can't modify frozen #{self.class}: #{inspect}" if frozen?
    __skip_mark
  end

  # ---- reading ----

  def read(length = nil, buffer = nil)
    __check_readable
    buffer = __convert(buffer) unless buffer.nil?
    return __read_rest(buffer) if length.nil?
    length = Primitive.to_int(length)
    raise ArgumentError, "negative length #{length} given" if length < 0
    return __deliver("".b, buffer) if length == 0
    bytes = @__shared.bytes(length)
    return (buffer&.clear; nil) unless bytes
    buffer ? __deliver(bytes, buffer) : bytes
  end

  def pread(length, offset, buffer = nil)
    length = Primitive.to_int(length)
    offset = Primitive.to_int(offset)
    raise ArgumentError, "negative string size (or size too big): #{length}" if length < 0
    return buffer.nil? ? +"" : __convert(buffer) if length == 0
    raise Errno::EINVAL, "pread: Invalid offset argument: #{offset}" if offset < 0
    __check_readable
    raise EOFError, "end of file reached" if offset >= __bytesize
    bytes = @__shared.string.byteslice(offset, length).force_encoding(Encoding::BINARY)
    buffer.nil? ? bytes : __convert(buffer).replace(bytes)
  end

  def sysread(length = nil, buffer = nil)
    result = read(length, buffer)
    raise EOFError, "end of file reached" if result.nil?
    result
  end
  alias readpartial sysread

  def read_nonblock(length, buffer = nil, exception: true)
    result = read(length, buffer)
    raise EOFError, "end of file reached" if result.nil? && exception
    result
  end

  def getbyte
    __check_readable unless @__readable
    @__shared.byte
  end

  def getc
    __check_readable unless @__readable
    @__shared.character(@__encoding)
  end

  def readbyte = getbyte || raise(EOFError, "end of file reached")
  def readchar = getc || raise(EOFError, "end of file reached")

  def ungetbyte(byte)
    __check_readable
    __check_modifiable
    return nil if byte.nil?
    __unget(Integer === byte ? (byte & 0xff).chr.b : __convert(byte).b)
  end

  def ungetc(char)
    __check_readable
    __check_modifiable
    return nil if char.nil? || (String === char && @__shared.step_back(char))
    __unget(Integer === char ? char.chr(__encoding).b : __convert(char).b)
  end

  def gets(separator = Primitive.undef, limit = Primitive.undef, chomp: false)
    __check_readable unless @__readable
    line =
      if Primitive.undef?(separator)
        __next_plain_line(chomp)
      elsif String === separator && Primitive.undef?(limit)
        __next_line(separator, nil, chomp)
      else
        __next_line(*__line_arguments(Primitive.undef?(limit) ? [separator] : [separator, limit]), chomp)
      end
    Primitive.io_set_last_line(line)
    line
  end

  def readline(separator = Primitive.undef, limit = Primitive.undef, chomp: false)
    line =
      if Primitive.undef?(separator)
        chomp ? gets(chomp: chomp) : gets
      else
        __gets_until(separator, limit, chomp)
      end
    Primitive.io_set_last_line(line)
    line or raise EOFError, "end of file reached"
  end

  def readlines(*args, chomp: false)
    __check_readable
    separator, limit = __line_arguments(args)
    raise ArgumentError, "invalid limit: 0 for readlines" if limit == 0
    if args.empty? && (lines = @__shared.lines(chomp, @__encoding))
      @__lineno += lines.size
      return lines
    end
    lines = []
    while (line = args.empty? ? __next_plain_line(chomp) : __next_line(separator, limit, chomp))
      lines << line
    end
    lines
  end

  def each(*args, chomp: false)
    return to_enum(Primitive.callee, *args, **(chomp ? { chomp: true } : {})) unless block_given?
    __check_readable
    separator, limit = __line_arguments(args) unless args.empty?
    raise ArgumentError, "invalid limit: 0 for each_line" if limit == 0
    while (line = args.empty? ? __next_plain_line(chomp) : __next_line(separator, limit, chomp))
      yield line
    end
    self
  end
  alias each_line each

  def each_byte
    return to_enum(:each_byte) unless block_given?
    __check_readable
    while (byte = @__shared.byte)
      yield byte
      __check_readable
    end
    self
  end

  def each_char
    return to_enum(:each_char) unless block_given?
    __check_readable
    while (char = @__shared.character(@__encoding))
      yield char
      __check_readable
    end
    self
  end

  def each_codepoint
    return to_enum(:each_codepoint) unless block_given?
    __check_readable
    while (char = @__shared.character(@__encoding))
      yield char.ord
      __check_readable
    end
    self
  end

  # ---- writing ----

  def write(*objects)
    __check_writable if !@__writable || frozen?
    if objects.size == 1
      object = objects[0]
      text = String === object ? object : object.to_s
      return @__shared.append(text, @__encoding, @__append) || __write_text(text)
    end
    count = 0
    i = 0
    while i < objects.size
      count += __write_object(objects[i])
      i += 1
    end
    count
  end

  def syswrite(object) = write(object)
  def write_nonblock(object, **) = write(object)

  def <<(object)
    write(object) unless __put_plainly(object)
    self
  end

  def print(*objects)
    objects = [$_] if objects.empty?
    i = 0
    while i < objects.size
      write($,) if i > 0 && $,
      object = objects[i]
      __put_plainly(object) || write(object)
      i += 1
    end
    write($\) if $\
    nil
  end

  def printf(*args)
    write(format(*args))
    nil
  end

  def putc(object)
    __check_writable if !@__writable || frozen?
    __write_object(String === object ? object[0] : (Primitive.to_int(object) & 0xff).chr)
    object
  end

  def puts(*objects)
    __check_writable if !@__writable || frozen?
    write("\n") if objects.empty?
    i = 0
    while i < objects.size
      object = objects[i]
      String === object ? __put_text(object) : __put_line(object, [])
      i += 1
    end
    nil
  end

  def truncate(length)
    __check_writable
    length = Primitive.to_int(length)
    raise Errno::EINVAL, "negative length" if length < 0
    return false unless @__shared.string
    missing = length - __bytesize
    __as_bytes { |bytes| missing > 0 ? bytes << "\0" * missing : bytes.replace(bytes.byteslice(0, length)) }
    0
  end

  private

  # Names of their own: a subclass may define what it likes, and what it overrides is asked only where Ruby's own would ask it.

  def __convert(object)
    return object if String === object
    converted = object.to_str if object.respond_to?(:to_str)
    return converted if String === converted
    shown = object.nil? ? "nil" : object.class
    raise TypeError, "no implicit conversion of #{shown} into String"
  end

  def __set_up(string, mode, no_string, options)
    string = string.nil? ? nil : __convert(string)
    mode = options[:mode] if mode.nil?
    @__shared = Shared.new(string)
    @__lineno = 0
    @__append = false
    @__encoding = nil
    string.force_encoding(Encoding.default_external) if no_string
    @__has_mark = false
    __check_options(mode, options) unless mode.nil? && options.empty?
    __set_mode(mode, string)
    __skip_mark if @__has_mark
    @__opened_readable = @__readable
    @__opened_writable = @__writable
    @__encoding = Encoding::BINARY if options[:binmode]
    self
  end

  def __check_options(mode, options)
    letters = String === mode ? mode[/\A[^:]*/] : ""
    __check_way("textmode", options[:textmode], letters.include?("t"), letters.include?("b"))
    __check_way("binmode", options[:binmode], letters.include?("b"), letters.include?("t") || options[:textmode])
    names = %i[encoding external_encoding internal_encoding].select { |name| options[name] }
    raise ArgumentError, "encoding specified twice" if String === mode && mode.include?(":") && !names.empty?
    names.delete(:internal_encoding)
    __name_encoding(options[names[0]].to_s) unless names.empty?
  end

  # An option that says what the letters of the mode say already, or the contrary.
  def __check_way(name, option, is_said, is_contradicted)
    return if option.nil?
    raise ArgumentError, "#{name} specified twice" if is_said
    raise ArgumentError, "both textmode and binmode specified" if is_contradicted
  end

  def __set_mode(mode, string)
    if mode.nil?
      @__readable = true
      @__writable = !string.frozen? || string.nil?
      return
    end
    Integer === mode ? __set_flags(mode) : __set_letters(__convert(mode))
    string.force_encoding(@__encoding) if @__encoding && @__writable && string && !string.frozen? && !(Integer === mode)
    raise Errno::EACCES if @__writable && string.frozen? && !string.nil?
    string.clear if @__truncates && string
  end

  def __set_flags(flags)
    access = flags & 3
    @__readable = access != File::WRONLY
    @__writable = access != File::RDONLY
    @__append = flags & File::APPEND != 0
    @__truncates = flags & File::TRUNC != 0
  end

  def __set_letters(text)
    letters, external = text.split(":", 2)
    raise ArgumentError, "invalid access mode #{text}" unless letters.match?(/\A(?:[ra]|wx?)(?:[bt]?\+?|\+[bt])x?\z/) && (!letters.include?("x") || letters.start_with?("w"))
    both = letters.include?("+")
    @__readable = both || letters.start_with?("r")
    @__writable = both || !letters.start_with?("r")
    @__append = letters.start_with?("a")
    @__truncates = letters.start_with?("w")
    @__encoding = Encoding::BINARY if letters.include?("b")
    __name_encoding(external) if external
  end

  # "ext", "ext:int" or "BOM|ext": then a mark at the beginning is skipped, and says which it is.
  def __name_encoding(text)
    name = text[/\A[^:]*/]
    name = name[4..] if (@__has_mark = name.match?(/\Abom\|/i))
    warn("BOM with non-UTF encoding #{name} is nonsense", uplevel: 0) if @__has_mark && !name.match?(/\Autf/i)
    @__has_mark &&= name.match?(/\Autf/i)
    @__encoding = Encoding.find(name)
  rescue ArgumentError
    warn("Unsupported encoding #{name} ignored", uplevel: 0)
  end

  def __take_over(other)
    @__shared, @__lineno, @__append, @__encoding, @__readable, @__writable = other.__send__(:__state)
    self
  end

  def __state = [@__shared, @__lineno, @__append, @__encoding, @__readable, @__writable]

  def __release
    @__shared = Shared.new(nil)
    @__readable = @__writable = false
  end

  # The string takes the encoding that was asked for, unless nobody may change it.
  def __mark_string
    string = @__shared.string
    string.force_encoding(@__encoding) if @__writable && string && !string.frozen? && !Primitive.string_is_chilled(string)
  end

  # The encoding that a mark at the beginning says.
  def __skip_mark
    return nil unless @__shared.string
    marks = { "\xEF\xBB\xBF".b => "UTF-8", "\xFE\xFF".b => "UTF-16BE", "\xFF\xFE\0\0".b => "UTF-32LE",
              "\xFF\xFE".b => "UTF-16LE", "\0\0\xFE\xFF".b => "UTF-32BE" }
    head = @__shared.string.b
    mark = marks.keys.sort_by { |key| -key.bytesize }.find { |key| head.start_with?(key) }
    return nil unless mark
    @__shared.position = mark.bytesize
    @__encoding = Encoding.find(marks[mark])
    __mark_string
    @__encoding
  end

  def __encoding = @__encoding || @__shared.string&.encoding

  def __bytesize = @__shared.string ? @__shared.string.bytesize : 0

  def __check_frozen
    raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
  end

  def __check_readable
    raise IOError, "not opened for reading" unless @__readable
  end

  def __check_modifiable
    raise IOError, "not modifiable string" if @__shared.string&.frozen?
  end

  def __check_writable
    __check_frozen
    raise IOError, "not opened for writing" unless @__writable
  end

  def __rest = @__shared.string.byteslice(@__shared.position, __bytesize) || +""

  def __take(length)
    bytes = @__shared.string.byteslice(@__shared.position, length) || +""
    @__shared.position += bytes.bytesize
    bytes
  end

  def __read_rest(buffer)
    text = @__shared.rest(@__encoding)
    text && buffer ? buffer.replace(text) : text
  end

  def __deliver(result, buffer)
    return result unless buffer
    encoding = buffer.encoding
    buffer.replace(result)
    buffer.force_encoding(encoding) if result.encoding == Encoding::BINARY
    buffer
  end

  # Separator and limit from what a method for lines was given.
  def __line_arguments(args)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..2)" if args.size > 2
    return [$/, nil] if args.empty?
    first, second = args
    return [first.nil? ? nil : __convert(first), second.nil? ? nil : Primitive.to_int(second)] if args.size == 2
    return [nil, nil] if first.nil?
    return [first, nil] if String === first
    return [__convert(first), nil] if first.respond_to?(:to_str)
    [$/, Primitive.to_int(first)]
  end

  # The next line as `$/` ends it, which nearly always is a newline.
  def __next_plain_line(chomp)
    line = @__shared.line(chomp, @__encoding)
    if line
      @__lineno += 1
      line
    elsif !line.nil?
      __next_line(__default_separator, nil, chomp)
    end
  end

  # `$/`, in the encoding of the text where that is no kind of ASCII.
  def __default_separator
    encoding = __encoding
    $/ && encoding && !encoding.ascii_compatible? ? "\n".encode(encoding) : $/
  end

  def __gets_until(separator, limit, chomp)
    return gets(separator, limit, chomp: chomp) unless Primitive.undef?(limit)
    chomp ? gets(separator, chomp: chomp) : gets(separator)
  end

  # A line that a whole separator ends.
  def __next_separated_line(separator, chomp)
    line = @__shared.line_until(separator, @__encoding)
    return nil unless line
    @__lineno += 1
    chomp ? line.chomp(separator) : line
  end

  def __next_line(separator, limit, chomp)
    return __next_separated_line(separator, chomp) if limit.nil? && separator && !separator.empty?
    @__shared.check_separator(separator, @__encoding) if separator
    return nil unless @__shared.string
    return (+"").force_encoding(__encoding) if limit == 0
    paragraph = separator == ""
    __skip_newlines if paragraph
    return nil if @__shared.position >= __bytesize
    line = __cut_line(separator, limit)
    __skip_newlines if paragraph
    @__lineno += 1
    line.force_encoding(__encoding)
    return line if !chomp || separator.nil?
    paragraph ? __chomp_paragraph(line) : line.chomp(separator)
  end

  # An empty line ends a paragraph; the end of the text does not.
  def __chomp_paragraph(line)
    ending = line.b[/\r?\n(?:\r?\n)+\z/n] or return line
    line.byteslice(0, line.bytesize - ending.bytesize)
  end

  def __skip_newlines
    @__shared.position += 1 while @__shared.string.getbyte(@__shared.position) == 10
  end

  def __cut_line(separator, limit)
    bytes = __rest.b
    if separator == ""
      length = bytes[/\A.*?\r?\n(?:\r?\n)+/mn]&.bytesize || bytes.bytesize
    else
      found = bytes.index(separator.b) if separator
      length = found ? found + separator.bytesize : bytes.bytesize
    end
    length = __whole_characters(limit) if limit && limit > 0 && limit < length
    __take(length)
  end

  # Bytes of the characters that begin within the limit.
  def __whole_characters(limit)
    chunk = __rest.force_encoding(__encoding)
    length = limit
    length += 1 until length >= chunk.bytesize || length - limit >= 4 || chunk.byteslice(0, length).valid_encoding?
    chunk.byteslice(0, length).valid_encoding? ? length : limit
  end

  def __as_bytes
    encoding = @__shared.string.encoding
    @__shared.string.force_encoding(Encoding::BINARY)
    yield @__shared.string
  ensure
    @__shared.string.force_encoding(encoding)
  end

  def __unget(bytes)
    count = bytes.bytesize
    return nil if count == 0 || @__shared.string.nil?
    return __put_back(bytes, count) if count <= @__shared.position && @__shared.position <= __bytesize
    __as_bytes do |all|
      all << "\0" * (@__shared.position - all.bytesize) if @__shared.position > all.bytesize
      count = [@__shared.position, bytes.bytesize].min
      all[@__shared.position - count, count] = bytes
      @__shared.position -= count
    end
    nil
  end

  # In the place of bytes that were read.
  def __put_back(bytes, count)
    shared = @__shared
    start = shared.position - count
    index = 0
    while index < count
      shared.string.setbyte(start + index, bytes.getbyte(index))
      index += 1
    end
    shared.position = start
    nil
  end

  def __write_object(object)
    text = String === object ? object : object.to_s
    @__shared.append(text, @__encoding, @__append) || __write_text(text)
  end

  def __write_text(text)
    shared = @__shared
    all = shared.string
    return 0 unless all
    __check_modifiable
    given = text.encoding
    target = @__encoding || all.encoding
    text = __as_encoded_here(text) unless given.equal?(target)
    count = text.bytesize
    return 0 if count == 0
    size = all.bytesize
    shared.position = size if @__append
    if shared.position == size
      # Bytes without an encoding take the stream's. Other text must be compatible with what is there.
      text = text.dup.force_encoding(target) if given.equal?(Encoding::BINARY) || target.equal?(Encoding::BINARY)
      all << text
    else
      __overwrite(text, count)
    end
    shared.position += count
    count
  end

  def __overwrite(text, count)
    raise ArgumentError, "string size too big" if @__shared.position > MAX_LENGTH - count
    __as_bytes do |all|
      all << "\0" * (@__shared.position - all.bytesize) if @__shared.position > all.bytesize
      all[@__shared.position, count] = text.b
    end
  end

  # A text that has no form in the stream's encoding is an error, unless one of the two encodings is only ASCII or bytes.
  def __as_encoded_here(text)
    own = text.encoding
    target = __encoding
    return text if target == Encoding::BINARY || target == Encoding::US_ASCII
    return text if text.ascii_only? && target.ascii_compatible?
    text.encode(target)
  rescue EncodingError
    return text if own == Encoding::US_ASCII || own == Encoding::BINARY
    raise Encoding::CompatibilityError, "incompatible character encodings: #{target} and #{own}"
  end

  def __put_line(object, seen)
    list = Array === object ? object : (object.to_ary if !(String === object) && object.respond_to?(:to_ary))
    return __put_lines(object, list, seen) if Array === list
    text = String === object ? object : object.to_s
    text = Kernel.instance_method(:to_s).bind_call(object) unless String === text
    __put_text(text)
  end

  # Writes a string without a call of `write`, if that is not a method of a subclass and there is nothing to convert.
  def __put_plainly(object)
    String === object && @__writable && !frozen? && writes_plainly?(StringIO) && @__shared.append(object, @__encoding, @__append)
  end

  def __put_text(text)
    return if writes_plainly?(StringIO) && @__shared.append_line(text, @__encoding, @__append)
    __write_line(text)
  end

  # +object+ is the list, or what converts itself to it.
  def __put_lines(object, list, seen)
    return (write("[...]"); write("\n")) if seen.any? { |outer| outer.equal?(object) }
    seen.push(object)
    list.each { |element| __put_line(element, seen) }
    seen.pop
  end

  # What io/console gives every stream.
  def self.add_getch = define_method(:getch) { |*| getc }
  private_class_method :add_getch
  add_getch if IO.method_defined?(:getch)
end
