# What a Struct and a Data show of themselves.
Pair = Struct.new(:left, :right)
Point = Data.define(:x, :y)
p Pair.new, Pair.new(1), Pair.new("é\n", :b), Pair.new([1, Pair.new(2, {a: 1})], nil), Pair.new(1.5, 10**30)
p Point.new(1, "2"), Point.new(x: Point.new(1, 2), y: []), Data.define.new, Struct.new(:a).new(1), Data.define(:a).new(1)
p Struct.new("Odd", :a?, :b!, :"c d", :Up, :é).new(1, 2, 3, 4, 5), Data.define(:"@at", :ok?).new(1, 2)
p Pair.new(1, 2).to_s, "#{Point.new(1, 2)}"

# Itself among its fields.
ring = Pair.new(1)
ring.right = ring
p ring
ring.right = [ring, Pair.new(ring)]
p ring
held = Point.new([], 1)
held.x << held
p held
p ring

# Objects that say what they like, or nothing.
class Shy
  def inspect = "ƒ".encode("UTF-16LE")
end
class Raises
  def inspect = raise("no")
end
class Nothing
  def inspect = nil
end
p Pair.new(Shy.new, 1)
raising = Pair.new(1, Raises.new)
2.times { raising.inspect rescue p $!.message }
p Pair.new(Nothing.new).inspect.sub(/0x\h+/, "0x")

# A field that changes while it is shown.
class Grows
  def initialize(owner) = @owner = owner
  def inspect = (@owner.right = :changed; "grows")
end
changing = Pair.new
changing.left = Grows.new(changing)
p changing

# Subclasses, overridden readers and members.
class Named < Pair
  def left = raise("not asked")
  def members = raise("not asked")
end
p Named.new(1, 2)
p Class.new(Pair).new(1, 2)
m = Module.new
m.const_set(:Inner, Struct.new(:a))
p m::Inner.new(1).inspect
p Struct.new(:a, keyword_init: true).new(a: 1)
p Pair.new(1, 2).freeze, Pair.new(Pair, Point)

# In encodings that cannot be combined.
latin = Struct.new("caf\xE9".dup.force_encoding("ISO-8859-1").to_sym)
p latin.new("é").inspect rescue p $!.class

# A fiber that waits in the middle.
class Waits
  def inspect = Fiber.yield(:waiting)
end
fiber = Fiber.new { Pair.new(Waits.new, 2).inspect }
p fiber.resume, fiber.resume("told")
