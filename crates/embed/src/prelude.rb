# The surroundings of a VM: streams that the host reads and writes, ENV, require. Its value is called with what the host gives and
# answers functions that define methods.
lambda do |stdout, stderr, stdin, sources, environment, keeps_streams|
  stream = Class.new do
    def initialize(host) = @host = host
    def write(*values) = values.sum { |value| @host.write(value.to_s) }

    def puts(*values)
      write("\n") if values.empty?
      values.each do |value|
        next puts(*value) if Array === value
        text = value.to_s
        write(text.end_with?("\n") ? text : "#{text}\n")
      end
      nil
    end

    def print(*values)
      write(*values)
      nil
    end

    def <<(value)
      write(value)
      self
    end

    def printf(*values)
      write(format(*values)) unless values.empty?
      nil
    end

    def putc(value)
      write(Integer === value ? (value & 255).chr : value.to_s[0])
      value
    end

    def flush = self
    def fsync = 0
    def sync = true
    def sync=(value)
    end
    def tty? = false
    def isatty = false
    def closed? = false
    def external_encoding = nil
    def set_encoding(*) = self
    def binmode = self
  end
  input = Class.new do
    def initialize(host) = @host = host
    def gets(*) = $_ = @host.read
    def readline(*) = gets || raise(EOFError, "end of file reached")
    def each_line = (yield $_ while gets)
    def readlines(*) = (lines = []; (lines << $_ while gets); lines)
    def read(*) = readlines.join
    def eof? = false
    def tty? = false
    def isatty = false
    def closed? = false
  end
  unless keeps_streams
    $stdout, $stderr, $stdin = stream.new(stdout), stream.new(stderr), input.new(stdin)
    Object.class_eval do
      {STDOUT: $stdout, STDERR: $stderr, STDIN: $stdin}.each do |name, value|
        remove_const(name)
        const_set(name, value)
      end
    end
    Kernel.class_eval do
      define_method(:gets) { |*arguments| $stdin.gets(*arguments) }
      define_method(:readline) { |*arguments| $stdin.readline(*arguments) }
      define_method(:readlines) { |*arguments| $stdin.readlines(*arguments) }
      private :gets, :readline, :readlines
    end
  end
  if environment
    Object.class_eval do
      remove_const(:ENV)
      const_set(:ENV, environment)
    end
  end
  if sources
    original = Kernel.instance_method(:require)
    loaded = {}
    Kernel.class_eval do
      define_method(:require) do |feature|
        name = feature.to_str
        next false if loaded[name]
        loaded[name] = true
        begin
          found = sources.find(name)
        rescue Exception
          loaded.delete(name)
          raise
        end
        next true if found
        loaded.delete(name)
        original.bind_call(self, feature)
      end
      private :require
    end
  end
  [
    ->(name, function) { Kernel.define_method(name) { |*arguments| function.call(*arguments) } },
    ->(owner, name, function) { owner.define_method(name) { |*arguments| function.call(self, *arguments) } },
    ->(owner, name, function) { owner.define_singleton_method(name) { |*arguments| function.call(self, *arguments) } },
  ]
end
