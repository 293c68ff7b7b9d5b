# Struct and Data.
Point = Struct.new(:x, :y) do
  include Comparable
  def +(o) = Point.new(x + o.x, y + o.y)
  def <=>(o) = to_a <=> o.to_a
  def to_s = "(#{x}, #{y})"
end
a = Point.new(1, 2)
p a, a.x, a[0], a["y"], a[:x], a[-1], a.to_a, a.to_h, a.members, Point.members, a.size, a.values, a.each.to_a, a.each_pair.to_a, a == Point.new(1, 2), a.eql?(Point.new(1.0, 2)), a == Point.new(1.0, 2), a.hash == Point.new(1, 2).hash, a + a, "#{a}", a < Point.new(2, 0), [Point.new(2, 1), a].min, a.dig(:x), a.deconstruct, a.deconstruct_keys([:x]), a.select(&:odd?), a.sum, a.values_at(0, 1), a.to_h { |k, v| [k.to_s, v * 2] }
a.x = 5; a[:y] = 6; a[0] += 1
p a, Point.new(1), Point.new, (Point.new(1, 2, 3) rescue $!.message), (a[5] rescue $!.message), (a[:z] rescue $!.message), ((a["z"] = 1) rescue $!.message), a.dup.tap { _1.x = 0 }, a, a.frozen?, a.filter_map { _1 if _1 > 5 }
K = Struct.new(:name, :age, keyword_init: true)
k = K.new(name: "n", age: 3)
p k, K.inspect, K.keyword_init?, (K.new("x") rescue $!.message), (K.new(foo: 1) rescue $!.message), k.to_h, K.new, K.members
M = Struct.new(:name, :age)
p M.new(name: 1, age: 2), M.new({ name: 1 }), Struct.new("Named", :a).new(1), Struct::Named, M.new("x", 1)
M.new("x", 1) => { name: String => n }
p n
case M.new("Bob", 5)
in [name, age] then p [name, age]
end
class Sub < Struct.new(:a)
  def initialize(a, extra) = (super(a); @extra = extra)
  attr_reader :extra
end
p Sub.new(1, 2), Sub.new(1, 2).extra, Sub.ancestors[1].superclass, Sub.new(1, 2) == Sub.new(1, 3)
r = Point.new(1, 2)
r.x = r
p r, r.inspect, r.to_a.size, Point.instance_methods(false).sort.first(3), (Struct.new.superclass rescue $!.message), (Struct.new(:a, :a) rescue $!.message), (Struct.new("lower") rescue $!.message), (Struct.new(1) rescue $!.message)
Coord = Data.define(:lat, :lng) do
  def self.origin = new(0, 0)
  def +(o) = with(lat: lat + o.lat, lng: lng + o.lng)
  def initialize(lat:, lng: 0) = super(lat: Float(lat), lng: Float(lng))
end
c = Coord.new(1, 2)
p c, c.lat, Coord.new(lat: 3), Coord.origin, c + c, c.with(lat: 9), c.to_h, c.members, Coord.members, c == Coord.new(1, 2), c.eql?(Coord.new(1, 2)), c.hash == Coord.new(1, 2).hash, c.frozen?, c.inspect, c.to_s, Coord.method_defined?(:lat=)
p (c.instance_variable_set(:@a, 1) rescue $!.message), (Coord.new rescue $!.message), (Coord.new(1, 2, 3) rescue $!.message), (Coord.new(lat: 1, z: 2) rescue $!.message), (c.with(1) rescue $!.message), (c.with(z: 1) rescue $!.message), c.respond_to?(:each), c.respond_to?(:to_a), c.respond_to?(:[])
case c
in { lat:, lng: } then p [lat, lng]
end
case c
in Coord[lat, lng] then p [lat, lng]
end
Empty = Data.define
p Empty.new, Empty.members, Empty.new == Empty.new, Empty.new.inspect, Empty.new.to_h
Simple = Data.define(:a, :b)
p Simple.new(1, 2), Simple.new(a: 1, b: 2), (Simple.new(1) rescue $!.message), (Simple.new(a: 1) rescue $!.message), (Simple.new(1, 2, 3) rescue $!.message), (Simple.new(a: 1, b: 2, c: 3) rescue $!.message), Simple[3, 4], Simple.new(1, [2]).then { |s| s.b << 3; s }, (Data.define(:a, :a) rescue $!.message), (Data.define("x=") rescue $!.message), (Data.new rescue $!.message), Simple.instance_method(:initialize).arity, Class.new(Simple) { def sum = a + b }.new(1, 2).sum, Simple.new(1, 2).dup.equal?(nil), Simple.ancestors.include?(Data), Simple.new("s", nil).inspect, Simple.new(1, Simple.new(2, 3))
