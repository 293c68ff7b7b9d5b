# Floats of all sizes between operators: those that no word holds, zeros with signs, infinities, and what is no number.

def show(x) = x.is_a?(Float) && x.nan? ? "NaN" : x.inspect

def grow(n, f)
  i = 0
  while i < n
    f = f * 1.5 + 1.0
    i += 1
  end
  f
end
p grow(10, 1.0), grow(1000, 1.0), grow(3000, 1.0), Array.new(40) { |n| grow(n, 1e-300) }.last

def shrink(n, f)
  n.times { f /= 3.0 }
  f
end
p shrink(40, 1.0), shrink(400, 1.0), shrink(700, -1.0), shrink(700, 1.0)

# Operators and comparisons on every pair.
ODD = [0.0, -0.0, 1.0, -1.5, 1e-77, 1.7272337110188893e-77, 1.7272337110188890e-77, 1e77, 2.0**255, 2.0**256, -2.0**256, 1e300, -1e300, 5e-324,
  Float::MAX, Float::INFINITY, -Float::INFINITY, Float::NAN, 3, -7, 2**61, 2**70].freeze

def pair(a, b)
  [a + b, a - b, a * b, b == 0 ? :none : a / b, -a, a < b, a <= b, a > b, a >= b, a == b, a != b]
end

def branches(a, b)
  n = 0
  n += 1 if a < b
  n += 2 if a <= b
  n += 4 if a > b
  n += 8 if a >= b
  n += 16 if a == b
  n += 32 if a != b
  n += 64 unless a < b
  n += 128 unless a == b
  n += 256 while a < b && n < 1000
  n
end
100.times { |i| pair(i + 0.5, 1e200); branches(i + 0.5, 20.0) }
ODD.each do |a|
  ODD.each do |b|
    puts "#{show a} #{show b}: #{pair(a, b).map { |x| show(x) }.join(" ")} #{branches(a, b)}"
  end
end

# In loops that turn often, with a value that changes its size on the way.
def many(n, list)
  sum = 0.0
  least = greatest = list[0]
  i = 0
  while i < n
    x = list[i % list.size]
    sum += x * x
    least = x if x < least
    greatest = x if x > greatest
    i += 1
  end
  [sum, least, greatest]
end
p Array.new(50) { many(20, [1.5, 2.5, -3.5]) }.uniq
p many(30, [1e160, -1e-160, 1e10]), many(9, [1e-200, 2e-200, 0.0]), many(20, [1.0, Float::INFINITY, -1.0])
p many(3, [Float::NAN, 1.0, 2.0]).map(&:to_s), many(4, [1.0, 2])

# In fields, arrays, blocks and frames of callees.
class Pair
  attr_accessor :a, :b
  def initialize(a, b) = (@a = a; @b = b)
  def product = @a * @b
  def scale(by) = Pair.new(@a * by, @b * by)
end

def fields(x)
  one = Pair.new(x, 2.0)
  two = one.scale(1e100)
  list = [one.product, two.product]
  two.a = two.b - one.a
  list << two.a
  [list, two.scale(0.5).a, one.a.equal?(one.a)]
end
100.times { fields(1.5) }
p fields(1.5), fields(1e150), fields(-1e250), fields(0.0), (fields(nil) rescue $!.message)

def blocks(x)
  y = x * 1e200
  z = [1, 2, 3].map { |i| y = y * i; y > 1e205 ? -y : y }
  [y, z, binding.local_variable_get(:y)]
end
60.times { blocks(1.0) }
p blocks(1.0), blocks(1e6), blocks(1e108)

# Errors raised with such values alive, and handlers that read them.
def risky(x, y)
  z = x * 1e180
  z += y
  [z, z.to_i.bit_length]
rescue TypeError, FloatDomainError => e
  [z, e.message]
end
100.times { risky(1.0, 1.0) }
p risky(2.0, nil), risky(2.0, 1e300), risky(1e200, 1.0), risky(1e200, -Float::INFINITY).map { |x| show(x) }

# Which is the same object, and what a hash knows.
def same(x)
  y = x * 1e100
  z = y
  h = { y => 1 }
  [y.equal?(z), y.eql?(x * 1e100), h[z], h[x * 1e100], y.hash == z.hash, y.frozen?]
end
100.times { same(1.5) }
p same(1.5), same(1e100), same(-0.0)

# Recursion, and doubles alive while functions run that know nothing of them.
def newton(x, n) = n == 0 ? x : newton(x - (x * x - 2e200) / (2.0 * x), n - 1)
def mixed(list) = list.each_with_index.sum { |x, i| Math.sqrt(x) * i + x.abs.floor(-1) % 7 }
p newton(1e100, 30).round(-90), mixed([1.0, 4e200, 9.0]).class
def hold(a, b, c, d)
  e = a * b
  f = b * c
  g = c * d
  h = [e, f].max
  i = "#{a}".size + [1.5, e].sum.to_s.size
  [e + f, f + g, g + e, h, i]
end
100.times { hold(1.0, 2.0, 3.0, 4.0) }
p hold(1.0, 2.0, 3.0, 4.0), hold(1e100, 1e90, 1e80, 1e-300), (hold(1e200, 1e200, Float::NAN, 1.0).map { |x| show(x) } rescue $!.message)

# More doubles in objects than there are registers.
class Six
  attr_reader :a, :b, :c, :d, :e, :f
  def initialize(a, b, c, d, e, f) = (@a = a; @b = b; @c = c; @d = d; @e = e; @f = f)
  def dot(o) = @a * o.a + @b * o.b + @c * o.c + @d * o.d + @e * o.e + @f * o.f
end

def many(n)
  i = 0
  s = 0.0
  while i < n
    x = i * 0.5
    one = Six.new(x, x + 1.0, x * 2.0, x - 1.0, x / 2.0, x * x)
    two = Six.new(x + 0.5, x + 1.5, x * 2.5, x - 1.5, x / 4.0, x * x + 0.5)
    three = Six.new(x + 0.25, x + 1.25, x * 2.25, x - 1.25, x / 8.0, x * x + 0.25)
    s += one.dot(two) + two.dot(three) + three.dot(one)
    i += 1
  end
  s
end
p Array.new(20) { many(100) }.uniq
