# An inner loop that is compiled from its own head while it turns: a `break` leads into the rest of the loop around, past the inner
# loop's condition.

# The condition of `break` is known when that is compiled.
class Cell
  attr_accessor :x

  def initialize(x) = @x = x
end

def known(n, cell)
  x = 0.5
  seen = nil
  t = 5
  i = 0
  while i < n
    j = 0
    while j < 2
      seen = !seen if x > 1.25
      break if cell.x.is_a?(Float)
      j += 1
    end
    1.step(7, 2) { |k| t ^= k }
    seen = cell.x.is_a?(Float) ? x % 7.0 : Integer(i.to_s)
    i += 1
  end
  [x, t, seen, i]
end
cell = Cell.new(1.0)
[0, 1, 7, 20, 50, 100, 300].each { |n| p known(n, cell) }

class Pair
  attr_accessor :x, :y
  def initialize(x, y = x) = (@x = x; @y = y)
  def each
    yield @x
    yield @y
  end
end

class Wide < Pair
  def initialize(x, y = 2.0, *more, k: 1e200, **o)
    super(x, y)
    @k = k
    @more = more
  end
end

def parts(n, pair)
  x = 0.5
  s = 0
  part = nil
  i = 0
  while i < n
    if i > n / 2
      part = Wide.new(i, 1.5 * i, 1, 2).y
    else
      part = (s + 4611686018427387900) * 2 - i
    end
    part = defined?(zz)
    j = 0
    while j < 2
      pair.each { |e| part = e }
      break if pair.x.is_a?(Float)
      j += 1
    end
    i += 1
  end
  [part, x, s, i]
end
[0, 1, 7, 7, 20, 60, 300_000].each { |n| p parts(n, Pair.new(1.0, 2)) }

# Variables of a method around, and the length of an array, are looked at in front of a loop that does not change them.
FACTOR = 1.5

class Sum
  def initialize(x, y) = (@x, @y = x, y)
  def -@ = Sum.new(-@x, -@y)
  def [](i) = i == 0 ? @x : @y
end

class One
  def f(x) = x + 1
end

class Two
  def f(x) = x * 2
end

def opt(a, b = a, c = b, *d, k: a, j: 3) = [a, b, c, d, k, j]

def given(v)
  yield v
end

def around(n, list, table, objects)
  x = 0.5
  y = 1e-200
  last = nil
  n.times do |i|
    number = i % 3 == 0 ? opt(1.5, k: x)[4] : objects[i & 3].f(i).to_f + (-Sum.new(x, 1.0))[i & 1]
    last = given(number) { |e| next e * 2.0 }
    a = 0
    while a < 3
      b = 0
      while b < 2
        pair = [FACTOR * i, [(-(i & 15)).abs, (-7 % -3) / (i | 1)].min]
        pair[0] = [(-(i & 15)).abs, (-7 % -3) / (i | 1)].min
        table[i % 5] = pair if x > y
        break if list[0]
      end
      last = case i % 5
             when 0 then x
             when 1..2 then y
             when 3 then i
             end
      a += 1
    end
  end
  [last, x, y]
end
table = {}
objects = [One.new, Two.new, One.new, Two.new]
[0, 1, 7, 125, 333, 1000].each { |n| p around(n, [1, 2.0, nil], table, objects), table }
p around(400, [nil, 2.0].map { |e| e || 1 }, table, objects), table

# What is looked at before the inner loop's condition, is looked at there again.
def limited(turns, limit, stops)
  total = 0
  i = 0
  while i < turns
    j = 0
    while j < limit
      break if j == stops[i % stops.size]
      total += 1
      j += 1
    end
    total += 1000
    i += 1
  end
  total
end
p limited(40, 50, [9, 100, 3, 17])
p limited(40, 2.5, [1, 100, 0, 2])
p limited(40, 1e300, [1, 0, 2, 40])
p limited(40, 2**70, [1, 0, 2, 40])
p limited(300, 40, [0, 1])
p limited(300, 3.5, [0, 1, 9])

# The same of numbers.
def scaled(turns, scale, stops)
  sum = 0.0
  i = 0
  while i < turns
    j = 0
    while j < 30
      break if j == stops[i % stops.size]
      sum += scale * j
      j += 1
    end
    sum -= scale
    i += 1
  end
  sum
end
p scaled(60, 0.5, [3, 9, 40, 0])
p scaled(60, 2, [0, 5, 1])
p scaled(60, 1e200, [0, 40])
p scaled(60, 3, [0, 1, 0, 2])

# Elements of an array that is a variable of the block around.
def of_list(list, turns)
  found = []
  last = nil
  turns.times do |i|
    a = 0
    while a < 3
      b = 0
      while b < 2
        pair = [i * 1.5, b]
        last = pair if i == 7
        break if list[0]
        b += 1
      end
      found << (i % 5 == 0 ? pair : b) if a == 1
      a += 1
    end
    list[0] = i % 3 == 0 ? nil : i
  end
  [found.size, found.last(4), last]
end
p of_list([nil, 1], 200)
p of_list([1.5, 1], 200)

# Three loops, which are left from the middle, and long ones.
def three(n, m, stop)
  out = 0
  i = 0
  while i < n
    j = 0
    while j < m
      k = 0
      while k < m
        break if k * j == stop
        out += k
        k += 1
      end
      break if j + i == stop
      out ^= j
      j += 1
    end
    out += 7
    i += 1
  end
  out
end
p three(20, 12, 9), three(20, 30, -1), three(3, 3, 2)
p three(2, 500, 400)

def long(n, limit)
  out = 0
  i = 0
  while i < n
    j = 0
    while j < limit
      break if i > 0 && j == 3
      out += j & 3
      j += 1
    end
    out += 1
    i += 1
  end
  out
end
p long(1000, 250_000), long(1000, 5.5)
