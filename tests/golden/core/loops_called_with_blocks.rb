# Methods of loops that are called once with a block each: what the block does, and what it sees, is the same after a thousand turns
# as in the first.

N = 3000

def each_number(n)
  i = 0
  while i < n
    yield i
    i += 1
  end
  :done
end

def each_pair_of(n)
  i = 0
  while i < n
    yield i, i * 2
    i += 1
  end
end

def nested(n)
  n.times { |i| yield i; yield(i + 1) if i % 1000 == 7 }
end

# Variables around, written and read.
sum = 0
p each_number(N) { |i| sum += i & 7 }
p sum
text = +""
list = []
each_number(N) { |i| text = "t#{i}" if i % 500 == 0; list << text if i % 1000 == 0 }
p text, list
float = 0.0
N.times { |i| float += i * 0.5 }
p float
last = nil
(1..N).each { |i| last = [i, i.to_s] }
p last
[1, 2, 3].cycle(N / 3) { |i| sum -= i }
p sum

# Two levels up, and a method's parameter.
def deep(n, base)
  total = base
  [10, 20].each { |k| n.times { |i| total += k if i.even? } }
  total
end
p deep(N, 5)

# Different blocks for one method, over and over.
counts = Hash.new(0)
40.times do |round|
  case round % 4
  when 0 then each_number(200) { |i| counts[:a] += i }
  when 1 then each_number(200) { |i| counts[:b] -= i }
  when 2 then each_number(200, &:itself)
  else each_number(200) { counts[:d] += 1 }
  end
end
p counts
each_number(N) { |i| sum += 1 }
each_number(N) { |i| sum += 2 }
twice = proc { |i| sum += 3 }
each_number(N, &twice)
each_number(N, &twice)
p sum
p each_number(0) { raise "never" }
p((each_number(3) rescue $!.class))

# Arguments that the block takes apart, or does not.
pairs = 0
each_pair_of(N) { |a, b| pairs += b - a }
each_pair_of(N) { |a| pairs += a }
each_pair_of(N) { |a, b, c| pairs += 1 if c }
each_pair_of(N) { |*all| pairs += all.size }
p pairs
hash = (0...N).to_h { |i| [i, -i] }
hash.each { |k, v| pairs += k + v + 1 }
hash.each_with_index { |(k, v), i| pairs += k - i }
p pairs

# Ways out.
p each_number(N) { |i| break i if i == 2500 }
def found(n) = each_number(n) { |i| return i if i == 2600 }
p found(N)
each_number(N) { |i| next if i.even?; sum += 1 }
p sum
seen = 0
begin
  each_number(N) { |i| seen = i; raise IndexError, "at #{i}" if i == 2700 }
rescue IndexError => error
  p error.message, error.backtrace_locations.first(2).map { [it.lineno, it.label] }, seen
end
p catch(:out) { each_number(N) { |i| throw :out, i if i == 2800 } }
redone = false
each_number(N) { |i| (redone = true; redo) if i == 2000 && !redone }
p redone

# Who looks at the frames.
where = nil
each_number(N) { |i| where = caller_locations(1, 1)[0].label if i == 2900 }
p where
bound = nil
each_number(N) { |i| x = i * 2; bound = binding if i == 2901 }
p bound.local_variables.first(2), bound.local_variable_get(:x)
procs = []
each_number(N) { |i| procs << -> { i + sum } if i % 1000 == 0 }
sum = 1
p procs.map(&:call)

# Variables that are captured, or get another kind of value, in the midst.
held = 0
keep = nil
each_number(N) do |i|
  keep = -> { held } if i == 1500
  held += 1
end
p held, keep.call
kind = 0
each_number(N) { |i| kind = i == 1700 ? "s" : kind.is_a?(String) ? 1.5 : kind }
p kind
big = 1
each_number(200) { big *= 3 }
p big.bit_length

# self, instance variables, and yield in a block of the method's.
class Counter
  attr_reader :n, :items

  def initialize = (@n = 0; @items = [])
  def run(times) = times.times { |i| @n += step(i); @items << i if i % 1000 == 0 }
  def step(i) = i & 1
end
counter = Counter.new
counter.run(N)
p counter.n, counter.items
other = 0
nested(N) { |i| other += i }
p other

# Objects stored in variables of frames that live on.
def gathered(n)
  newest = nil
  n.times { |i| newest = [newest&.last, "v#{i}"] }
  GC.start
  newest
end
p gathered(N)
saved = nil
capture = -> { saved }
N.times { |i| saved = "w#{i}" }
GC.start
p saved, capture.call

# Evaluated blocks come and go.
200.times do |i|
  result = eval("r = 0; 30.times { |q| r += q * #{i} }; r")
  raise "#{i}: #{result}" if result != 435 * i
end
p :evaluated

# Fibers in the middle.
fiber = Fiber.new { each_number(N) { |i| Fiber.yield i if i % 1000 == 0 }; :end }
p 4.times.map { fiber.resume }
