# Reading and writing an instance variable of instances of many classes, beside those of a plain object. The figures, nanoseconds
# and multiples of the plain object's, go to standard error, because they are of one run on one machine.
require "set"
require "stringio"

def now = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

# The best of five, in nanoseconds a turn.
def nanoseconds(turns)
  best = nil
  5.times do
    started = now
    yield turns
    spent = now - started
    best = spent if best.nil? || spent < best
  end
  best * 1e9 / turns
end

Pair = Struct.new(:left)
KINDS = {
  "object" => [Object], "string" => [String, "abc"], "array" => [Array, 2], "hash" => [Hash], "set" => [Set],
  "struct" => [Pair, 1], "exception" => [StandardError, "message"], "proc" => [Proc], "range" => [Range, 1, 2],
  "regexp" => [Regexp, "a"], "file" => [File, "/dev/null"], "time" => [Time], "native data" => [StringIO]
}

def subclass(parent)
  Class.new(parent) do
    def value=(value)
      @value = value
    end

    def read(turns)
      i = a = b = c = d = 0
      while i < turns
        a = @value; b = @value; c = @value; d = @value
        i += 4
      end
      [a, b, c, d]
    end

    def write(turns)
      i = 0
      while i < turns
        @value = i; @value = i; @value = i; @value = i
        i += 4
      end
    end
  end
end

plain = nil
KINDS.each do |name, (parent, *arguments)|
  tagged = subclass(parent)
  # The class learns from its first instances.
  block = proc { 1 } if parent == Proc
  object = Array.new(5) { tagged.new(*arguments, &block).tap { |o| o.value = 1 } }.last
  read = nanoseconds(200_000) { |n| object.read(n) }
  write = nanoseconds(200_000) { |n| object.write(n) }
  plain ||= [read, write]
  warn format("%-12s read %5.2f (x%.2f)  write %5.2f (x%.2f)", name, read, read / plain[0], write, write / plain[1])
end
puts KINDS.size
