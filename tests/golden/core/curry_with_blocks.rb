# Curried procs and lambdas pass on the block of the last call; super_method has the name by which super looks.
class Y; def a = 1; def b = 3; end
class X < Y; def a = 2; alias b a; define_method(:c, instance_method(:a)); end
p X.instance_method(:b).super_method, X.new.method(:b).super_method, X.instance_method(:c).super_method, X.instance_method(:b).super_method.name
p X.instance_method(:c).super_method.name, X.instance_method(:c).super_method.original_name
class X2 < X; end
p X2.instance_method(:b).super_method, X2.new.method(:c).super_method
b = lambda { |x, y, &b| b&.call }.curry[1]; p b.call(2) {3}, b.call(4)
c = proc { |x, y, &b| [x, y, b&.call] }.curry; p c[1, 2].class, c.call(1) { 2 }.call(3) { 4 }, c.(1).(2) { 5 }, c.(1).(2).class
def m(a, b) = [a, b, yield]
d = method(:m).curry; p d[1].(2) { 6 }
p d.curry.arity, d.lambda?, d[1].lambda?, c.lambda?, d.parameters, c.parameters
