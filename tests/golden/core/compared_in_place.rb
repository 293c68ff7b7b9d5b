# Sizes of hashes, strings that are compared, names of classes, and ranges, sets and Rationals that are asked: as machine code and functions
# without a frame answer, and where they do not.
def times_of(n = 300) = n.times.map { yield }.uniq

class Kin < String; end
class Other < Hash; end

# Hashes of any size, and others in between
def sizes(h) = [h.size, h.length, h.empty?]
small = { a: 1, b: 2 }
many = (1..40).to_h { |i| [i, i] }
p times_of { sizes(small) }, times_of { sizes({}) }, times_of { sizes(many) }
p times_of { [small, {}, many, [1], [], "ab", "", Other[1, 2], :sym, Set[1]].map { |x| sizes(x) } }
def grow(h) = 30.times.map { |i| h[i] = i; [h.size, h.empty?] }.last
p times_of { grow({}) }
def shrink(h) = h.keys.map { |k| h.delete(k); h.size } << h.empty?
p times_of { shrink((1..20).to_h { |i| [i, 0] }) }.first.last(3)
class Other
  def size = :mine
  def empty? = :mine
end
p sizes(Other[1, 2]), sizes(small)
def small.empty? = :own
p sizes(small), sizes({ a: 1, b: 2 })

# Strings
def same(x, y) = [x == y, x != y, (x == y ? 1 : 2), (x != y ? 1 : 2)]
long = "x" * 300
pairs = [["abc", "abc"], ["abc", "abd"], ["abc", "ab"], ["", ""], [long, long.dup], [long, long + "y"], [long[0, 250], long[1, 250]]]
pairs.each { |x, y| p times_of { same(x, y) } }
p times_of { same(long, long) }
p times_of { [same("é", "é".b), same("é", "\u00e9".encode("ISO-8859-1")), same("a", "a".b), same("a".encode("UTF-16LE"), "a\0"), same("", "".b)] }
p times_of { [same("a", :a), same("a", nil), same(nil, "a"), same("a", Kin.new("a")), same(Kin.new("a"), "a"), same(:a, :a), same(1, "1"), same("1", 1)] }
likes = Object.new
def likes.to_str = "a"
def likes.==(other) = :asked
p times_of { same("a", likes) }, times_of { same("a", "a") }
class Kin
  def ==(other) = :mine
end
p same(Kin.new("a"), "a"), same("a", Kin.new("a"))
def literal(x) = x == "word" ? :word : x == "other" ? :other : :none
p times_of { %w[word other third].map { |x| literal(x) } }, times_of { [nil, :word, 3].map { |x| literal(x) } }
changing = +"a"
p times_of(20) { changing << "b"; [changing == "ab", changing.size > 1] }
class String
  alias equal_before ==
  def ==(other) = :redefined
end
redefined = same("a", "a").first(2)
class String
  alias == equal_before
end
p redefined, same("a", "a")

# Names
module Outer
  class Inner; end
end
def name_of(c) = c.name
p times_of { [name_of(Outer), name_of(Outer::Inner), name_of(String), name_of(Class.new), name_of(Kin.singleton_class)] }
p name_of(Outer).equal?(name_of(Outer)), name_of(Outer).frozen?
made = Class.new
p times_of { name_of(made) }
made.set_temporary_name("fake<name>")
p times_of { name_of(made) }
made.set_temporary_name(nil)
p times_of { name_of(made) }
Made = made
p times_of { name_of(made) }
Again = made
p name_of(made)
holder = Module.new
holder::Inside = Class.new
p name_of(holder::Inside)[/::.*/]
Held = holder
p times_of { name_of(Held::Inside) }
GC.start
p name_of(Outer::Inner), name_of(made)
def Outer.name = "mine"
p name_of(Outer), Outer.to_s

# Ranges
def within(r, x) = [r === x, r.include?(x), r.member?(x), r.cover?(x)]
p times_of { [within((1..5), 3), within((1..5), 6), within((1...5), 5), within((1..), 7), within((..3), 3)] }
p times_of { [within((1..5), 2.5), within((1.0..2.5), 2), within(("a".."c"), "b"), within((1..5), 2**70), within((1..2**70), 2**69)] }
p times_of { [(1..5) === "a", (1..5).cover?(2..3), ("a".."z") === "bb"] }
class Integer
  alias order_before <=>
  def <=>(other) = other.is_a?(Integer) ? -order_before(other) : order_before(other)
end
turned = (1..5).include?(3)
class Integer
  alias <=> order_before
end
p turned, (1..5).include?(3)

# Rationals and sets
half, third = 1r / 2, 1r / 3
def orders(x, y) = [x == y, x <=> y]
p times_of { [orders(half, third), orders(half, 2r / 4), orders(half, 1), orders(2r, 2), orders(half, 0.5), orders(half, nil), orders(half, :a)] }
p times_of { [orders((2**70) / 3r, half), orders(half, 2**70 / 7r), orders(2r**61, 2r**61 + 1), orders(-half, third)] }
def same_sets(x, y) = [x == y, x.eql?(y)]
s = Set[1, 2, 3]
p times_of { [same_sets(s, s), same_sets(s, Set[1, 2]), same_sets(s, Set[3, 2, 1]), same_sets(s, [1, 2, 3]), same_sets(s, Set[1, 2, 3].compare_by_identity)] }
p times_of { [[1].freeze, { a: 1 }.freeze, [].freeze.frozen?, {}.freeze.frozen?] }
frozen = [1].freeze
p times_of { frozen.freeze.equal?(frozen) }
class Array
  alias freeze_before freeze
  def freeze = :mine
end
p frozen.freeze
class Array
  alias freeze freeze_before
end

# Objects that are equal to themselves alone, until they are more
class Thing; end
class Sorted
  include Comparable
  attr_reader :rank
  def initialize(rank) = @rank = rank
  def <=>(other) = other.is_a?(Sorted) ? rank <=> other.rank : nil
end
class Blank < BasicObject; end
one, other, blank = Thing.new, Thing.new, Blank.new
def if_same(x, y) = if x == y then :same elsif x != y then :other else :neither end
p times_of { [if_same(one, one), if_same(one, other), if_same(one, nil), if_same(one, 1.5), if_same(one, "s")] }
p times_of { same(one, one) }, times_of { same(one, other) }, times_of { same(blank, blank) }, times_of { same(blank, 1) }
p times_of { [same(Sorted.new(1), Sorted.new(1)), same(Sorted.new(1), Sorted.new(2)), same(Sorted.new(1), one), same(Object, Object), same(Object, one)] }
p times_of { [one, 1, nil, "a", :b, 2.5, [1], { a: 1 }, Sorted.new(3), Object].map { |x| same(x, one) } }.size
def other.==(x) = :own
p [same(other, one), same(one, other), if_same(other, one)]
class Thing
  def ==(x) = x == 3 ? :three : nil
end
p [same(one, 3), same(one, one), if_same(one, 3), if_same(one, one)]
class Thing
  def !=(x) = :differs
end
p [same(one, one), if_same(one, one)]
class Thing
  remove_method :==, :!=
end
p [same(one, one), if_same(one, other)]
p times_of { ["", "a", +"", "é", "x" * 50, "xyz" * 40].map(&:empty?) }, times_of { ["".empty?, "a".empty?, ("x" * 60)[30, 0].empty?, ("x" * 60)[30, 9].empty?] }
def ends_of(l) = [l.first, l.last]
p times_of { [[], [1], [nil], [1, 2]].map { |l| ends_of(l) } }
