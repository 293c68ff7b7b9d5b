# Calls, loops and iterations that the interpreter runs in few instructions: what they must still notice.

# ---- new ----
class Point
  attr_reader :x, :y

  def initialize(x, y)
    @x = x
    @y = y
    :ignored
  end
end

def make(klass, *args) = args.empty? ? klass.new : klass.new(args[0], args[1])

3.times { |i| p [Point.new(i, i + 1).x, make(Point, i, 2).y] }
begin
  Point.new(1)
rescue ArgumentError => e
  puts e.message, e.backtrace.size > 0
end

class Point
  def initialize(x, y)
    @x = y
    @y = x
    return :other
  end
end
p Point.new(1, 2).x, make(Point, 3, 4).x

class Returns
  attr_reader :seen

  def initialize(list)
    @seen = 0
    list.each do |n|
      return if n > 2
      @seen = n
    end
  end
end
p Returns.new([1, 2, 3, 4]).seen

class Keeps
  attr_reader :given, :block

  def initialize(first, second = first, *rest, key: 1, **others, &block)
    @given = [first, second, rest, key, others]
    @block = block
  end
end
2.times do
  p Keeps.new(1).given, Keeps.new(1, 2, 3, key: 4, other: 5).given
  p Keeps.new(*[1, 2]).given, Keeps.new(1, **{ key: 6 }).given
  p Keeps.new(1) { |v| v + 1 }.block.call(1), Keeps.new(1, &:succ).block.call(2)
end
p(Keeps.new(0) { 1 }.class)

class Breaks
  def initialize = yield
end
p Breaks.new { break :broken }
p Breaks.new { :value }.class

class Own
  def self.new(*args) = [:own, args]
end
2.times { p Own.new(1, 2), Own.new }
class << Own
  remove_method :new
end
p Own.new.class
def Own.new(n) = n
p Own.new(7)

class Plain; end
p Plain.new.class, Plain.new.instance_variables
begin
  Plain.new(1)
rescue ArgumentError => e
  puts e.message
end
class Plain
  def initialize(a) = @a = a
end
p Plain.new(1).instance_variables

class Fails
  def initialize(a) = raise("no #{a}")
end
p((Fails.new(1) rescue $!.message))
p [String.new("s"), Array.new(2, 0), Array.new(2), Hash.new(1)[2], Class.new(Point).new(1, 2).y, Struct.new(:a).new(3).a]

class Self
  def self.make(a) = new(a)
  def self.also(a) = self.new(a)
  private_class_method :new
  attr_reader :a
  def initialize(a) = @a = a
end
2.times { p Self.make(1).a, Self.also(2).a }
p((Self.new(1) rescue $!.class))

class Captures
  attr_reader :proc

  def initialize(n)
    @proc = -> { [self.class, n += 1] }
  end
end
a = Captures.new(1)
b = Captures.new(5)
p a.proc.call, a.proc.call, b.proc.call

# ---- loops ----
class Integer
  alias original_less <
end
def count_to(n)
  i = 0
  i += 1 while i < n
  i
end
p count_to(5), count_to(0)
log = []
class Integer
  def <(other)
    $compared = $compared.to_i + 1
    original_less(other)
  end
end
p count_to(3), $compared
class Integer
  alias < original_less
end
i = 10
begin
  i -= 3
end while i > 0
p i
i = 0
until i >= 4.5
  i += 1
  next if i == 2
  log << i
  redo_done = true
end
p log
class Stops
  include Comparable
  attr_reader :n
  def initialize(n) = @n = n
  def <=>(other) = n <=> other.n
  def succ = Stops.new(n + 1)
end
s = Stops.new(0)
turns = 0
while s < Stops.new(3)
  s = s.succ
  turns += 1
end
p turns
x = while turns > 0
  turns -= 1
  break :early if turns == 1
end
p x
p((begin; nil; end until 1 == 1))

# ---- iteration ----
list = [1, 2, 3]
list.each { |v| list << v * 10 if list.size < 5 }
p list
list.each { |v| list.pop if v == 2 }
p list
p list.map { |v| list.clear if v == 3; v }, list
pairs = [[1, 2], [3], [], 4, [5, 6, 7]]
pairs.each { |a, b| p [a, b] }
pairs.each { |a| p a }
pairs.each { |a,| p a }
pairs.each { |a, (b, c), *d| p [a, b, c, d] }
pairs.each(&->(a) { p a })
p pairs.each_with_index.map { |(a, b), i| [a, b, i] }
p pairs.each_cons(2).to_a.size, pairs.each_slice(2).map(&:size)
smooth = [1, 5, 9, 13]
smooth.each_cons(2) { |l, r| smooth[smooth.index(r)] = (l + r) / 2 }
p smooth
taken = []
growing = [1, 2, 3]
growing.each_slice(2) { |slice| taken << slice; growing << 9 if growing.size < 5 }
p taken
slices = (1..40).to_a.each_slice(20).to_a
slices[0][0] = :changed
p slices[0].first, slices[1].size
def yields_one(v) = yield(v)
def yields_self = yield(self)
p yields_one([1, 2]) { |a, b| [b, a] }, yields_one([1, 2]) { |a| a }, yields_one(3) { |a, b| [a, b] }
p yields_one(5, &:succ), yields_one([1, 2], &proc { |a, b| b }), yields_one([1, 2], &lambda { |a| a })
p 7.instance_eval { yields_one(self) { |v| v + 1 } }
p((yields_one(1) rescue $!.message))
p [3, 4].each_with_object([]) { |v, memo| memo << v }, [1, 2, 3].inject { |a, b| a * b }, [[1, 2]].inject(0) { |m, (a, b)| m + a + b }
p [nil, true, false, nil].count(nil), [1, 1.0, 2].count(1), [:a, "a"].count(:a)

# ---- keywords and optional parameters ----
def area(width:, height: width * 2, scale: 1) = [width, height, scale]
def tail(a, b = a + 1, c = b + 1) = [a, b, c]
def lead(a, key:, other: key) = [a, key, other]
3.times do |n|
  p area(width: n), area(height: 1, width: n), area(scale: 3, height: 2, width: n)
  p tail(n), tail(n, 5), tail(n, 5, 6), lead(n, key: 2), lead(n, other: 3, key: 4)
end
p((area(height: 1) rescue $!.message), (area(width: 1, depth: 2) rescue $!.message), (tail rescue $!.message))
p((tail(1, 2, 3, 4) rescue $!.message))
def area(height:, width: 5) = [:other, height, width]
p area(height: 1), area(width: 2, height: 3)
def fail_late(a, key: raise("default #{a}")) = key
p((fail_late(1) rescue $!.message), fail_late(1, key: 2))
def count_block(a, key: 0, &block) = [a, key, block&.call]
p count_block(1, key: 2), count_block(1, key: 2) { 3 }
def many(a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9) = [a, b, c, d, e, f, g, h, i]
p many(i: 0, a: 0), many(d: :d)

# ---- super ----
class Base
  def initialize(a, b) = @sum = a + b
  def each = yield(@sum)
  def plain(a) = [:base, a]
end
class Derived < Base
  def initialize(a) = super(a, 10)
  def each = super
  def plain(a) = super + [:derived]
end
2.times do
  d = Derived.new(1)
  d.each { |v| p v }
  p d.plain(2)
end
module Between
  def plain(a) = super + [:between]
end
Derived.include(Between)
p Derived.new(1).plain(3)

# ---- arrays, hashes and numbers as they stand ----
array = [1, 2, 3]
array[1] = :two
array[3] = 4
array[-1] = :last
array[6] = 7
p array, array[-7], array[9], array[1.9], array[0], array[-1]
shared = array.dup
shared[0] = :mine
p array[0], shared[0]
frozen = [1].freeze
begin
  frozen[0] = 2
rescue FrozenError => e
  puts e.message
end
p((frozen << 2 rescue $!.class))
long = (0...100).to_a
view = long[10, 60]
view << :end
long[10] = :changed
p view[0], view.last, long[70], view.size
p 5[0], 5[1], 5[70], -1[70], -2[0], 5[-1], (2**70)[70]
class Integer
  alias original_aref []
  def [](n) = [:bit, n]
end
p 5[0]
class Integer
  alias [] original_aref
end
p 5[0]
h = { 1 => :a, nil => :b, true => :c, 1.0 => :d, sym: :e, "s" => :f }
p h[1], h[nil], h[true], h[1.0], h[:sym], h["s"], h[2], h[false], h[0.0]
20.times { |n| h[n] = n * n }
h.delete(7)
p h[7], h[8], h.size, h[1]
h[7] = :again
p h[7], h.keys.last
by_id = {}.compare_by_identity
by_id[1] = :one
by_id["a"] = :a
p by_id[1], by_id["a"], by_id.size
class Subarray < Array
  def [](n) = [:sub, n]
  def <<(v) = super(v * 2)
end
sub = Subarray.new
sub << 4
p sub[0], sub.size, sub.first
p [].empty?, [0].empty?, [1, 2].length, "ä".size, {}.size

# ---- block.call ----
def called(a, b = 0, &block) = block.call(a, b)
def called_one(v, &block)
  [block.(v), block.class]
end
def called_again(&block)
  first = block.call(block)
  second = block.call(2)
  [first, second, block]
end
def replaced(v, &block)
  block = proc { |x| [:other, x] } if v == 2
  block.call(v)
end
def captured(&block)
  [1, 2].map { |v| block.call(v) } << block.call(3)
end
2.times do
  p called(1) { |a, b| [b, a] }, called(1, 2) { |a| a }, called([1, 2]) { |a, b| [a, b] }
  p called_one([1, 2]) { |a, b| [b, a] }, called_one(1) { |a, b| [a, b] }, called_one([5]) { |a| a }
  p called_one(3, &:succ), called_one(3, &lambda { |a| a }), replaced(1) { |a| a }, replaced(2) { |a| a }
  again = called_again { |v| v }
  p again[0] == again[2], again[1], captured { |v| v * 2 }
end
p((called(1, &lambda { |a| a }) rescue $!.message))
p((called(1) rescue $!.message))
p called(1) { break :out }, called(1) { next :on }
def returns = called(1) { return :returned }
p returns
def with_block_argument(&block) = block.call(1) + block.call(*[2]) + block.call(3, &:itself)
p with_block_argument { |v| v }
def safe(&block) = [block&.call(1), block.call]
p((safe rescue $!.message), safe { |v| v })
class Proc
  alias original_call call
  def call(*args) = [:redefined, original_call(*args)]
end
p called(1) { |a| a }, captured { |v| v }
class Proc
  alias call original_call
end
p called(1) { |a| a }
