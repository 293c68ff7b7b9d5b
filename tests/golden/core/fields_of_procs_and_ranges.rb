# Instance variables of instances of subclasses of Proc and Range lie in their slots.
class R < Range; attr_accessor :a, :b, :c, :d; end
class P < Proc; attr_accessor :a, :b, :c; end
20.times { r = R.new(1, 2); r.a = 1; r.b = "x"; r.c = [3]; q = P.new { 1 }; q.a = 1; q.b = [2] }
r = R.new(1, 5); r.a = 1; r.b = +"x"; r.c = {k: 1}
d = r.dup; c = r.clone; d.b << "y"; d.d = 9
p r, r.a, r.b, r.c, d.d, c.c, r.instance_variables, d.instance_variables, r.to_a, r == d, r.hash == R.new(1, 5).hash
x = Marshal.load(Marshal.dump(r)); p x.class, x.a, x.b, x.c, x
q = P.new { |z| z + 1 }; q.a = 5; q.b = [q]; q.c = 3
e = q.dup; f = q.clone
p q.(1), e.(2), f.a, e.class, e.b.size, q.instance_variables, e.lambda?, (q >> q).(1), q == e
10.times { |i| q.instance_variable_set(:"@v#{i}", i) }
p q.instance_variables.size, q.instance_variable_get(:@v7), q.(3)
r.freeze; begin; r.a = 2; rescue => ex; p ex.class; end
q.remove_instance_variable(:@a); p q.a, q.c
GC.start; p r.b, q.b[0].equal?(q)
