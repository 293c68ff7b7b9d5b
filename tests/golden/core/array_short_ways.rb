# What arrays do without calls where elements allow it, and elements that do not.
class Loud
  attr_reader :n
  def initialize(n, &block) = (@n, @block = n, block)
  def ==(other) = (@block&.call; Loud === other && n == other.n)
  def eql?(other) = (@block&.call; Loud === other && n == other.n)
  def hash = n.hash
  def <=>(other) = n <=> other.n
  def inspect = "L#{n}"
end

puts "== sets"
p [1, 2, 3] & [3, 1], [1, 1, 2] | [2, 3], [1, 2, 2, 3] - [2], (1..40).to_a & [3, 41, 1], [3, 41, 1] & (1..40).to_a, ((1..40).to_a | (30..50).to_a).size
p [1, 1.0, 1r, "1", :"1", nil, true] & [1.0, "1", nil], [1.5, 1.5] | [1.5], [2**70] & [2**70], ["a".encode("UTF-16LE")] & ["a"], ["é"] - ["é".b]
p [Loud.new(1), Loud.new(2)] & [Loud.new(2)], [Loud.new(1)] | [Loud.new(1)], [Loud.new(1), 3] - [Loud.new(1)], ([Float::NAN] & [Float::NAN]).size
p (1..600).to_a.union((300..900).to_a).size, ((1..300).to_a * 3).uniq.size, (1..2000).map { |i| i % 700 }.uniq.size, %w[a b a].uniq, [[1], [1], [2]].uniq
shrinking = (1..10).to_a
shrinking << Loud.new(1) { shrinking.clear }
p [Loud.new(1), 2] - shrinking, shrinking

puts "== equality"
p [1, [2, [3.0]]] == [1, [2, [3.0]]], [1, 2] == [1, 3], [1] == [1.0], [1].eql?([1.0]), ["a", :b] == ["a", :b], ["a"].eql?(["a".b]), [nil] == [false], [] == [], (1..3000).to_a == (1..3000).to_a.dup
p (1..3000).map(&:to_s) == (1..3000).map(&:to_s), (1..3000).map(&:to_s) == ((1..2999).map(&:to_s) << "x"), [2**70] == [2**70], [Loud.new(1)] == [Loud.new(1)], [Loud.new(1)] == [Loud.new(2)]
a = [1, 2]; b = [1, 2]; a << a; b << b
p a == a, ([a] == [a])
changing = [1, 2, 3, 4]
other = [1, Loud.new(2) { changing.pop }, 3, 4]
p other == [1, Loud.new(2), 3, 4], changing, other == changing
long = [1, Loud.new(2) { long.clear }, 3]
p long == [1, Loud.new(2), 3], long
object = Object.new
def object.to_ary = [1]
def object.==(other) = other == [1]
p [1] == object, [1] == 1

puts "== extremes"
p [5, 3, 8].min(2), [5, 3, 8].max(2), [5, 3, 8].max(5), [5].min(0), [].min(2), ([1].min(-1) rescue $!), [3, 1.5, 2].min(2), %w[b c a].max(2), [5, 3, 8].min(2) { |x, y| y <=> x }
p [2**62, 1].min, [2**61, -2**61].max, [1, nil].max(1) rescue p $!.class
p [-1, 5, 3].max, [-1, 5, 3].min, [3].max, [].max, [1, 2.5].max, [Loud.new(3), Loud.new(5)].max, (1..1000).to_a.shuffle(random: Random.new(1)).max(3), [4, 4, 4].min(2)
p [1, 2, 3].sum(0.0), [0.1, 0.2, 0.3].sum(0.0), [0.1, 0.2, 0.3].sum, [1, "a"].sum(0.0) rescue p $!.class
p [1, 2r].sum(0.0), [Float::INFINITY, -Float::INFINITY].sum(0.0).nan?, [].sum(0.0), [2**70].sum(1.5)

puts "== choices"
p [5, 3, 8, 1].combination(2).to_a, [1, 2, 3].permutation.to_a, [1, 2, 3].permutation(2).to_a, [1, 2].repeated_permutation(2).to_a, [1, 2].repeated_combination(2).to_a
p [1, 2].product([3, 4], [5]), [1].product, [].product([1]), [1].product([]), [].combination(0).to_a, [1, 2].permutation(0).to_a, [1].combination(2).to_a, [1].combination(-1).to_a, [].repeated_permutation(0).to_a, [].repeated_permutation(2).to_a
p [1, 2].product([3, 4]) { |x| print x.sum, " " }, (1..17).map { |i| [i] }.then { |first, *rest| first.product(*rest).size }
grown = [1, 2, 3]
p grown.combination(2) { |x| grown << 9 if grown.size < 6 }, grown
p [1, 2, 3].permutation(2) { |x| break x if x == [2, 1] }
p [1, 2, 3, 4].each_slice(2).to_a.transpose.map { |x| x.combination(1).to_a }
p [1, 2].repeated_combination(3).size, [1, 2, 3].permutation(2).size, ([1] * 40).product([1] * 40).size, (([1] * 2**16).product([1] * 2**16, [1] * 2**16, [1] * 2**16) rescue $!.class)

puts "== assoc"
p [[1, 2], [3, 4]].assoc(3), [[1, 2], [3, 4]].rassoc(4), [1, [5]].rassoc(5), [[1.0, :x]].assoc(1), [[], [nil]].assoc(nil), [[1, nil]].rassoc(nil), [object].assoc(1)
pairs = [[Loud.new(1) { pairs.clear }, 1], [2, 2]]
p pairs.assoc(2), pairs

puts "== front"
a = [1, 2, 3]
a.unshift(a.shift)
p a, a.unshift(9), a.unshift(8, 7), a.unshift, [].unshift(1), (([1].freeze.unshift(2)) rescue $!.class)
b = (0..40).to_a
part = b[5, 20]
b.shift(3)
b.unshift(:x)
200.times { |i| b.unshift(i) }
p b.first(4), b.size, part, b.last(3)
queue = []
1000.times { |i| queue.unshift(i); queue.pop if i.odd?; queue.shift if i % 7 == 0 }
p queue.size, queue.first(3), queue.last(3)

puts "== samples"
p [1, 2, 3].sample(1, random: Random.new(3)).size, [1, 2, 3].sample(2, random: Random.new(3)).uniq.size, [].sample(2), [1].sample(2), [7, 7].sample(2), ([1].sample(-1) rescue $!)
cruel = [1, 2, 3]
source = Object.new
source.define_singleton_method(:rand) { |n| cruel.clear; 0 }
p cruel.sample(2, random: source)

puts "== hashes"
p({a: 1}.merge({b: 2}), {a: 1}.merge({a: 3, c: 4}), {a: 1}.merge({a: 3}) { |_, x, y| x + y }, {a: 1}.merge, {a: 1}.merge({b: 2}, {"c" => 3}), {}.merge({1.0 => 2}))
p (1..8).to_h { |i| [i, i] }.merge({9 => 9, 1 => 0}), {a: 1}.merge((1..20).to_h { |i| [i, i] }).size, {a: 1}.compare_by_identity.merge({"a" => 1}, {"a" => 1}).size, Hash.new(5).merge({a: 1})[:z]
p Class.new(Hash)[a: 1].merge({b: 2}).class == Hash, {a: 1}.freeze.merge({b: 2}), ({a: 1}.freeze.update({b: 2}) rescue $!.class), ({a: 1}.merge(1) rescue $!)
h = {a: 1}
h.each { h.merge!(a: 2) }
p h, (h.each { h.merge!(b: 2) } rescue $!)
p({a: 1, b: 2}.flat_map { |k, v| [k, v] }, {a: 1}.flat_map { |pair| pair }, {a: 1}.flat_map { 3 }, (1..4).flat_map { |x| [x] * x }, (1..6).filter_map { |x| x if x.even? }, (1..3).flat_map { |x| x }, {a: 1}.flat_map(&->(x) { x }))
p (1..3).zip(4..6, 7..20), [1, 2].zip(3..9), (1..2).zip(1..), (1..3).each_entry.zip(5..6)
p "a b c".split(/ /), "a,b,,".split(/,/), "a,b,,".split(/,/, -1), "a=b=c".split(/=/, 2), " x".split(/ /), "aXbxc".split(/x/i), "a.b".split(/./), "é,ü".split(/,/), "ab--cd".split(/--/), ("\xff,a".split(/,/) rescue $!.class)

puts "== structs"
S = Struct.new(:a, :b)
s = S.new(1, 2)
s[:b] = 5
s["a"] = 6
s[-1] = 8
p s, s.values_at(0, -1), s.values_at(0..1), s.dig(:a), s.dig("b"), s.to_h, s.to_h { |k, v| [v, k] }, s.deconstruct_keys([:b]), s.deconstruct_keys([:b, :x]), s.deconstruct_keys([0])
[-> { s[:zz] = 1 }, -> { s[5] }, -> { s[-3] = 1 }, -> { s.values_at(:a) }, -> { s.values_at(2) }, -> { s.dig(:zz) }, -> { s.freeze[:a] = 1 }, -> { s[1.5] }].each { |try| p((try.call rescue [$!.class, $!.message])) }
