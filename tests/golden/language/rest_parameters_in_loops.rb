# Methods with `*rest` are compiled with their callers; the array is made only where somebody needs it.

N = 30_000

def loops(n = N)
  sum = 0
  i = 0
  while i < n
    sum += yield(i)
    i += 1
  end
  sum
end

def count(a, *rest) = a + rest.size
def both(a, b = 2, *rest, k: 3, &block) = a + b + rest.size + k + (block ? block.call : 0)
def post(a, *rest, z) = a + rest.size * 2 + z
def keeps(*rest) = $kept = rest
def grows(*rest) = (rest << 1; rest.push(2, 3); rest.size)
def shifts(*rest) = rest.shift + rest.size
def writes(*rest) = (rest[0] = 5; rest[0] + rest[1])
def takes(*rest) = ((a, b, *c) = rest; a + b + c.size)
def yields(*rest) = rest.each { |x| yield x }
def empties(*rest) = rest.empty? ? 1 : rest.first
def same(*rest) = rest
def seen(*rest) = binding.local_variable_get(:rest).size
def named(*, **) = counted(*, **)
def counted(*rest, **options) = rest.size + options.size
def fill(*rest) = rest.fill(7).sum

p loops { |i| count(i) }
p loops { |i| count(i, 1, 2) }
p loops { |i| count(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) }
p loops { |i| both(i) }
p loops { |i| both(i, 5) }
p loops { |i| both(i, 5, 6, 7) }
p loops { |i| both(i, 5, 6, k: 7) }
p loops { |i| both(i, 5, 6) { i } }
p loops { |i| post(i, 1, 2, 3) }
p loops { |i| keeps(i, "a").size }, $kept
p loops { |i| grows(i) + grows }
p loops { |i| shifts(i, i) }
p loops { |i| writes(i, i) }
p loops { |i| takes(i, 1, 2, 3) }
p loops { |i| s = 0; yields(i, 2.5) { |x| s += x }; s }
p loops { |i| empties + empties(i) }
p loops { |i| same(i).equal?(same(i)) ? 1 : 2 }
p loops(3000) { |i| seen(i, i) }
p loops { |i| named(i) + named(i, a: 1) }
p loops { |i| fill(i, 1.5) }

# Passed on.
def two(a, b) = a - b
def pass(*rest) = count(*rest)
def pass_two(*rest) = two(*rest)
def pass_behind(x, *rest) = count(x, *rest)
def pass_all(...) = both(...)
def pass_block(*rest, &block) = gives(*rest, &block)
def gives(*rest) = yield(rest.last) + rest.size
def deep(n, *rest) = n == 0 ? rest.sum : deep(n - 1, n, *rest)

class Wrapper
  def initialize(target) = @target = target
  def add(*rest, **options, &block) = @target.add(*rest, **options, &block)
  def sub(...) = @target.sub(...)
  def method_missing(name, *rest, &block) = @target.public_send(name, *rest, &block)
  def respond_to_missing?(*) = true
end

class Target
  def add(a, b = 1, scale: 1) = (a + b) * scale + (block_given? ? yield : 0)
  def sub(a, b) = a - b
  def mul(a, b) = a * b + (block_given? ? yield(a) : 0)
end

W = Wrapper.new(Target.new)
p loops { |i| pass(i) + pass(i, 1) }
p loops { |i| pass_two(i, 1) }
p loops { |i| pass_behind(i) + pass_behind(i, 1, 2) }
p loops { |i| pass_all(i) + pass_all(i, 1, k: 4) + pass_all(i, 1, 2) { 5 } }
p loops { |i| pass_block(1, i) { |x| x * 2 } }
p loops { |i| deep(4, i) }
p loops { |i| W.add(i) + W.add(i, 2) + W.add(i, 2, scale: 3) + W.add(i) { 1 } }
p loops { |i| W.sub(i, 2) }
p loops { |i| W.mul(i, 2) + W.mul(i, 2) { |x| x } }

# Constructors and `super`.
class Point
  attr_reader :parts
  def initialize(*parts) = @parts = parts
  def sum = @parts.sum
end

class Named < Point
  def initialize(name, *)
    super
    @name = name
  end
end

class Pair
  def initialize(*parts) = (@x, @y = parts)
  def sum = @x + @y
end

p loops { |i| Point.new(i, 1).sum }
p loops { |i| Pair.new(i, 1).sum }
p loops { |i| Named.new(i, 1, 2).parts.size }

# A hash at the end becomes keywords only where it is marked.
def last_is(*rest) = rest.last.is_a?(Hash) ? 1 : 0
ruby2_keywords def marked(*rest) = unmarked(*rest)
def unmarked(a = 0, k: 10) = (a.is_a?(Hash) ? a.size : a) + k
def plain_splat(list) = unmarked(*list)
p loops { |i| last_is(i, { a: 1 }) + last_is(i, a: 1) }
p loops { |i| marked(i) + marked(i, k: 2) }
p loops { |i| plain_splat([{ k: 1 }]) }

# Errors say what they did.
def message
  yield
rescue ArgumentError, TypeError, NoMethodError => error
  [error.class, error.message, error.backtrace_locations.first.lineno].inspect
end

def fails(a, b, *rest) = a + b + rest.size
def pass_fails(*rest) = fails(*rest)
def loops_until(n)
  i = 0
  last = nil
  while i < n
    last = message { i == n - 1 ? pass_fails(1) : pass_fails(1, 2, 3) }
    i += 1
  end
  last
end
puts loops_until(5000)
def raises(*rest) = rest.size > 1 ? raise(ArgumentError, rest.inspect) : rest.size
def pass_raises(*rest) = raises(*rest)
i = 0
while i < 5000
  text = message { pass_raises(*(i == 4999 ? [1, "two"] : [1])) }
  i += 1
end
puts text

# It means something else in the middle.
def changed(*rest) = rest.size
def calls_changed(*rest) = changed(*rest)
results = Hash.new(0)
20_000.times do |turn|
  eval("def changed(a, *rest) = a * 100 + rest.size") if turn == 15_000
  results[calls_changed(2, 3, 4)] += 1
end
p results

# The array that is made late is one object.
def identity(*rest)
  first = rest
  second = rest.itself
  [first.equal?(second), first.equal?(rest)].count(true)
end
p loops { |i| identity(i) }

# Large numbers and Floats are in it, and it grows old.
def old(*rest) = ($all << rest).size
$all = []
p loops(2000) { |i| old(i * 1e300, 2**70 + i, "s#{i}") }
GC.start
p $all.sum { |a, b, c| a.finite? ? b % 7 + c.size : c.size }
