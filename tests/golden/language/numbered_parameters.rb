# _1, it, endless methods, hash shorthand, argument forwarding and other short forms.
p [1, 2, 3].map { it * 2 }, [[1, 2], [3, 4]].map { _1 + _2 }, [[1, 2]].map { _1 }, [[1, 2]].map { it }
p [[1, [2, 3]]].each { p _2 }, { a: 1 }.map { [_1, _2] }, { a: 1 }.map { it }
p -> { _1 }.call(5), -> { it }.call(6), proc { [_1, _2] }.call([1, 2]), lambda { [_1, _2] }.call(1, 2)
it = 5
p it, [9].map { it }
def it_method = [1].each { |x| return it_call(x) }
def it_call(x) = x + 1
p it_method
p [1, 2].each_with_index.map { _1 * _2 }, [3, 4].each_with_object([]).each { _2 << _1 }
p [1, 2].map { [3].map { it } + [it] }
p proc { _3 }.parameters, proc { it }.parameters, proc { |it| it }.parameters
p proc { _1 }.arity, lambda { _2 }.arity, lambda { it }.arity
def square(x) = x * x
def greet(name = "you") = "hi #{name}"
def no_args = :none
def predicate? = true
def with_rescue(s) = Integer(s) rescue 0
def endless_if(x) = if x then :t else :f end
def endless_begin(x) = begin
  x + 1
end
p square(4), greet, greet("Al"), no_args, predicate?, with_rescue("x"), with_rescue("7"), endless_if(nil), endless_begin(1)
class Vec
  attr_reader :x, :y
  def initialize(x, y) = (@x, @y = x, y)
  def +(other) = Vec.new(x + other.x, y + other.y)
  def ==(other) = [x, y] == [other.x, other.y]
  def -@ = Vec.new(-x, -y)
  def +@ = self
  def ! = :bang
  def ~ = :tilde
  def [](i) = i.zero? ? x : y
  def []=(i, v)
    i.zero? ? @x = v : @y = v
  end
  def call(*a) = [:called, a]
  def to_s = "(#{x}, #{y})"
  def inspect = "#<Vec #{self}>"
  def coerce(n) = [Vec.new(n, n), self]
  def =~(o) = [:match, o]
  def <=>(o) = x <=> o.x
  def ===(o) = o == :vec
  def %(o) = [:mod, o]
  def `(s) = "backtick #{s}"
  def run = `ls`
end
v = Vec.new(1, 2)
p v + v, -v, +v, !v, ~v, v[0], (v[1] = 5), v, v.(1, 2), v.call, v =~ 1, v <=> v, v % 3, v.run, v == v, v != v
p (case :vec when v then :matched end), v !~ 1
v[0] += 10
v[1] ||= 3
p v, v.+(v), v.!, v.-@
x, y = 1, 2
h = { x:, y:, z: 3 }
p h
def kw(x:, y:) = [x, y]
p kw(x:, y:), kw(**{ x:, y: })
def local_method = :called
p({ local_method: })
p [*"a".."c"], [*1..3, *nil], [*{ a: 1 }]
p({ **{ a: 1 }, b: 2, **{ a: 3 } }, { **nil })
p (->(a, b = 2, *c, d:, e: 5, **f, &g) {}).parameters
p 5.then { it + 1 }, 5.tap { it + 1 }
puts [1, 2, 3].sum { it.to_f }, %w[a b].each_with_index.to_h { [_1, _2] }
