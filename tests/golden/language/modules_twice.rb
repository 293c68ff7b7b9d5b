# A module that stands more than once among the ancestors, and what super finds behind each place.
def order(class_) = class_.ancestors.take_while { _1 != Object }

module M; def x = "M" + (defined?(super) ? super : "."); end
class A; end
class B < A; end
B.include(M)
A.include(M)
p order(B), B.new.x
class C; end
class D < C; end
C.include(M)
D.include(M)
p order(D), D.new.x

module N; def x = "N" + super; end
class E; include M; end
class F < E; include N; end
E.include(N)
p order(F), F.new.x

module O; end
class G; def x = "G"; prepend M; end
class H < G; def x = "H" + super; prepend M; end
G.include(O)
p order(H), H.new.x, H.new.x
class P2; def x = "P"; end
class Q < P2; include M; end
class R < Q; prepend M; end
p order(R), R.new.x
class S < R; prepend M; end
p order(S), S.new.x, R.new.x, Q.new.x

class I; end
class J < I; include M; end
I.prepend(M)
p order(J), J.new.x
class K; end
class L < K; include N; include M; end
K.include(M)
M.include(O)
p order(L), order(K), L.new.x, K.new.x

module T
  def x(n = 1, *rest, k: 2, &block) = [:T, n, rest, k, block&.call, *super]
  alias y x
end
class U; def x(*, **) = [:U]; def y(*, **) = [:y]; prepend T; end
class V < U; prepend T; end
p V.new.x(5, 6, k: 7) { 8 }, V.new.y(1)
m = V.new.method(:x)
chain = []
while m
  chain << m.owner
  m = m.super_method
end
p chain
module W; define_method(:x) { |*a| [:W, *super(*a)] }; end
class X; def x = [:X]; prepend W; end
class Y < X; prepend W; end
p Y.new.x, Y.instance_method(:x).bind_call(Y.new)
module Z; def method_missing(name, *a) = name == :zz ? [:Z, *super] : super; def respond_to_missing?(*) = true; end
class Z1; def method_missing(name, *) = [name]; prepend Z; end
class Z2 < Z1; prepend Z; end
p Z2.new.zz
module SingletonTwice; def s = "s" + (defined?(super) ? super : "."); end
class Z1; extend SingletonTwice; end
class Z2; extend SingletonTwice; singleton_class.prepend SingletonTwice; end
p Z2.s, Z1.s
o = Object.new
o.extend(SingletonTwice)
Object.include(SingletonTwice)
p o.s, 1.s, o.singleton_class.ancestors.count(SingletonTwice)
2.times { |i| p [S, R, H, L].map { |c| c.new.x } }
module M; def x = "m" + (defined?(super) ? super : "."); end
p [S, R, H, L].map { |c| c.new.x }
