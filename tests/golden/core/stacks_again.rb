# oracle: native
# Stacks of ended fibers and threads serve the next ones.
def deep(n) = n.zero? ? 0 : 1 + deep(n - 1)
def native_deep(n) = n.zero? ? 0 : [n].sum { 1 + native_deep(n - 1) }

puts "waves of fibers"
3.times do |wave|
  fibers = Array.new(1500) { |i| Fiber.new { |x| y = Fiber.yield(x + i); "#{wave} #{i} #{y}" } }
  sum = fibers.each_with_index.sum { |f, i| f.resume(i) }
  last = fibers.map { |f| f.resume(:end) }
  p sum, last.first, last.last, fibers.none?(&:alive?)
end

puts "deep fibers among flat ones"
depths = Array.new(200) { |i| Fiber.new { Fiber.yield; i % 3 == 0 ? deep(500) : native_deep(20) } }
depths.each(&:resume)
p depths.map(&:resume).tally.to_a

puts "fibers that nobody resumes again"
kept = []
5.times do |i|
  400.times { |j| f = Fiber.new { Fiber.yield("text #{i} #{j}"); :never }; kept << f if j % 100 == 0; f.resume }
  GC.start
end
p kept.map(&:resume).tally.to_a

puts "what a resting fiber holds on its stacks lives"
holders = Array.new(50) { |i| Fiber.new { s = "held #{i}"; t = [s, { s => i }]; Fiber.yield; t } }
holders.each(&:resume)
GC.start
10_000.times { |i| "garbage #{i}" }
p holders.map(&:resume).each_with_index.all? { |t, i| t == ["held #{i}", { "held #{i}" => i }] }

puts "inspecting in several fibers at once"
class Pausing
  def initialize(inner) = @inner = inner
  def inspect = (Fiber.yield(:within); "<#{@inner.inspect}>")
end
a = [1]
a << Pausing.new(a)
one, two = Fiber.new { a.inspect }, Fiber.new { a.inspect }
p one.resume, two.resume, one.resume, two.resume
p a.first, [a.size].inspect

puts "arguments"
f = Fiber.new { |*args, **opts| loop { args = [args, opts, Fiber.yield([args, opts.to_a])] } }
p f.resume(1, 2, k: 3)
g = Fiber.new { |x| loop { x = Fiber.yield(x) } }
p g.resume, g.resume, g.resume(1), g.resume(1, 2), g.resume(k: 1).to_a, g.resume(1, k: 2).map(&:to_s).size, g.resume([1, 2]), g.resume(*[])
h = Fiber.new { [Fiber.yield, Fiber.yield(1), Fiber.yield(1, 2), Fiber.yield([3])] }
p h.resume, h.resume(:a), h.resume(:b, :c), h.resume, h.resume(:d)

puts "errors between switches"
e = Fiber.new { begin; Fiber.yield 1; rescue => x; Fiber.yield $!.message; end; $!.inspect }
p e.resume
begin
  raise "outer"
rescue
  p e.raise("inner"), $!.message
  p e.resume, $!.message
end
p $!
