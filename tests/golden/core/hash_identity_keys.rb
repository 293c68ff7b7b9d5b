# Hashes and sets that compare by identity, small and large, read, written and emptied in compiled code, too.
def read(hash, key) = hash[key]
def write(hash, key, value) = hash[key] = value
def drop(hash, key) = hash.delete(key)
def found(hash, key) = [hash.key?(key), hash.fetch(key, :none), hash.dig(key)]
big = 2**70
big2 = 2**70
f = 1.0e-320
keys = ["a", "a".dup, "a".dup, Object.new, [1], [1], {a: 1}, 1.5, f, big, :a, nil, true, 12, 1r, 1i, 1..2, Struct.new(:a).new(1)]
[8, keys.size].each do |count|
  hash = {}.compare_by_identity
  200.times do
    keys.first(count).each_with_index { |key, i| write(hash, key, i) }
    keys.first(count).each_with_index { |key, i| raise "lost" unless read(hash, key) == i }
  end
  p hash.size, hash.values, found(hash, keys[1]), found(hash, "a".dup), found(hash, [1]), found(hash, big2)
  p hash.keys.map { |key| key.frozen? }
  p keys.first(count).map { |key| drop(hash, key) }, hash, drop(hash, "b")
  hash.default = 7
  p read(hash, "a"), read(hash, Object.new)
  hash.default_proc = ->(_, key) { key.class }
  p read(hash, "a"), read(hash, [1])
end
hash = {}.compare_by_identity
2.times { hash["literal"] = 1 }
p hash.size
key = "k".dup
hash[key] = 2
key << "more"
p hash[key], hash, key.frozen?
hash.freeze
begin; write(hash, "x", 1); rescue => e; p e.class; end
begin; drop(hash, key); rescue => e; p e.class; end
hash = {a: 1}.compare_by_identity
hash.each { begin; write(hash, "new", 1); rescue => e; p e; end; write(hash, :a, 2) }
p hash
1000.times { |i| hash[Object.new] = i }
GC.start
p hash.size, hash.values.sum

set = Set["a", "b", [1], [2], 1, 2]
set.compare_by_identity
p set.size, set.include?("a"), set.include?(1), set.include?(2), set.add?([1]), set.size
element = set.first
p set.include?(element), set.add?(element), set.delete?(element).size, set.reset.size, set.compare_by_identity?
p Set[].compare_by_identity == Set[], Set[] == Set[], Set[] == [], Set[].reset, (Set[1].freeze.reset rescue $!.class), (Set[].freeze.reset rescue $!.class)
list = [1, 2]
set = Set[list, [3]]
list << 3
p set.include?(list), set.reset.include?(list)
[3].push(4)
x, y = [1], [2]
set = Set[x, y]
y.replace([1])
p set.reset
nested = Set[1, Set[2, Set[3, "a"]], Set[], 4]
p nested.flatten, nested.flatten!, nested.flatten!, Set[1].flatten!, (Set[1].freeze.flatten! rescue $!.class)
p({a: 1, "b" => [2, [3]], nil => {c: 1}}.flatten, {a: [1, [2]]}.flatten(2), {a: [1, [2]]}.flatten(-1), {a: 1}.flatten(0), {}.flatten)
hash = (0...20).to_h { [it, it * it] }
hash.delete(3)
hash.delete(0)
p hash.flatten, hash.transform_keys! { it + 1 }
