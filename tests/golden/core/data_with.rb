# Data#with: what it copies, whom it asks, and enumerators that are read by hand.
P = Data.define(:x, :y) do
  def to_h = { x: 100, y: 200, z: 1 }
end
p P.new(1, 2).with(y: 5)
p P.new(1, 2).with.equal?(nil)
o = P.new(1, 2); p o.with.equal?(o), o.with(x: 3).frozen?
begin; o.with(z: 1); rescue => e; p e.class, e.message; end
begin; o.with(1); rescue => e; p e.class, e.message; end
p o.with("x" => 9) rescue p $!
Q = Data.define(:a, :b) do
  def initialize(a:, b: 0) = super(a: a.to_i, b:)
end
q = Q.new(a: "4"); p q, q.with(a: "7"), q.with(b: "x")
begin; q.with(c: 1); rescue => e; p e.class, e.message; end
class R < P; def initialize(**o) = (@seen = 1; super); end
p R.new(1, 2).with(x: 4).class
E3 = Data.define
p E3.new.with
begin; E3.new.with(a: 1); rescue => e; p e.class, e.message; end
class S2 < P; end
p S2.new(1, 2).with(x: 5), S2.members

c = P.clone; p c.new(5, 6).with(x: 1) == c.new(1, 6)
N = Data.define(*(1..70).map { |i| :"m#{i}" }); n = N.new(*1..70); p n.with(m70: 0).m70, n.with(m1: 3).to_h.size
p P.instance_method(:with).parameters, P.method(:new).arity
e = [1, 2].each; p e.next, e.peek, e.next; begin; e.next; rescue StopIteration; p $!.message; end; e.rewind; p e.next
e = [1, 2, 3].map; p e.next; e.feed :a; p e.next; e.feed :b; p e.next; e.feed :c; begin; e.next; rescue StopIteration; p $!.result; end
e = [1].each; e.feed(3) rescue p $!; p e.next
