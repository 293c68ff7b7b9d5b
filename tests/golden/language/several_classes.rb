# Calls that meet receivers of several classes, and of several shapes of one.

class A
  attr_reader :a
  def initialize(a) = @a = a
  def value = @a
  def with(x) = @a + x
  def list = [@a, :a]
  def each = yield(@a)
  def call(*) = raise(ArgumentError, "A")
end

class B
  attr_reader :other, :a
  def initialize(a) = (@other = a * 2; @a = a + 1)
  def value = @other
  def with(x) = @a * x
  def list = [@a, :b]
  def each = (yield(@a); yield(@other))
  def call(x) = x
end

class C < A
  def value = super + 100
  def with(x) = x.zero? ? C.new(@a) : -x
  def late = @late ||= @a
end

class D
  def a = 7
  def value = nil
  def with(x) = [x]
  def list = nil
  def each = 3.times { |i| yield i }
  def call(x) = yield_self { x + 1 }
end

def values(list) = list.map { |one| one.value }
def reads(list) = list.sum { |one| one.a }
def withs(list, x) = list.map { |one| one.with(x).then { |w| w.is_a?(A) ? w.a : w } }
def firsts(list) = list.sum { |one| (first, kind = one.list; kind == :a ? first : 1) }
def eaches(list) = list.sum { |one| (s = 0; one.each { |x| s += x }; s) }
def calls(list) = list.map { |one| (one.call(1) rescue $!.message) }

TWO = [A.new(1), B.new(2), A.new(3)].freeze
THREE = [A.new(1), B.new(2), C.new(3), B.new(4)].freeze
FOUR = [A.new(1), B.new(2), C.new(3), D.new].freeze

[TWO, THREE, FOUR].each do |list|
  80.times { values(list); reads(list); withs(list, 2); firsts(list); eaches(list); calls(list) }
  p values(list), reads(list), withs(list, 3), firsts(list), eaches(list), calls(list)
end
p withs(TWO, 2**62), withs(THREE, 0), withs(TWO, 1.5), (withs(TWO, nil) rescue $!.message), withs(THREE, 2r)
p (values([1, nil]) rescue $!.message), (reads([nil]) rescue $!.message), (values(TWO + [nil]) rescue [$!.message, $!.backtrace.size > 2])

# Others come later: more classes than are remembered, singletons, what is no object of its own.
def area(shape) = shape.area
CLASSES = Array.new(9) { |n| Class.new { define_method(:area) { n } } }
class Integer; def area = self; end
class NilClass; def area = -1; end
class Float; def area = floor; end
class Symbol; def area = size; end
seen = []
300.times do |i|
  kinds = i < 60 ? 1 : i < 120 ? 2 : i < 180 ? 4 : 9
  seen << area(CLASSES[i % kinds].new)
  seen << area([i, nil, 1.5, :abc, 1e300, 2**70][i % 6]).clamp(-5, 400) if i > 240
end
single = CLASSES[0].new
def single.area = 1000
p seen.sum, area(single), area(CLASSES[8].new), area(5)

# One class whose objects have several shapes.
def late(list) = list.sum { |c| c.late + c.a }
cs = Array.new(10) { |n| C.new(n) }
cs[3].late
cs[7].instance_variable_set(:@z, 1)
60.times { late(cs.map(&:dup)) }
p late(cs), late(cs)

# Redefined, and refined by modules, while code runs.
def redefined(one) = one.value
log = []
list = [A.new(1), B.new(2), C.new(3)]
360.times do |i|
  log << redefined(list[i % 3]) if i % 40 > 36
  class B; def value = @a * 10; end if i == 100
  list[0].singleton_class.prepend(Module.new { def value = super + 5 }) if i == 180
  class C; undef_method :value; end if i == 250
rescue NoMethodError => e
  log << e.name
end
p log

# Objects that are not made, met by such calls.
def brief(i)
  one = i.even? ? A.new(i) : B.new(i)
  two = A.new(i)
  three = i % 3 == 0 ? two : one
  one.value + two.with(1) + three.a
end
200.times { |i| brief(i) }
p brief(2), brief(3), brief(6), brief(2**62 - 1), (brief(nil) rescue $!.message), brief(2**62)

# In a method of their own, with exits, blocks and errors in the middle.
def own(one, x)
  y = one.with(x)
  z = one.each { |e| break e + y if y > 3 }
  [y, z, one.value]
end
class A; def go(x) = [with(x), value, a]; end
100.times { |i| own(TWO[i % 3], i); [A.new(1), A.new(2.5), A.new(0)][i % 3].go(i) }
p own(TWO[0], 1), own(TWO[1], 4), (own(TWO[0], nil) rescue [$!.message, $!.backtrace.first(2).map { |l| l[/:(\d+):/, 1] }]), (own(3, 4) rescue $!.message)
p A.new(1).go(2), (C.new(2).go(1) rescue $!.class), (C.new(2).go(0) rescue $!.name)
