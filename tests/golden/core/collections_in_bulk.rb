# What collections do at one go where they could go element by element.
class Loud
  attr_reader :n
  def initialize(n) = @n = n
  def hash = n % 2
  def eql?(other) = n == other.n
  def inspect = "L#{n}"
end
a, b, c = Loud.new(1), Loud.new(2), Loud.new(3)
p Set[a, b] & Set[Loud.new(2), c], Set[a, b] | Set[Loud.new(1), c], Set[a, b] - Set[Loud.new(1)]
p Set[1, 2, 3] & Set[3, 2], Set[1, 2] & Set[5, 2, 1], Set[1, 2] & [2, 2, 9], Set[] & Set[1], Set[1, 2] & Set[]
same = Set[].compare_by_identity
same << "x" << a
p (same & Set["x", a]).size, (Set["x", a] & same).size, (same | Set["x"]).size, (same - Set["x", a]).size
p Set["s"].merge(Set["t"], ["u"], Set["s"]).to_a, Set[1, 2].subtract(Set[2, 3]).to_a
s = Set[1, 2]
p s.subtract(s), s.merge(s), (s | s).equal?(s)
class Special < Set; end
p (Special[1, 2] & Set[2]).class, (Special[1] | Set[2]).class, (Special[1, 2] - Set[2]).class
begin
  Set[1].freeze.merge(Set[2])
rescue => e
  p e.class
end
s = Set[1, 2]
begin
  s.each { s | Set[3]; s.merge(Set[4]) }
rescue => e
  p e.class, e.message
end
p [3, 1, 3].to_set, (1..3).to_set, { a: 1 }.to_set, [1, 2].to_set { _1 * 2 }, [[1, 2]].each.to_set

h = { a: 1, b: 2 }
p h.merge({ b: 3, c: 4 }) { |k, old, new| [k, old, new] }, h.merge({ a: 2 }, { a: 3 }, { a: 4 }) { |_, x, y| x + y }, h
p(begin; h.merge({ a: 5 }) { |k, *| raise k.to_s }; rescue => e; e.message; end)
p(h.merge({ b: 1 }) { |k, *| break k })
p(h.merge({ a: 1 }) { h[:z] = 1; 9 }, h)
p h.merge(h) { |k, x, y| x.equal?(y) }, h.merge { raise }
d = Hash.new(7).merge({ q: 1 }) { 3 }
p d[:other], d

p [1, 2].zip([3, 4]) { |x, y| p [x, y] }, [1, 2].zip([3]) { |x| p x }, [1].zip([2], [3]) { |x, (y), z| p [x, y, z] }
p [1, 2].zip([3, 4], &->(x) { p x }), [[1, 2]].zip([3]) { |(x, y), z| p [x, y, z] }
begin
  p [1, 2].zip([3, 4], &->(x, y) { p [x, y] })
rescue ArgumentError => e
  puts e.message
end
p [1, 2].zip([3, 4].each) { |x| p x }, [1, 2, 3].zip([7, 8]) { |x, y| break y if x == 2 }

p %w[ccc a bb].sort_by(&:size), (1..40).sort_by { -_1 }.first(3), [3, 1, 2].each.sort_by { |x| -x }
p [[2, 1], [1, 2]].sort_by(&:first), [5].sort_by { 1 }, [].sort_by { 1 }, { b: 1, a: 0 }.sort_by { |_, v| v }
p [2, 1.5, 3].sort_by { _1 }, [4, 2].sort_by { 2**70 - _1 }
p(begin; [1, nil].sort_by { _1 }; rescue => e; e.class; end)
class Integer
  alias plain <=>
  def <=>(other) = other.plain(self)
end
p [1, 3, 2].sort_by { _1 }
class Integer
  alias <=> plain
end

S = Struct.new(:x, :y)
D = Data.define(:x, :y)
[S.new(1, 2), D.new(x: 1, y: 2)].each do |o|
  p o.deconstruct_keys([:x]), o.deconstruct_keys([:y, :x]), o.deconstruct_keys([:x, :z, :y]), o.deconstruct_keys([]), o.deconstruct_keys(nil)
  p o.deconstruct_keys([:x, :y, :z]), o.deconstruct_keys(%w[x y])
  [1, "x", {}].each { |bad| o.deconstruct_keys(bad) rescue puts $!.class, $!.message }
  case o
  in { x: Integer => q, y: } then p [q, y]
  end
  case o
  in { x: 5 } then p :no
  in { z: } then p z
  in { x: 1, **rest } then p rest
  end
end
case S.new(1)
in [x, nil] then p x
end
p S.new(1).deconstruct, S.new(1).to_a, S.new(1, 2).values, S.allocate.to_a
class S
  attr_accessor :extra
end
o = S.new(1, 2)
o.extra = 3
p o.to_a, o.deconstruct_keys([:x, :extra])
list = []
100.times { |i| list << i; list.push(-i) if i % 9 == 0 }
p list.size, list.sum, list.last(3), list.dup.push(1).size
