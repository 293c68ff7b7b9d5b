# Sites that are called again and again: splats, procs, block methods, `new` with all kinds of parameters; and what changes them.

class Target
  def one(a) = [a]
  def two(a, b = :b) = [a, b]
  def rest(a, *all) = [a, all]
  def post(a, *all, z) = [a, all, z]
  def key(a = 0, k: 1) = [a, k]
  def opts(*all, **keys) = [all, keys]
  def blk(*all, &block) = [all, block&.call]
  def giving(a) = block_given? ? yield(a) : a
end

class Delegate
  def initialize(target) = @target = target
  def one(*list) = @target.one(*list)
  def two(*list) = @target.two(*list)
  def rest(*list) = @target.rest(0, *list)
  def post(*list) = @target.post(*list)
  def key(*list) = @target.key(*list)
  ruby2_keywords def opts(*list) = @target.opts(*list)
  def blk(*list, &block) = @target.blk(*list, &block)
  def giving(*list, &block) = @target.giving(*list, &block)
  def native(*list) = [3, 1, 2].max(*list)
  def each_native(*list, &block) = [1, 2, 3].each_slice(*list, &block)
end

d = Delegate.new(Target.new)
3.times do
  p d.one(1), d.two(1), d.two(1, 2), d.rest, d.rest(1, 2), d.post(1, 2), d.post(1, 2, 3), d.key, d.key(1)
  p d.opts(1, a: 2), d.opts, d.opts({ b: 1 }), d.blk(1), d.blk(1) { :block }, d.giving(1), d.giving(1) { |x| x + 1 }
  p d.native, d.native(2), d.each_native(2) { |x| print x.inspect, " " }
end
p d.rest(*1..200).flatten.sum
[[], [1, 2]].each { |list| d.one(*list) rescue puts $!.message }
[[], [1, 2, 3]].each { |list| d.two(*list) rescue puts $!.message }
d.native(1, 2) rescue puts $!.message
def to_symbol_proc(list, *args) = list.map(*args, &:to_s)
2.times { p to_symbol_proc([1, 2]) }
def conversion(list, block) = [list].each(*[], &block)
(conversion([1], 5)) rescue puts $!.message

puts "-- procs"
procs = [proc { |a| [a] }, proc { |a, b| [a, b] }, proc { |*a| a }, proc { |a, b = 1| [a, b] }, lambda { |a| a },
         lambda { |a, b = 2| [a, b] }, :to_s.to_proc, 5.method(:+), 7.method(:-).to_proc, proc { |a, k: 1| [a, k] }]
3.times { procs.each { |f| print f.call(1), f.(2), f[3], f === 4, " " } }
puts
2.times { p procs[0].call([1, 2]), procs[1].call([1, 2]), procs[1].call, procs[4].call([1]) }
2.times { procs[4].call rescue puts $!.message }
def early(f)
  f.call(1)
  :after
end
p early(lambda { |x| return x })
def leaves = early(proc { |x| return [:left, x] })
2.times { p leaves }
stale = [1].each_with_object([]) { |_, a| def a.make = proc { return 1 } }.make
2.times { stale.call rescue puts $!.message }
counter = 0
bump = proc { |by| counter += by }
100.times { |i| bump.call(i) }
p counter
recursive = ->(n) { n == 0 ? 0 : 1 + recursive.call(n - 1) }
p recursive.(100)

puts "-- methods made of blocks"
class Made
  seen = []
  define_method(:plain) { [self.class, seen.size] }
  define_method(:add) { |x| seen << x; return seen.size if x > 1; :small }
  define_method(:splat) { |*all| all }
  define_method(:auto) { |(a, b)| [a, b] }
  define_method(:name_of) { __method__ }
  define_method(:deep) { |n| n == 0 ? caller.size >= 0 : deep(n - 1) }
end
m = Made.new
3.times { |i| p m.plain, m.add(i), m.splat(i), m.auto([i, i]), m.name_of, m.deep(3) }
2.times { m.add rescue puts $!.message }
2.times { m.plain(1) rescue puts $!.message }
class Made
  define_method(:plain) { |x| [:new, x] }
end
p m.plain(5)

puts "-- new"
class Opt
  attr_reader :got
  def initialize(a, b = a) = @got = [a, b]
end
class Rest
  attr_reader :got
  def initialize(a = 1, *all, k: 5) = @got = [a, all, k]
end
class Key
  attr_reader :got
  def initialize(a = nil, k:, l: k + 1) = @got = [a, k, l]
end
class None
  def got = []
end
class Str < String
  def initialize(text, more = "!") = super(text + more)
  def got = to_s
end
def make(c) = c.new(1)
def make2(c) = c.new(1, 2)
def make_key(c) = c.new(k: 3)
def make_text(c) = c.new("text")
3.times do
  p make(Opt).got, make(Rest).got, make2(Opt).got, make2(Rest).got, make_key(Key).got, make_key(Rest).got, make_text(Str).got
  make(None) rescue puts $!.message
  make(Key) rescue puts $!.message
  make_key(Opt).then { |o| p o.got }
end
class Opt
  def initialize(*list) = @got = [:changed, list]
end
class Key
  def initialize(j: 0, **rest) = @got = [j, rest]
end
p make(Opt).got, make2(Opt).got, make_key(Key).got
class Rest
  def initialize(a, b) = @got = [:both, a, b]
end
make(Rest) rescue puts $!.message
p make2(Rest).got
class Key
  def self.new(...) = :instead
end
p make_key(Key), make(Opt).got
