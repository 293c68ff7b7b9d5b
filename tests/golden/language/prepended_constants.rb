# What a class has itself comes before what is prepended to it, for constants and class variables; elsewhere the ancestors' order counts.
module P; X=:p; Y=:p; end
class B; Z=:b; X=:b; end
class C < B; prepend P; X=:c; def x = X; def y = Y; def self.all = [X, Y, Z]; end
p C::X, C::Y, C.new.x, C.new.y, C.all, C.const_get(:X), C.constants.sort, C.const_defined?(:X, false), C.const_defined?(:Y, false)
class D < C; def x = X; end
p D::X, D.new.x, D.const_get(:X)
module Q; Z=:q; end
class B; prepend Q; end
p C::Z, B::Z, D::Z
module M; prepend P; X = :m; end
p M::X
class E; include M; end
p E::X, E::Y
class F; prepend M; X = :f; end
p F::X
p((class F; remove_const(:X); end), F::X)
class G; prepend P; @@v = 1; end
module P; @@v = 2; end
p((G.class_variable_get(:@@v) rescue $!))
C.send(:private_constant, :X)
p((C::X rescue $!.message))
