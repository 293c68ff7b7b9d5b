# Hash: access, defaults, order, mutation during iteration, transformation, comparison, inspection.
h = { a: 1, "b" => 2, 3 => [4], nil => nil, 1.5 => :f, [1] => { x: 1 } }
p h, h[:a], h["b"], h[nil], h[:none], h.fetch(:a), h.fetch(:z, 0), h.fetch(:z) { |k| k.to_s }, h.dig([1], :x), h.key(2), h.keys, h.values, h.size, h.key?(nil), h.value?(2), h.values_at(:a, :z), h.fetch_values(:a), (h.fetch_values(:z) rescue $!.message), h.to_a.first
h[:new] = 1; h.store("s", 2); h.delete(:a); h[:a] = 9
p h.keys, h.delete(:zz), h.delete(:zz) { "no #{_1}" }, h.first, h.min_by { |k, v| v.to_s }, h.any? { |k, v| v == 9 }, h.find { |k, v| v == 9 }, h.sum { |k, v| v.is_a?(Integer) ? v : 0 }, h.count, h.shift, h.length
d = Hash.new { |hash, key| hash[key] = key * 2 }
p d[2], d, d.key?(5), d.fetch(5, nil), Hash.new(5)[:x], Hash.new(5).dig(:x), d.default, Hash.new(7).default, d.default_proc.arity, Hash.new(capacity: 10), d.to_a, d.dup[4]
e = { b: 1, a: 2 }
p e.sort.to_h, e.min_by { |_, v| v }, e.sort_by { |k, v| -v }, e.map { |k, v| [k, v] }, e.to_h { |k, v| [v, k] }, e.invert, e.transform_values { _1 * 10 }, e.transform_keys(&:to_s), e.transform_keys({ a: :c }), e.transform_keys({ a: :c }) { |k| k.to_s }, e.select { |k, v| v > 1 }, e.reject { |k, v| v > 1 }, e.filter_map { |k, v| k if v > 1 }, e.partition { |k, v| v > 1 }, e.group_by { |k, v| v.odd? }, e.each_with_index.to_a, e.each_with_object([]) { |(k, v), m| m << k }, e.inject { |x, y| x + y }, e.reduce(0) { |s, (k, v)| s + v }, e.sum { _2 }, e.zip([1, 2]), e.flat_map { |k, v| [k] * v }, e.each_slice(1).to_a, e.max_by { |k, v| v }, e.sort { |x, y| x[1] <=> y[1] }, e.find_all { true }, e.min, e.tally, e.each_entry.to_a
p e.merge({ c: 3 }), e.merge({ a: 5 }) { |k, o, n| [k, o, n] }, e.merge, e.merge({ x: 1 }, { y: 2 }), e.update(a: 7), e.replace({ z: 1 }), e.merge!({ z: 2 }) { |_, o, n| o + n }, e.slice(:z, :q), e.except(:z), e.filter_map { 1 }, e.compact, { a: nil }.compact, e.empty?, e.clear, e.empty?
p({ a: 1 } == { a: 1.0 }, { a: 1, b: 2 } == { b: 2, a: 1 }, { a: 1 }.eql?({ a: 1 }), { a: 1 }.hash == { a: 1 }.hash, { a: 1, b: 2 } >= { a: 1 }, { a: 1 } < { a: 1, b: 2 }, { a: 1 } <= { a: 1 }, { a: 1 }.to_a.to_h == { a: 1 }, { 1 => 2 }.key?(1.0), { 2**70 => 1 }[2**70], { "a" => 1 }["a"], { [1, 2] => 3 }[[1, 2]])
p({ a: { b: { c: 1 } } }.dig(:a, :b, :c), { a: [1, { b: 2 }] }.dig(:a, 1, :b), { a: 1 }.assoc(:a), { a: 1 }.rassoc(1), { a: 1 }.flat_map(&:itself), { a: [1, [2]] }.flatten(2), { a: 1 }.sum { |k, v| v }, { a: 1 }.to_proc.call(:a), [:a, :b].map(&{ a: 1 }), { a: 1 }.any?, {}.none?, { a: 1 }.all? { |k, v| v == 1 }, { a: 1 }.each_pair.to_a, { a: 1 }.entries, { a: 1, b: 2 }.filter_map { |k, v| "#{k}=#{v}" if v > 1 })
i = { a: 1, b: 2, c: 3 }
i.each { |k, v| i.delete(k) if v == 2 }
p i, i.delete_if { |k, v| v == 3 }, i.keep_if { true }, i.select! { true }, i.reject! { false }, i.compact!, i.filter! { false }, i
begin
  j = { a: 1 }
  j.each { |k, v| j[:"n#{k}"] = 1 }
rescue RuntimeError => error
  p error.message
end
k = { "mutable" => 1 }
s = +"key"
k[s] = 2
s << "changed"
p k, k.keys.last.frozen?, k.compare_by_identity.compare_by_identity?, {}.compare_by_identity.tap { |x| x["a"] = 1; x["a".dup] = 2 }.size, k.inspect
l = [1]
m = { l => :v }
l << 2
p m[l], m.rehash[l], m[[1, 2]]
n = {}
n[:self] = n
p n, n.to_s, n.inspect, { n => 1 }.inspect.size > 5
p({ "a b": 1, "c": 2, "d-e" => 3, :f? => 4, :g! => 5, :h= => 6, :+ => 7, :A => 8, :"9" => 9, nil: 10, if: 11, :[] => 12, "é": 13 })
p Hash[[[1, 2], [3, 4]]], Hash[1, 2, 3, 4], Hash[{ a: 1 }], (Hash[1] rescue $!.message), [[1, 2]].to_h, Hash({}), Hash(nil), Hash([]), (Hash(1) rescue $!.message), Hash.try_convert([1]), { a: 1 }.to_h.equal?({ a: 1 })
big = (1..100).to_h { [_1, _1.to_s] }
big.delete(50)
big[50] = "again"
p big.size, big.keys.last, big.keys.first(3), big.sum { _1[0] }, big.select { |key, _| key % 25 == 0 }, big.find { |key, _| key > 97 }, big.min_by { -_1[0] }, big.each_slice(40).map(&:size), big.values.uniq.size
p h.frozen?, ((h.freeze[:q] = 1) rescue $!.message[0, 30]), h.dup.frozen?, h.clone.frozen?, { a: 1 }.default = 5, { a: 1 }.then { |a| a }, { **{ a: 1 }, b: 2 }, { a: 1 }.sum { |pair| pair.size }
class Key
  attr_reader :v
  def initialize(v) = @v = v
  def hash = v % 3
  def eql?(o) = v == o.v
  def inspect = "K#{v}"
end
q = (1..10).to_h { [Key.new(_1), _1] }
p q.size, q[Key.new(4)], q.delete(Key.new(7)), q.keys, q[Key.new(7)], q.key?(Key.new(1))
def kw(**o) = o
p kw(**{ a: 1 }), kw(a: 1, **{ b: 2 }), kw(**{ "s" => 1 }), { a: 1 }.each { |x| p x }, { a: 1 }.each { |x, y| p [x, y] }, { a: 1 }.map { |x| x }, { a: 1 }.each_pair { |*x| p x }, { a: 1 }.each_with_index { |x, y| p [x, y] }, { a: 1 }.sort_by { |(x, y)| y }
