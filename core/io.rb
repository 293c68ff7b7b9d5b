# IO: what yields, and the class methods that open a file for one operation.
class IO
  class << self
    def new(*args, **options)
      Primitive.warn("#{self}::new() does not take block; use #{self}::open() instead") if block_given?
      super(*args, **options, &nil)
    end

    # Opens a stream as +new+ does; with a block, closes it afterwards and returns the block's result.
    def open(*args, **options)
      io = Primitive.io_new(self, args, options)
      return io unless block_given?
      begin
        yield io
      ensure
        Core.close_quietly(io)
      end
    end

    # Returns the contents of a file, or +length+ bytes from +offset+.
    def read(path, length = nil, offset = nil, mode: "r", **options)
      raise ArgumentError, "negative offset #{offset} given" if offset && Primitive.to_int(offset) < 0
      raise ArgumentError, "negative length #{length} given" if length && Primitive.to_int(length) < 0
      Core.open_with_args(path, mode, options) do |file|
        file.seek(offset) if offset && offset != 0
        file.read(length)
      end
    end

    # As read, with binary encoding.
    def binread(path, length = nil, offset = nil)
      raise ArgumentError, "negative length #{length} given" if length && Primitive.to_int(length) < 0
      Core.open_file(path, "rb:ASCII-8BIT") do |file|
        file.seek(offset) if offset
        file.read(length)
      end
    end

    # Writes a string to a file, from +offset+ without cutting the file, and returns the number of bytes.
    def write(path, string, offset = nil, mode: nil, perm: 0666, **options)
      mode ||= File::WRONLY | File::CREAT | (offset ? 0 : File::TRUNC)
      options[:perm] = perm
      Core.open_with_args(path, mode, options) do |file|
        file.seek(offset) if offset
        file.write(string)
      end
    end

    def binwrite(path, string, offset = nil, mode: nil, perm: 0666, **options)
      mode ||= offset ? File::WRONLY | File::CREAT : File::WRONLY | File::CREAT | File::TRUNC
      Core.open_file(path, mode, perm, binmode: true, **options) do |file|
        file.seek(offset) if offset
        file.write(string)
      end
    end

    def readlines(path, *args, chomp: false, mode: "r", **options)
      args = Primitive.io_line_args(args)
      Core.open_with_args(path, mode, options) { |file| file.readlines(*args, chomp: chomp) }
    end

    # Calls the block with each line of a file.
    def foreach(path, *args, chomp: false, mode: "r", **options)
      unless block_given?
        return Core.enumerator(self, :foreach, [path, *args]) { nil } if !chomp && options.empty? && "r" == mode
        return to_enum(:foreach, path, *args, chomp: chomp, mode: mode, **options)
      end
      args = Primitive.io_line_args(args)
      Core.open_with_args(path, mode, options) do |file|
        while line = Primitive.io_gets(file, args, chomp)
          yield line
        end
      end
      Primitive.io_set_last_line(nil)
      nil
    end

    # Two connected streams: what is written to the second can be read from the first.
    def pipe(external = nil, internal = nil, **options)
      reader, writer = Primitive.io_pipe(self)
      if options.delete(:binmode)
        reader.binmode
        writer.binmode
        writer.set_encoding(nil) if external
      end
      reader.set_encoding(external, internal, **options) if external || !reader.binmode?
      return [reader, writer] unless block_given?
      begin
        yield reader, writer
      ensure
        reader.close unless reader.closed?
        writer.close unless writer.closed?
      end
    end

    # Runs a program whose standard streams are connected to the stream returned.
    def popen(*args, **keywords)
      args << keywords unless keywords.empty?
      options = args.size > 1 && Hash === args[-1] ? args.pop.dup : nil
      env = args.shift if args.size > 1 && Hash === args[0]
      unless args.size == 1 || args.size == 2
        extra = options ? 1 : 0
        Core.arity_error(args.size + extra, "#{1 + extra}..#{2 + extra}")
      end
      command, mode = args
      options = options ? options.select { |name, _| Core.popen_option?(name) } : {}
      mode ||= options.delete(:mode) || "r"
      mode = Primitive.to_str(mode) unless Integer === mode
      if Array === command
        command = command.dup
        env = command.shift if Hash === command[0]
        options = command.pop.merge(options) if Hash === command[-1]
        Core.arity_error(0, "1+") if command.empty?
      else
        command = Primitive.to_str(command)
      end
      io = Core.start_popen(self, env, command, mode, options)
      if io.nil?
        return nil unless block_given?
        # The child of a fork has nothing to return to, whatever ends the block.
        begin
          yield nil
        ensure
          $stdout.flush
          $stderr.flush
          exit!(0)
        end
      end
      return io unless block_given?
      begin
        yield io
      ensure
        Primitive.io_end_popen(io)
      end
    end

    # Copies from one stream or file to another; returns the number of bytes.
    def copy_stream(source, target, length = nil, offset = nil)
      length = Primitive.to_long(length) unless length.nil?
      offset = Primitive.to_long(offset) unless offset.nil?
      raise ArgumentError, "negative length #{length} given" if length && length < 0
      opened = []
      source = Core.copy_end(source, "rb", opened)
      target = Core.copy_end(target, "wb", opened)
      raise ArgumentError, "cannot specify src_offset for non-IO" if offset && !(IO === source)
      Core.copy_bytes(source, target, length, offset)
    ensure
      opened.each(&:close) if opened
    end
  end

  # Calls the block with each line.
  def each_line(*args, chomp: false)
    unless block_given?
      return to_enum(:each_line, *args, chomp: true) if chomp
      return Core.enumerator(self, :each_line, args) { nil }
    end
    args = Primitive.io_line_args(args)
    while line = Primitive.io_gets(self, args, chomp)
      yield line
    end
    self
  end
  alias each each_line

  def each_byte
    return Core.enumerator(self, :each_byte, Core::NO_ARGUMENTS) { nil } unless block_given?
    while byte = getbyte
      yield byte
    end
    self
  end

  def each_char
    return Core.enumerator(self, :each_char, Core::NO_ARGUMENTS) { nil } unless block_given?
    while char = getc
      yield char
    end
    self
  end

  def each_codepoint
    return Core.enumerator(self, :each_codepoint, Core::NO_ARGUMENTS) { nil } unless block_given?
    while char = getc
      yield char.ord
    end
    self
  end
end

module Core
  # Options of a popen that are its stream's; the others are the program's.
  STREAM_OPTIONS = %i[
    external_encoding internal_encoding encoding textmode binmode autoclose invalid undef replace fallback xml newline
    cr_newline lf_newline crlf_newline universal_newline
  ].freeze

  # Options of a popen that are the program's.
  PROGRAM_OPTIONS = %i[in out err chdir umask pgroup uid gid unsetenv_others close_others exception].freeze

  # Whether a popen looks at an option; those that it does not know are of no effect.
  def self.popen_option?(name)
    return true unless Symbol === name
    return true if name == :mode || STREAM_OPTIONS.include?(name) || PROGRAM_OPTIONS.include?(name)
    name.start_with?("rlimit_") && Process.const_defined?(name.name.upcase)
  end

  # Starts the program of a popen and returns the stream; nil in the child of a fork.
  def self.start_popen(klass, env, command, mode, options)
    letters = String === mode ? mode[/\A[^:]*/] : mode
    access = Integer === letters ? letters & 3 : (letters.include?("+") ? 2 : letters.start_with?("r") ? 0 : 1)
    child_reader, own_writer = IO.pipe if access != 0
    own_reader, child_writer = IO.pipe if access != 1
    stream_options = {mode: mode}
    STREAM_OPTIONS.each { |name| stream_options[name] = options.delete(name) if options.key?(name) }
    pid = command == "-" ? fork : popen_spawn(env, command, options, child_reader, child_writer)
    if pid.nil?
      popen_child(own_reader, own_writer, child_reader, child_writer)
      return nil
    end
    child_reader.close if child_reader
    child_writer.close if child_writer
    io = Primitive.io_attach(klass, popen_descriptor(own_reader), popen_descriptor(own_writer), stream_options)
    Primitive.io_set_pid(io, pid)
    io
  end

  def self.popen_spawn(env, command, options, input, output)
    # Keys that no option has: one that redirects what the pipes are for is an error.
    redirections = options.dup.compare_by_identity
    redirections[[0]] = input if input
    redirections[[1]] = output if output
    list = Array === command ? command.dup : [command]
    list[0] = [list[0], list[0]] if Array === command && list.size == 1 && !(Array === list[0])
    list.unshift(env) if env
    Process.spawn(*list, redirections)
  end

  # The stream gives its descriptor away.
  def self.popen_descriptor(stream)
    return -1 unless stream
    stream.autoclose = false
    stream.fileno
  end

  def self.popen_child(own_reader, own_writer, child_reader, child_writer)
    own_reader&.close
    own_writer&.close
    if child_reader
      STDIN.reopen(child_reader)
      child_reader.close
    end
    if child_writer
      STDOUT.reopen(child_writer)
      child_writer.close
    end
  end

  # Opens a file for one operation; +open_args+ takes the place of all other options.
  def self.open_with_args(path, mode, options, &block)
    args = options.delete(:open_args)
    return Core.open_file(path, mode, **options, &block) if args.nil?
    args = Primitive.to_ary(args).dup
    options = Hash === args[-1] ? args.pop : {}
    Core.open_file(path, *args, **options, &block)
  end

  # As File.open, which a program may have replaced.
  def self.open_file(path, mode = nil, permissions = nil, **options)
    file = Primitive.file_open(path, mode, permissions, options)
    return file unless block_given?
    begin
      yield file
    ensure
      Core.close_quietly(file)
    end
  end

  # What the stream was opened for is done: that it has been closed already is no error.
  def self.close_quietly(io)
    io.close unless io.closed?
  rescue IOError => error
    raise unless error.message == "closed stream"
  end

  # An end of a copy: an IO, an object that reads or writes, or a file that is opened.
  def self.copy_end(object, mode, opened)
    return object if IO === object
    unless String === object || object.respond_to?(:to_path)
      return object if mode == "rb" ? object.respond_to?(:readpartial) || object.respond_to?(:read) : object.respond_to?(:write)
    end
    return object.to_io if object.respond_to?(:to_io)
    opened << file = Core.open_file(object, mode)
    file
  end

  def self.copy_bytes(source, target, length, offset)
    total = 0
    buffer = +""
    target.flush if IO === target
    # Objects see the size of CRuby's pieces.
    most = IO === source && IO === target ? 65536 : 16384
    until length == total
      want = length ? [length - total, most].min : most
      chunk = offset ? copy_at(source, want, offset + total) : copy_chunk(source, want, buffer)
      break if chunk.nil? || chunk.empty?
      target.write(chunk)
      target.flush if IO === target
      total += chunk.bytesize
    end
    total
  end

  def self.copy_at(source, want, offset)
    source.pread(want, offset)
  rescue EOFError
    nil
  end

  def self.copy_chunk(source, want, buffer)
    return source.read(want, buffer) unless IO === source || source.respond_to?(:readpartial)
    source.readpartial(want, buffer)
  rescue EOFError
    nil
  end
end

module Kernel
  # Opens a file, or what +to_open+ of the object answers.
  def open(path, *args, **options, &block)
    if path.respond_to?(:to_open)
      result = path.to_open(*args, **options)
      return block ? yield(result) : result
    end
    Core.open_file(path, *args, **options, &block)
  end
  module_function :open

  def gets(*args, **options)
    line = Core.argument_stream.gets(*args, **options)
    Primitive.io_set_last_line(line)
  end
  module_function :gets

  def readline(*args, **options)
    line = Core.argument_stream.readline(*args, **options)
    Primitive.io_set_last_line(line)
  end
  module_function :readline

  def readlines(*args, **options) = Core.argument_stream.readlines(*args, **options)
  module_function :readlines

  # Formats and prints; the first argument may be the stream.
  def printf(*args)
    return nil if args.empty?
    return $stdout.write(format(*args)) && nil if String === args[0]
    args[0].write(format(*args[1..])) && nil
  end
  module_function :printf

  # A question about one file, or a comparison of two, by a letter.
  def test(command, file, other = nil)
    command = command.chr if Integer === command
    case command
    when "d" then File.directory?(file)
    when "e" then File.exist?(file)
    when "f" then File.file?(file)
    when "r" then File.readable?(file)
    when "w" then File.writable?(file)
    when "x" then File.executable?(file)
    when "R" then File.readable_real?(file)
    when "W" then File.writable_real?(file)
    when "X" then File.executable_real?(file)
    when "s" then File.size?(file)
    when "z" then File.zero?(file)
    when "l" then File.symlink?(file)
    when "p" then File.pipe?(file)
    when "S" then File.socket?(file)
    when "b" then File.blockdev?(file)
    when "c" then File.chardev?(file)
    when "u" then File.setuid?(file)
    when "g" then File.setgid?(file)
    when "k" then File.sticky?(file)
    when "o" then File.owned?(file)
    when "O" then File.stat(file).uid == Process.uid
    when "G" then File.grpowned?(file)
    when "M" then File.mtime(file)
    when "A" then File.atime(file)
    when "C" then File.ctime(file)
    when "-" then File.identical?(file, other)
    when "=" then File.mtime(file) == File.mtime(other)
    when "<" then File.mtime(file) < File.mtime(other)
    when ">" then File.mtime(file) > File.mtime(other)
    else raise ArgumentError, "unknown command '#{command}'"
    end
  end
  module_function :test
end
