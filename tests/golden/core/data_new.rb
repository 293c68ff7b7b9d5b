# Data.new from values in order and from keywords, with and without an initialize of its own.
D = Data.define(:x, :y)
p D.new(1,2), D.new(x: 1, y: 2), D.new(y: 1, x: 2), D[1,2], D[y: 3, x: 4]
def t; yield; rescue => e; p e.class, e.message; end
t { D.new(1) }; t { D.new(1,2,3) }; t { D.new(x: 1) }; t { D.new(x: 1, y: 2, z: 3) }; t { D.new(x: 1, z: 3) }; t { D.new }; t { D.new(1, y: 2) }
t { D.new(**{x: 1, y: 2}).then { p it } }; t { D.new(**{"x" => 1, y: 2}).then { p it } }; t { D.new({x: 1, y: 2}) }
t { D.new(*[1,2]).then { p it } }; t { D.new(1, 2, **{}).then { p it } }
E0 = Data.define; p E0.new; t { E0.new(1) }; t { E0.new(a: 1) }
class C < D; def initialize(x:, y: 5) = super; end
p C.new(1), C.new(1,2), C.new(x: 3), C.new(y: 1, x: 2)
class C2 < D; def initialize(x:, y: 5) = super(x: x*2, y: y); end
p C2.new(1), C2.new(1,2), C2.new(x: 3)
class C3 < D; def initialize(*a, **k); p [a, k]; super(**k); end; end
p C3.new(1,2), C3.new(x: 1, y: 2)
d=D.new(1,2); p d.frozen?, d.with(x: 5), C2.new(1).with(y: 9), d == D.new(1,2), d.to_h, d.hash == D.new(1,2).hash
t { d.send(:initialize, x: 1, y: 2) }
p D.method(:new).arity, D.respond_to?(:define), D.members
G = Data.define(:a) do
  def b = a * 2
end
W = Data.define(*(1..70).map { |i| :"m#{i}" }); w = W.new(*(1..70)); p w.m70, W.new(**w.to_h) == w
p((K = Data.define(:if, :@a); K.new(1, 2)))
S = Struct.new(:a, :b); p S.new(1), S.new(1,2), (S.new(1,2,3) rescue $!), S.new(a: 1), Class.new(S).new(4,5).to_a
S2 = Struct.new(:a, keyword_init: true); p S2.new(a: 1), (S2.new(1) rescue $!)
class D9 < D; end; p D9.new(1,2), D9.new(x: 1, y: 2)
h = {x: 1, y: 2}; p D.new(**h), D.new(**h, y: 7)
p [[1,2],[3,4]].map { D.new(*_1) }
