# Fibers: resuming, yielding values both ways, exceptions across, transfer, storage, enumerators over them.
f = Fiber.new do |x|
  y = Fiber.yield(x + 1)
  z = Fiber.yield(y * 2)
  [:done, z]
end
p f.alive?, f.resume(1), f.resume(10), f.resume(:last), f.alive?, (f.resume rescue [$!.class, $!.message])
g = Fiber.new { Fiber.yield 1; raise "inside" }
p g.resume, (g.resume rescue $!.message), g.alive?
h = Fiber.new { begin; Fiber.yield 1; rescue => e; "caught #{e.message}"; ensure; print "ensure "; end }
p h.resume, h.raise("from outside"), h.alive?
nested = Fiber.new do
  inner = Fiber.new { Fiber.yield :inner1; :inner2 }
  Fiber.yield inner.resume
  Fiber.yield inner.resume
  :outer
end
p 3.times.map { nested.resume }
p Fiber.new { |a, b = 2, *c, k: 1| [a, b, c, k] }.resume(1, 3, 4, k: 5), Fiber.new { Fiber.yield }.resume, Fiber.new { Fiber.yield 1, 2 }.resume, Fiber.new {}.resume
producer = Fiber.new { 5.times { Fiber.yield _1 }; nil }
consumed = []
while (v = producer.resume) do consumed << v end
p consumed
def walk(tree, &block)
  return unless tree
  walk(tree[0], &block); block.call(tree[1]); walk(tree[2], &block)
end
walker = Fiber.new { walk([[nil, 1, nil], 2, [nil, 3, [nil, 4, nil]]]) { |v| Fiber.yield v }; :end }
p 5.times.map { walker.resume }
a = Fiber.new { b_result = $b.transfer(:to_b); [:a_got, b_result] }
$b = Fiber.new { |x| a.transfer([:b_got, x]) }
p a.transfer
i = Fiber.new { i.resume }
p (i.resume rescue [$!.class, $!.message])
p (Fiber.yield rescue [$!.class, $!.message])
k = Fiber.new { Fiber.yield; 1 }
k.resume
p (k.transfer rescue $!.class), Fiber.current.class, Fiber.current.alive?
Fiber[:key] = 1
p Fiber[:key], Fiber.new { Fiber[:key] }.resume, Fiber.new { Fiber[:key] = 2; Fiber[:key] }.resume, Fiber[:key], Fiber.new(storage: { key: 9 }) { Fiber[:key] }.resume, Fiber.new(storage: nil) { Fiber[:key] }.resume
l = Fiber.new { [1, 2, 3].each { |x| [4].map { |y| Fiber.yield x * y } }; :finished }
p 4.times.map { l.resume }
m = Fiber.new { catch(:t) { Fiber.yield 1; throw :t, :thrown } }
p m.resume, m.resume
n = Fiber.new { 1.tap { break 5 } rescue $!.class }
p n.resume
o = Fiber.new { loop { Fiber.yield :tick } }
p Array.new(1000) { o.resume }.tally
fibers = Array.new(200) { |x| Fiber.new { s = 0; 10.times { |y| s += x * y; Fiber.yield }; s } }
11.times { |round| fibers.each { |x| round == 10 ? (x.resume) : x.resume } if round < 10 }
p fibers.sum { _1.resume }
q = Fiber.new { Fiber.yield binding.local_variables; }
p q.resume, (q.kill.alive?), Fiber.new { begin; Fiber.yield; ensure; print "killed " ; end }.tap(&:resume).kill.alive?
e = Enumerator.new { |y| y << 1; y << 2; raise StopIteration, "custom" }
p e.next, e.next, (e.next rescue $!.message)
r = Fiber.new { |x| x.upcase }
p r.resume("arg"), (r.raise("dead") rescue $!.class), (Fiber.new { }.raise("unborn") rescue [$!.class, $!.message])
deep = ->(d) { d.zero? ? Fiber.yield(:bottom) : deep.(d - 1) }
s = Fiber.new { deep.(50); :top }
p s.resume, s.resume
begin
  raise "outer"
rescue
  t = Fiber.new { $!.inspect }
  p t.resume, $!.message
end
p Fiber.new(blocking: true) { Fiber.current.blocking? }.resume, Fiber.new { Fiber.current.blocking? }.resume, Fiber.blocking?
