class P; def m(*a, **k, &b) = [a, k, b&.call]; def n(a, b = 2, *c, d: 4, &e) = [a, b, c, d, e&.call]; end
class Q < P
  def m(*a, **k, &b) = super
  def n(*) = super
end
class R < P
  def m(*a, &b) = super(*a, &b)
  def n(*a, **k) = super(*a, **k)
end
class T < P
  def n(...) = super(...)
  def m(*a) = super(*a)
end
[Q, R, T].each do |c|
  3.times do |i|
    o = c.new
    p o.m(*[1] * i), o.m(*[1] * i) { i }
    p((o.n(*[1] * i) rescue $!.message), (o.n(*[1] * i) { i } rescue $!.message))
  end
  p((c.new.m(1, k: 2) rescue $!.message), (c.new.n(1, d: 2) rescue $!.message))
end
class MM
  def method_missing(n, *a, **k, &b) = [n, a, k, b&.call]
end
mm = MM.new
call = ->(o) { [o.zork(1), (o.blah rescue $!.class), o.zork(2, a: 1) { 3 }] }
3.times { p call.(mm) }
class MM; def zork(*) = :now; end
p call.(mm)
class MM; undef_method :zork; end
p call.(mm)
class MM; remove_method :method_missing; end
begin; call.(mm); rescue NoMethodError => e; puts e.message; end
class MM; private def zork(*) = 1; end
begin; call.(mm); rescue NoMethodError => e; puts e.message; end
o = Object.new
f = ->(x) { x.foo rescue $!.message[0, 40] }
2.times { puts f.(1), f.(nil), f.(o) rescue p $! }
def o.method_missing(n, *) = n
p f.(o), f.(o)
class Integer; def method_missing(n, *) = n == :foo ? 7 : super; end
p f.(1), f.(1)
class Integer; remove_method :method_missing; end
puts f.(1)
module Ref; refine(Integer) { def foo = :refined } end
using Ref
g = ->(x) { x.foo rescue $!.message[0, 40] }
2.times { puts g.(1), g.(nil) }
def t(*a, **k) = [a, k]
def fl(*a, **nil) = a
def d1(*a, **o) = t(*a, **o)
3.times { |i| p d1(*[0] * i), d1(1, **(i == 1 ? {z: 1} : {})) }
def r2(*a) = t(*a)
self.class.send(:ruby2_keywords, :r2) rescue p $!
p r2(1, a: 2), r2({a: 1}), r2
def deep(*a) = a.size
p deep(*(1..100).to_a), deep(*(1..70).to_a, **{})
