# Visibility of methods where modules are prepended, and in refinements.
w = Module.new { def a = super + 1 }; p Class.new { prepend w; private def a = 1 }.new.a
w2 = Module.new { def a = super + 1; def b = 3; private def c = super }; k = Class.new { prepend w2; private def a = 1; private def b = 1; def c = 5; protected def d = 4 }
p k.new.a, k.new.b, (k.new.c rescue p $!.class), k.instance_method(:a).owner == w2, k.public_instance_methods(false), k.private_instance_methods(false).sort, k.new.respond_to?(:a), k.new.method(:a).owner == w2
p k.public_method_defined?(:a), k.private_method_defined?(:a), k.public_method_defined?(:c)
k2 = Class.new { def a = 1; prepend w; private :a }; p((k2.new.a rescue $!.class))
k3 = Class.new { def a = 1; prepend w; public :a }; p((k3.new.a rescue $!.class)); p k3.instance_method(:a).owner == w
class A1; private def a = :a; end
class B1 < A1; def b = :b; private :b; end
module R1; refine(B1) { public :a; public :b }; end
using R1
p B1.new.a, B1.new.b, (A1.new.a rescue $!.class)
