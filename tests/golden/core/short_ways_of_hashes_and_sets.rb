# Methods of hashes and sets that look keys up once, and blocks that change the receiver meanwhile.
def try = yield.then { |x| p x }
def fails
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

3.times do
  # Growing through all sizes, with holes.
  s = Set.new
  300.times { |i| s << i % 97 << :"k#{i}" }
  300.times { |i| s.delete(:"k#{i}") if i.odd? }
  300.times { |i| s << :"k#{i}" }
  p s.size, s.first(3), s.to_a.last(2), s.include?(:k299), s.empty?, Set.new.empty?
  h = {}
  500.times { |i| h[i % 211] = i; h.delete(i % 7) }
  p h.size, h.first, h[210], h.sum { |_, v| v }
end

# Sets of other keys, frozen ones, and while somebody goes through them.
s = Set.new
s << "a" << "a".dup << 1 << 1.0 << 1 << nil << [1] << [1]
p s, s.size
text = +"x"
p((Set.new << text).first.equal?(text), (Set.new << text).first.frozen?)
fails { Set[1].freeze << 2 }
fails { Set[1].freeze << 1 }
fails { s = Set[1]; s.each { s << 2 } }
fails { s = Set[1, 2]; s.each { s << 2 }; s }
fails { s = Set[*1..20]; s.each { |x| s << x + 100 } }
fails { h = (1..20).to_h { [_1, 1] }; h.each { |k, _| h[k + 100] = 1 } }
fails { h = (1..20).to_h { [_1, 1] }; h.each { |k, _| h[k] = 2 }; h.values.uniq }
p Set.new.compare_by_identity << 1 << 1 << "a" << "a".dup

# A set's own class, or Set itself, may have another <<, size and empty?.
class Loud < Set
  def <<(x) = super(x * 2)
  def size = -1
  def empty? = :maybe
end
3.times { l = Loud.new; l << 2; p l, l.size, l.empty?, l.length }
def grown(set) = set << 3
p grown(Set[1]), grown(Loud[1]), grown([1]), grown(+"a"), grown(5)

# select and reject take the entries as they are.
h = { a: 1, b: 2, c: 3, "d" => 4, nil => 5, 1.5 => 6, [1] => 7 }
p h.select { |_, v| v.odd? }, h.reject { |_, v| v.odd? }, h.select { true } == h, h.reject { true }
big = (1..100).to_h { |i| [i, -i] }
p big.select { |k, _| k > 97 }, big.reject { |k, _| k > 3 }, big.select { |k, _| k <= 99 }.size
keys = [[1], [2]]
h = { keys[0] => 1, keys[1] => 2 }
keys[1][0] = 1
p h.select { true }
i = { 1 => 2 }.compare_by_identity
i["a"] = 1
i["a".dup] = 2
p i.select { true }.size, i.reject { false }.compare_by_identity?
d = Hash.new(7).merge(a: 1)
p d.select { true }.default, d[:zz]

# ** in literals.
h = { a: 1, b: 2 }
p({ **h, z: 1 }, { **h, **{ b: 3, c: 4 } }, { z: 0, **h }, { **h }.equal?(h), { **{} }, { **nil }, { **h, a: 5 })
p({ **(1..20).to_h { |x| [:"k#{x}", x] }, a: 1 }.size)
copy = { **h, z: 1 }
copy[:y] = 2
p h, copy
p({ **Hash.new(5).merge(a: 1) }.default)
p({ **{ "a" => 1 }, "b" => 2, **h })
def keywords(**options) = options
3.times { p keywords(**h, c: 3), keywords(**h).equal?(h), keywords(**h, **h) }
eight = (1..8).to_h { |x| [x, x] }
p({ **eight, 9 => 9 }, { **eight, **eight })
ident = {}.compare_by_identity
ident["a"] = 1
ident["a".dup] = 2
p({ **ident }.size, { **ident }.compare_by_identity?)

# == of containers.
3.times do
  p [1, 2] == [1, 2], [1, 2] == [1, 3], [1, 2] == [1], [1, 2] != [1, 2], [1] != [2], [1, 2.0] == [1.0, 2]
  p ["a", :b, nil] == ["a".dup, :b, nil], [[1]] == [[1]], [0.0] == [-0.0], [] == [], [1] == nil, [1] != nil
  p({ a: 1 } == { a: 1 }, { a: 1 } == { b: 1 }, { a: 1 } == {}, { a: 1 } != {}, {} == {})
  n = Float::NAN
  p [n] == [n], [n] == [0.0 / 0]
end
like = Object.new
def like.to_ary = [1]
def like.==(other) = other == [1]
p [1] == like, [2] == like
class Same; def ==(_) = true; end
p [Same.new] == [1], [1] == [Same.new], [Same.new] != [1], [Same.new] == [1, 2]
a = [1]
a << a
b = [1]
b << b
p a == a, (a == b rescue $!.class)

# Sets beside each other.
a, b = Set[1, 2, 3], Set[3, 4]
p a & b, a | b, a - b, a ^ b, a == b, a.intersect?(b), a.disjoint?(b), a.intersect?(Set[9]), a <= b, Set[3] <= a, a > Set[1], a.superset?(Set[7])
p Set[1, 2] == Set[2, 1], Set[1].eql?(Set[1]), Set[], Set[1, "a", 1], a.classify(&:odd?), Loud[1] & Loud[1]
fails { a <= [1] }

# The greatest few.
words = %w[pear apple fig kiwi plum date lime pear]
p words.max(2), words.min(3), words.max_by(2, &:size), words.min_by(3, &:size), words.max(0), words.min(20)
p [1.5, 2, 0.5, 2.5].max(2), [3, 1, 2].min(2), [0.5, 0.1, 0.9].min(2), (1..100).max_by(3) { |x| x % 7 }, (1..100).min_by(4) { |x| -x % 9 }
p (1..50).min_by(3) { |x| x.fdiv(3) % 5 }, (1..50).max_by(3) { |x| (x * 7 % 50).to_s }, ([1] * 40).min_by(2) { 0 }, (1..30).max_by(2) { |x| [x % 3, x] }
p [0.0 / 0, 1.0].size, { a: 3, b: 1, c: 2 }.min_by(2) { |_, v| v }, { a: 3, b: 1 }.max_by(1) { |_, v| v }
