# Objects that die where they are made, and those that something keeps: whoever looks at one finds the same.

class V
  attr_reader :x, :y
  attr_accessor :z

  def initialize(x, y)
    @x = x
    @y = y
  end

  def dot(other) = @x * other.x + @y * other.y
  def +(other) = V.new(@x + other.x, @y + other.y)
  def ==(other) = other.is_a?(V) && @x == other.x && @y == other.y
  def shift!(by)
    @x += by
    self
  end
  def either(flag) = flag ? self : nil
end

# What multiplies too large, or is no Integer, is found in the middle of methods of objects.
def dots(values)
  values.map { |a, b| V.new(a, b).dot(V.new(2, 3)) }
end
60.times { dots([[1, 2], [3, 4]]) }
p dots([[1, 2], [2**61, 1], [1.5, 2], [1, 2r], [2**70, -1], [0, 1e300]])

def loop_of_dots(n)
  i = s = 0
  while i < n
    s += V.new(i, 1).dot(V.new(2, 3))
    i += 1
  end
  s
end
p Array.new(30) { |n| loop_of_dots(n * 7) }.sum

# Errors raised inside of initialize and of methods; handlers that look at the object.
class Strict
  attr_reader :value, :log

  def initialize(value)
    @log = :begun
    @value = value + 1
    @log = :done
  end

  def plus(other) = @value + other
end

def strict(value, other)
  made = nil
  begin
    made = Strict.new(value)
    made.plus(other)
  rescue TypeError, NoMethodError => e
    [made&.value, made&.log, e.message, e.backtrace.first(2).map { |line| line[/\d+(?=:)/].to_i }]
  end
end
80.times { strict(1, 2) }
p strict(1, 2), strict(1, nil), strict(nil, 1), strict(2.5, 1), strict(2**62 - 1, 1)

# One object under two names, and in the field of another.
class Holder
  attr_reader :held
  def initialize(held) = @held = held
  def both = [@held, self]
end

def aliases(a, b, keep)
  one = V.new(a, b)
  other = one
  holder = Holder.new(one)
  other.shift!(10)
  total = one.x + holder.held.y + other.x
  return [total, one.equal?(other), holder.held.equal?(one), holder.both.first.equal?(other)] if keep
  total
end
100.times { aliases(1, 2, false) }
p aliases(1, 2, false), aliases(1, 2, true), aliases(2**62 - 11, 2, true), aliases(1.5, 2, true)

# Objects that know each other.
class Node
  attr_reader :next
  attr_writer :next
  def initialize(name) = (@name = name; @next = self)
  def link(other) = @next = other
  def name = @name
end

def rings(name)
  a = Node.new(name)
  b = Node.new(name + 1)
  a.link(b)
  b.link(a)
  a.next.next.name + b.next.next.name
end
100.times { rings(1) }
p rings(1), rings(2**62 - 2), rings(1.5)

# Branches that make different objects, leave fields unset, or give them another order.
class Branchy
  def initialize(kind)
    if kind == 0
      @a = 1
      @b = 2
    elsif kind == 1
      @b = 3
      @a = 4
    else
      @a = kind
    end
    @c = @a
  end

  def sum = (@a || 0) + (@b || 0) + @c
end

def branches(kind, other)
  one = other ? Branchy.new(kind) : Branchy.new(kind + 1)
  one.sum + (one.instance_variables.size if other == :all).to_i
end
100.times { |i| branches(i % 3, i.even?) }
p branches(0, true), branches(1, true), branches(2, true), branches(0, false), branches(5, :all), branches(2**62 - 1, true)

# Objects that turn over: each is made of the one before.
def walk(n)
  v = V.new(0, 0)
  step = V.new(1, 2)
  i = 0
  while i < n
    v = v + step
    i += 1
  end
  [v.x, v.y]
end
p walk(10), walk(500), Array.new(20) { |n| walk(n) }.last

def previous(n)
  before = nil
  s = 0
  n.times do |i|
    v = V.new(i, s)
    s += before ? before.x : 100
    before = v
  end
  [s, before.x, before.y]
end
p Array.new(30) { |n| previous(n + 1) }.last

# One that a loop changes.
class Counter
  attr_reader :count
  def initialize = @count = 0
  def add(n) = @count += n
end

def count_up(n)
  counter = Counter.new
  n.times { |i| counter.add(i) }
  counter.count
end
p Array.new(30) { |n| count_up(n * 10) }.sum, count_up(3)

# Kept by arrays, hashes, instance variables, blocks, and by nobody.
KEPT = []
def keep(v, how)
  made = V.new(v, how)
  case how
  when 1 then KEPT << made
  when 2 then @kept = made
  when 3 then -> { made.x }
  when 4 then { made: }
  when 5 then [made, made]
  when 6 then binding
  else made.x
  end
end
100.times { |i| keep(i, 0) }
p keep(7, 1).last.x, keep(8, 2).x, @kept.y, keep(9, 3).call, keep(10, 4)[:made].x
p keep(11, 5).uniq.size, keep(12, 6).local_variable_get(:made).x, keep(13, 0)
100.times { |i| keep(i, i % 7) }
p KEPT.size, KEPT.map(&:x).sum, KEPT.uniq(&:object_id).size, @kept.x

# Comparisons, nil, truth, and what an object is.
def asks(a, b)
  one = V.new(a, b)
  two = V.new(a, b)
  [one == two, one.equal?(two), one.nil?, !one, one ? 1 : 2, one.is_a?(V), one.class, one.respond_to?(:dot), one.frozen?,
   one&.x, (one || two).y, one.either(true)&.x, one.either(false)&.x, one.itself.x, one.z, one != two]
end
120.times { asks(1, 2) }
p asks(1, 2), asks(1.0, 2r)

# Fields that come later, and more of them than there is room for.
class Large
  def initialize(n)
    @a = @b = @c = @d = @e = n
    more(n) if n > 90
  end

  def more(n)
    @f = @g = @h = @i = @j = @k = @l = @m = @n = @o = @p = @q = @r = @s = n
    self
  end

  def sum = [@a, @b, @e, @f, @s].compact.sum
end
p Array.new(120) { |n| Large.new(n).sum }.last(3), Large.new(1).more(5).sum

# Optional parameters, keywords, blocks, and super.
class Options
  attr_reader :list
  def initialize(a, b = a + 1, *rest, c: 3, d: c + b) = @list = [a, b, rest, c, d]
end
class Two
  attr_reader :a, :b
  def initialize(a, b = a * 2) = (@a = a; @b = b)
end
class Named
  attr_reader :c, :d
  def initialize(c:, d: c + 1) = (@c = c; @d = d)
end
class Yields
  attr_reader :v
  def initialize(v) = @v = block_given? ? yield(v) : v
end
class Under < Two
  def initialize(a) = (super(a, a + 5); @c = @b)
  def c = @c
end
def options(n)
  [Options.new(n).list, Options.new(n, 2, 3, d: 4).list, Two.new(n).b, Two.new(n, 5).b, Named.new(c: n).d, Named.new(d: n, c: 1).d,
   Yields.new(n).v, Yields.new(n) { |x| x + 1 }.v, Under.new(n).c]
end
100.times { options(1) }
p options(2), options(2**62 - 1), (Named.new(d: 1) rescue $!.message), (Two.new rescue $!.message)

# What a class does changes while code runs that makes its objects.
class Changing
  attr_reader :n
  def initialize(n) = @n = n
end
def changing(i) = Changing.new(i).n
seen = []
400.times do |i|
  seen << changing(i) if i % 40 == 39
  case i
  when 50 then class Changing; def initialize(n) = @n = n + 1000; end
  when 130 then class Changing; attr_reader :m; def n = @n * 2; end
  when 170 then def Changing.new(n) = super(n + 1)
  when 250 then Object.send(:remove_const, :Changing); class Changing; def initialize(n) = @n = -n; def n = @n; end
  when 330 then class Changing; undef_method :initialize; def initialize(n) = (@m = n; @n = @m); end
  else changing(i)
  end
end
p seen

# Every object is there for the one who counts, and is swept when nobody has it.
class Counted
  def initialize(n) = @n = n
  def n = @n
end
def counted(n, keep)
  made = Counted.new(n)
  GC.start if keep
  made.n + (keep ? ObjectSpace.each_object(Counted).count { |one| one.n == n } : 0)
end
100.times { |i| counted(i, false) }
p counted(5000, true), counted(2**62, true) - 2**62

# Frozen ones, those with singletons, and instance variables by their names.
def odd_ones(n)
  a = V.new(n, 1).freeze
  begin
    a.shift!(1)
  rescue FrozenError
    n += 1
  end
  b = V.new(n, 2)
  def b.x = 100
  c = V.new(n, 3)
  c.instance_variable_set(:@x, 50)
  d = c.dup
  [n, b.dot(c), d.x, c.instance_variable_get(:@y), V.allocate.x, a.x]
end
60.times { odd_ones(1) }
p odd_ones(1), odd_ones(2**61)

# A method that leaves through a block, with objects alive in all frames.
def through(n)
  a = V.new(n, 1)
  [1, 2, 3].each do |i|
    b = V.new(i, a.x)
    return [a.x, b.dot(a)] if b.x > 1 && n > 50
    next if b.x == n
    a.shift!(b.x)
  end
  a.x
end
p Array.new(60) { |n| through(n) }.last(3), through(2**62 - 2)
