# Operators of the program's own where a branch or a `case` asks them, often enough to be compiled, and what may change meanwhile.
class Size
  attr_accessor :n
  def initialize(n) = @n = n
  def <(other) = n < other.n
  def <=(other) = n <= other.n ? :yes : nil
  def >(other) = (n > other.n) || nil
  def >=(other) = n >= other.n
  def ==(other) = other.is_a?(Size) && n == other.n
  def ===(other) = other.respond_to?(:n) ? n == other.n : (other == n ? 1 : nil)
end

def ask(a, b)
  found = +""
  found << "<" if a < b
  found << "l" unless a <= b
  found << ">" if a > b
  found << "g" unless a >= b
  found << "=" if a == b
  found << "!" if a != b
  found << "t" if a < b || a == b
  found << "u" if a >= b && a <= b
  found << (a == b ? "y" : "n")
  found
end

def which(x, *patterns)
  case x
  when patterns[0] then 0
  when patterns[1], patterns[2] then 1
  when *patterns[3..] then 2
  else :none
  end
end

def shaped(x, pattern)
  case x
  in ^pattern then :matched
  in [^pattern, *] then :first
  else :other
  end
end

SMALL, LARGE, SAME = Size.new(1), Size.new(5), Size.new(5)
def all
  [ask(SMALL, LARGE), ask(LARGE, SMALL), ask(LARGE, SAME), ask(1, 2), ask(2.5, 2), ask("a", "b"), ask(2**70, 1)]
end
def cases
  [which(5, SMALL, SAME, 3), which(SMALL, LARGE, 1..3, SMALL), which("x", /y/, String, LARGE), which(7, SMALL, LARGE, nil, 7..),
   which(9, SMALL, LARGE, nil, SMALL), shaped(5, LARGE), shaped([1], SMALL), shaped(2, SMALL)]
end
400.times { all; cases }
p all, cases

# Turns that end by an operator, and that go on by one.
def up_to(limit)
  at, turns = Size.new(0), 0
  while at < limit
    at = Size.new(at.n + 1)
    turns += 1
  end
  begin
    at = Size.new(at.n - 1)
    turns += 1
  end until at == SMALL
  turns
end
p 300.times.sum { up_to(SAME) }
p up_to(Size.new(5000))

# Several classes at one place, numbers among them.
class Other < Size
  def <(other) = super && other.n.odd?
  def ==(other) = n * 2 == other.n
end
def least(list)
  best = list.first
  list.each { |one| best = one if one < best }
  best
end
def equal_to(list, x)
  count = 0
  list.each { |one| count += 1 if one == x }
  count
end
300.times { least([3, 1, 2]); least([SAME, SMALL, LARGE]); least([Other.new(4), Other.new(2), SMALL]) }
p least([3, 1, 2]), least([SAME, SMALL]).n, least([Other.new(4), Other.new(2), SMALL]).n
p equal_to([1, 1.0, Other.new(1), Size.new(2), nil, :a, "a", Object.new], Size.new(2))

# What is given is a string of its own.
class Keeper
  attr_reader :kept
  def ==(other)
    (@kept ||= []) << other
    other << "!"
    true
  end
end
def keeps(keeper)
  count = 0
  count += 1 if keeper == "word"
  count -= 1 if keeper != "other"
  count
end
keeper = Keeper.new
300.times { keeps(keeper) }
p keeps(keeper), keeper.kept.uniq, keeper.kept.map(&:object_id).uniq.size

# Private operators are for self.
class Hidden
  def own(other) = self < other ? 1 : 2
  def theirs(other) = other < self ? 1 : 2
  def own_case(x)
    case x
    when self then 1
    else 2
    end
  end
  private
  def <(_) = true
  def ===(x) = x == 3
end
hidden = Hidden.new
300.times { hidden.own(1); hidden.own_case(3) }
p hidden.own(1), hidden.own_case(3), hidden.own_case(4)
begin
  hidden.theirs(Hidden.new)
rescue NoMethodError => e
  puts e.message
end

# Missing methods, errors, and where they are told of.
class Ghost
  def method_missing(name, *arguments) = name == :< ? arguments.first : super
  def respond_to_missing?(name, all = false) = name == :<
end
def less(a, b) = a < b ? :less : :not
300.times { less(Ghost.new, true) }
p less(Ghost.new, 3), less(Ghost.new, nil)
[[nil, 1], [Object.new, 1], [SMALL, 1], [BasicObject.new, 2]].each do |a, b|
  less(a, b)
rescue NoMethodError => e
  puts e.message.sub(/0x\h+/, "")
  puts e.backtrace.map { |line| line[/\d+:.*/] }.first(2)
end
class Raises
  def initialize(what) = @what = what
  def <(_) = @what ? raise("raised") : true
  def ===(_) = @what ? throw(:caught, @what) : false
end
def guarded(a)
  count = 0
  begin
    count += 1 if a < 1
    count += 10
  rescue => e
    count += 100
  ensure
    count += 1000
  end
  count
end
300.times { guarded(Raises.new(nil)) }
p guarded(Raises.new(true)), guarded(Raises.new(nil))
def thrown(a)
  catch(:caught) do
    case 1
    when a then :yes
    else :no
    end
  end
end
300.times { thrown(Raises.new(nil)) }
p thrown(Raises.new(:out)), thrown(Raises.new(nil))

# The caller, its variables and its block, seen by an operator.
class Looks
  def ==(other) = caller_locations(1, 1).first.lineno - other
  def <(other) = Fiber.yield(other)
end
def looked(a, line)
  count = 0
  count += 1 if a == line
  if a == line then count += 2 end
  count
end
300.times { looked(Looks.new, 1) }
p looked(Looks.new, __LINE__)
fiber = Fiber.new { |x| 400.times.map { less(Looks.new, x) }.tally }
value = fiber.resume(:first)
399.times { |i| value = fiber.resume(i.even?) }
p value, fiber.resume(false)

# Redefined while it is asked.
def asked(a, b)
  found = []
  30.times do |i|
    if i == 20
      Size.class_eval { def <(_) = false; def ===(_) = true }
    end
    found << (a < b ? 1 : 0)
    found << case a when b then 2 else 3 end
  end
  found.tally
end
20.times { less(SMALL, LARGE); which(SMALL, LARGE) }
p asked(SMALL, LARGE)
p less(SMALL, LARGE), which(SMALL, LARGE)

module Turned
  refine Size do
    def <(_) = :refined
    def ===(_) = false
  end
end
module Uses
  using Turned
  def self.less(a, b) = a < b ? :less : :not
  def self.which(a, b) = case a when b then 1 else 2 end
end
p 300.times.map { [Uses.less(SMALL, LARGE), Uses.which(SMALL, LARGE)] }.tally
p less(SMALL, LARGE), which(SMALL, LARGE)

# Integers, at last.
def numbers(a, b) = [a < b ? 1 : 2, a == b ? 3 : 4, a < 3 ? 5 : 6, (case a when b then 7 else 8 end)]
300.times { numbers(1, 2) }
p numbers(1, 2), numbers(2, 2)
class Integer
  alias_method :less_than, :<
  def <(other) = other == 2 ? nil : less_than(other)
end
p numbers(1, 2), numbers(1, 3)
class Integer
  alias_method :<, :less_than
end
p numbers(1, 2)
