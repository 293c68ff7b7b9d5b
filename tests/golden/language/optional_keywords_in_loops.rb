# Methods with optional keywords that a call does not give, in loops long enough to be compiled.
def one(a, k: 1) = a + k
def two(a, b = a + 1, k: b, m: k + 1) = [a, b, k, m]
def hashes(a, k: 2, **rest) = [a, k, rest]
def anonymous(a, k: 2, **) = [a, k]
def rests(a, *list, k: 3) = [a, list, k]
def required(a, k: 1, r:) = [a, k, r]
def block_given(k: 4) = block_given? ? yield(k) : k
def block_taken(k: 4, &b) = b ? b.call(k) : k
def defaults(list: [], text: "t", sym: :s, other: list.size + text.size) = [list << other, text << "x", sym]
def raising(k: raise(ArgumentError, "no k")) = k
def recursive(n, acc: 0) = n == 0 ? acc : recursive(n - 1, acc: acc + 1)
def outer(a) = one(a) + inner(a)
def inner(a, scale: 2, shift: 0) = a * scale + shift
def locals_after(a, k: nil)
  x = k || a
  y = nil
  z = [x, y]
  z
end
def late(a, k: later_k) = a + k
def later_k = 5
class Point
  attr_reader :x, :y, :z
  def initialize(x, y = x, z: 7, scale: 1)
    @x = x * scale
    @y = y * scale
    @z = z
  end
end
class Sub < Point
  def initialize(x, tag: :none) = (super(x); @tag = tag)
  attr_reader :tag
end
def hot(n)
  sum = 0
  last = nil
  i = 0
  while i < n
    sum += one(i) + outer(i) + late(i)
    last = [two(i), two(i, 2), hashes(i), anonymous(i), rests(i), rests(i, 1, 2), block_given, block_given { |k| k + i },
            block_taken, block_taken { |k| k + i }, defaults, locals_after(i), recursive(2)] if i % 50 == 0
    point = Point.new(i)
    sum += point.x + point.y + point.z
    point = Point.new(i, 2)
    sum += point.y
    sum += Sub.new(i).tag.size
    sum += one(i, k: 2) if i.odd?
    i += 1
  end
  [sum, last]
end
p hot(10), hot(3000)
def fails(n)
  n.times { |i| raising if i == n - 1 }
rescue => e
  [e.class, e.message, e.backtrace.first(2).map { |line| line[/\d+:in .*/] }]
end
p fails(3000)
def missing(n)
  n.times { |i| i == n - 1 ? required(1) : one(1) }
rescue ArgumentError => e
  e.message
end
p missing(3000)
def later_k = 50
p hot(100)
def one(a, k: 100) = a + k
p hot(100)
def hot_block(n)
  total = 0
  n.times { |i| total += block_given { |k| next k if i.even?; break if i == 2999; k * 2 } || 0 }
  total
end
p hot_block(3000)
def bound(a, k: 6) = binding.local_variables.map { |name| [name, binding.local_variable_get(name)] }
def bindings(n)
  r = nil
  n.times { |i| r = bound(i) }
  r
end
p bindings(1000)
# Optional parameters and keywords that are given, in any order, some and all.
def both(a, b = a * 2, c = b + 1, k: c, m: [k]) = [a, b, c, k, m]
def lead0(b = 1, k: 2) = [b, k]
def hash_last(a, b = {}, k: 1) = [a, b, k]
class Both
  def initialize(a, b = :b, k: :k, m: nil) = @all = [a, b, k, m]
  attr_reader :all
end
def block_both = [yield([1, 2], k: 3), yield(1, k: 4), yield(1, 2, k: 5), yield(k: 6)]
def given(n)
  r = nil
  i = 0
  while i < n
    r = [both(i, k: 1), both(i, 2, m: 3), both(i, 2, 3, m: 4, k: 5), both(i, m: 6, k: 7), lead0(k: i), lead0(i, k: 1), lead0,
         hash_last(1, k: 2), hash_last(1, { z: 1 }, k: 2), hash_last(1, { z: i }), Both.new(i, k: 1).all, Both.new(i, 2, m: 1, k: 3).all,
         Both.new(i, m: 2).all, block_both { |a, b = 9, k: 0| [a, b, k] }, block_both { |a, k: 0| [a, k] }, block_both { |a = 7, k: 0| [a, k] }]
    i += 1
  end
  r
end
p given(3), given(2000)
def too_many(n)
  n.times { |i| i == n - 1 ? both(1, 2, 3, 4, k: 5) : both(1, k: 2) }
rescue ArgumentError => e
  e.message
end
def unknown(n)
  n.times { |i| i == n - 1 ? both(1, z: 5) : both(1, k: 2) }
rescue ArgumentError => e
  e.message
end
p too_many(1500), unknown(1500)
