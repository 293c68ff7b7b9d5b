# Structs and Data that nobody keeps are not made by compiled code; whoever looks at one finds what the interpreter makes.

N = 30_000

def loops(n = N)
  sum = 0
  i = 0
  while i < n
    sum += yield(i)
    i += 1
  end
  sum
end

Point = Struct.new(:x, :y) do
  def +(other) = Point.new(x + other.x, y + other.y)
  def dot(other) = x * other.x + y * other.y
  def far? = x > 10
end
Named = Struct.new(:name, :age, keyword_init: true)
Either = Struct.new(:a, :b, keyword_init: nil)
Pair = Data.define(:left, :right) do
  def sum = left + right
  def with_more(n) = with(left: left + n)
end
Empty = Data.define
One = Struct.new(:one)
class Tagged < Struct.new(:value)
  attr_accessor :tag
  def tagged = (self.tag = value * 2)
end
class Checked < Struct.new(:value)
  def initialize(value) = super(value.abs)
end
Many = Struct.new(*("a".."l").map(&:to_sym))
At = Struct.new(:"x y", :y?, :z)

p loops { |i| Point.new(i, 1).dot(Point.new(2, 3)) }
p loops { |i| (Point.new(i, 1) + Point.new(2, 3)).y }
p loops { |i| Point.new(i).y.nil? ? 1 : 2 }
p loops { |i| Point.new.x.to_a.size }
p loops { |i| q = Point.new(i, 1); q.x = 7; q.y += 1; q.x + q.y }
p loops { |i| Point.new(i, 1).far? ? 1 : 0 }
p loops { |i| Named.new(name: i, age: 2).name }
p loops { |i| Either.new(a: i).a + Either.new(i, 2).b }
p loops { |i| Pair.new(i, 2).sum + Pair.new(right: 1, left: i).left }
p loops { |i| Pair.new(i, 2).with_more(3).left }
p loops { |i| Empty.new.to_h.size }
p loops { |i| One.new([i, 1]).one.sum }
p loops { |i| Tagged.new(i).tagged }
p loops { |i| Checked.new(-i).value }
p loops { |i| Many.new(i, 2, 3).a + Many.new(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12).l }
p loops { |i| At.new(1, 2, i).z }
p loops { |i| Pair.new(i * 1e300, 0.5).right + Pair[1, i].right }

# What looks at the object itself.
p loops(3000) { |i| Point.new(i, 1) == Point.new(i, 1) ? 1 : 0 }
p loops(3000) { |i| Point.new(i, 1).equal?(Point.new(i, 1)) ? 1 : 0 }
p loops(3000) { |i| Point.new(i, 1).to_a.sum + Point.new(i, 1).hash % 1 }
p loops(3000) { |i| x, y = *Point.new(i, 1); x + y }
p loops(3000) { |i| case Pair.new(i, 1); in { left:, right: } then left + right end }
p loops(3000) { |i| Point.new(i, 1).frozen? || !Pair.new(i, 1).frozen? ? 1 : 0 }
p loops(3000) { |i| Point.new(i, "s").inspect.size + Pair.new(i, nil).inspect.size }
kept = []
p loops(3000) { |i| q = Pair.new(i, i.to_s); kept << q if i % 100 == 0; q.right.size }
p kept.size, kept.last, kept.sum(&:left)
kept = []
p loops(3000) { |i| q = Point.new(i, 2); kept << q if i > 2995; q.x += 1; q.x }
p kept

# Errors.
def message
  yield
rescue ArgumentError, NoMethodError, FrozenError => error
  "#{error.class}: #{error.message}"
end

def last_message(n)
  i = 0
  last = nil
  while i < n
    last = message { yield i == n - 1 }
    i += 1
  end
  last
end

puts last_message(3000) { |is_last| is_last ? Point.new(1, 2, 3) : Point.new(1, 2) }
puts last_message(3000) { |is_last| is_last ? Pair.new(1) : Pair.new(1, 2) }
puts last_message(3000) { |is_last| is_last ? Pair.new(left: 1, wrong: 2) : Pair.new(left: 1, right: 2) }
puts last_message(3000) { |is_last| Pair.new(1, 2).instance_variable_set(:@left, 3) if is_last; Pair.new(1, 2).left }
puts last_message(3000) { |is_last| q = Pair.new(is_last ? nil : 1, 2); q.left + q.right }
puts last_message(3000) { |is_last| is_last ? Pair.new(1, 2).left = 3 : 1 }

# `initialize` and members mean something else later.
seen = []
4000.times do |turn|
  if turn == 2000
    class Point
      def initialize(x = 0, y = 0) = super(x + 100, y)
    end
  end
  Pair.define_method(:left) { 5 } if turn == 3000
  seen << [Point.new(turn, 1).x - turn, Pair.new(turn, 1).left - turn] if turn % 1000 == 999
  Point.new(turn, 1).x + Pair.new(turn, 1).left
end
p seen

# Fields beside the members.
p loops(3000) { |i| q = Tagged.new(i); q.tag = 1; q.instance_variable_set(:@other, i); q.tag + q.value + q.instance_variables.size }
p Tagged.new(1).tap { |q| q.tag = 2 }, Tagged.new(1).size
p Ractor.shareable?(Pair.new(1, "a".freeze)), Ractor.shareable?(Pair.new(1, +"a"))
