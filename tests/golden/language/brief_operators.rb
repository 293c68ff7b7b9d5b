# Operators that are methods in Ruby, of objects that live briefly, met by other receivers now and then.

class V
  attr_reader :x, :y
  def initialize(x, y) = (@x = x; @y = y)
  def +(other) = V.new(@x + other.x, @y + other.y)
  def -(other) = V.new(@x - other.x, @y - other.y)
  def *(by) = V.new(@x * by, @y * by)
  def /(by) = V.new(@x / by, @y / by)
  def %(by) = @x % by
  def ==(other) = V === other && @x == other.x && @y == other.y
  def <(other) = @x < other.x
  def >=(other) = @x >= other.x
  def [](at) = at == 0 ? @x : @y
  def <<(by) = (@x += by; self)
  def >>(by) = V.new(@x >> by, @y)
  def &(other) = @x & other
  def |(other) = raise(ArgumentError, "no #{other}")
  def ^(other) = yield_with(other) { |a| a + @y }
  def yield_with(a) = yield a
  def -@ = V.new(-@x, -@y)
  def to_s = "(#{@x}, #{@y})"
end

def all(a, b, n)
  [(a + b - a) == b, (a * n + b * 2).to_s, (a / n)[0], (a - b)[1], a % 3, a < b, a >= b, (a << 1).x, (a >> 1).y, a & 6, a ^ 5, (-a).to_s, a != b,
   a[0], a[-1]]
end
150.times { |i| all(V.new(i, 1), V.new(2, i), 2) }
p all(V.new(1, 2), V.new(3, 4), 2), all(V.new(2**62 - 1, 2), V.new(1, 2**61), 4), (all(V.new(1.5, 2), V.new(1, 2), 2) rescue $!.message)
p (all(V.new(1, 2), nil, 1) rescue $!.message), (all(V.new(1, 2), V.new(1, 2), 0) rescue [$!.message, $!.backtrace.first(2).map { |l| l[/:(\d+):/, 1] }])
p (all([1], [2], 3) rescue $!.message)

def add(a, b) = a + b
def at(a, i) = a[i]
def same(a, b) = a == b
def less(a, b) = a < b
def bad(a) = a | 1
200.times { |i| add(V.new(i, 1), V.new(1, i)); at(V.new(i, 1), 0); same(V.new(1, i), V.new(i, 1)); less(V.new(i, 1), V.new(3, 3)) }
p add(1, 2), add("a", "b"), add([1], [2]), add(1.5, 2), add(2**62 - 1, 2**62), at([5, 6], 1), at({ 0 => 7 }, 0), at("xyz", 2), at(5, 0)
p same(1, 1.0), same("a", "a"), same(nil, false), same(V.new(1, 2), 3), less(1, 2), less("a", "b"), less(1.5, 1), (less(1, nil) rescue $!.message)
400.times { |i| add(i, 1); at([1, 2], i % 2); same(i, 3); less(i, 2) }
p add(V.new(1, 2), V.new(3, 4)).to_s, at(V.new(1, 2), 1), same(V.new(1, 2), V.new(1, 2)), less(V.new(1, 2), V.new(0, 0))
50.times { begin; bad(V.new(1, 2)); rescue ArgumentError; end }
p (bad(V.new(1, 2)) rescue [$!.message, $!.backtrace.first(2).map { |l| l[/:(\d+):/, 1] }])

def walk(n)
  at = V.new(0, 1)
  sum = 0
  n.times do |i|
    at += V.new(i, 1) * 2
    sum += (at - V.new(1, 1)) % 5
    break if at == V.new(6, 9)
  end
  [at.to_s, sum]
end
p walk(20), Array.new(40) { |n| walk(n) }.uniq.size

# Redefined while code runs.
def changing(i) = (V.new(i, 1) + V.new(i, 2)).y
seen = []
300.times do |i|
  seen << changing(i) if i % 50 == 49
  class V; def +(other) = V.new(0, 100); end if i == 120
  class V; undef_method :+; end if i == 220
  changing(i) unless i > 220
rescue NoMethodError => e
  seen << e.name
end
p seen

# Objects that nobody initializes.
class Bare
  attr_accessor :a
end
class Late
end
def bare(n)
  one = Bare.new
  two = Bare.new
  one.a = n if n > 5
  [one.a, one.equal?(two), one.is_a?(Bare), Object.new.nil?, one.instance_variables, Late.new.class, two.frozen?]
end
200.times { |i| bare(i) }
p bare(3), bare(2**62), (Bare.new(1) rescue $!.message)
def late(n) = Late.new.then { |l| l.respond_to?(:n) ? l.n + n : n }
100.times { |i| late(i) }
class Late
  def initialize = @n = 10
  attr_reader :n
end
100.times { |i| late(i) }
p late(1), Late.new.n
class BasicObject
  def initialize = @made = true
end
p bare(3).size, Object.new.instance_variables, Bare.new.instance_variables
