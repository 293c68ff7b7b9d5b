# What Hash and Enumerable give for blocks, lambdas and changes of every kind while a hash is iterated; sizes of enumerators.
def try = begin; p yield; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
h = {a: 1, b: nil, "c" => 3}
try { h.each { |k, v| print k, v.inspect, ";" } }
try { h.each { |kv| print kv.inspect, ";" } }
try { h.each { |k| print k.inspect, ";" } }
try { h.each { |k, (v, w), z| print [k, v, w, z].inspect, ";" } }
try { h.each(&->(k) { print k.inspect }) }
try { h.each(&->(k, v) { print k.inspect }) }
try { h.map(&->(k, v) { [v, k] }) }
try { h.map(&->(k) { k }) }
try { h.map(&->(k, v, w) { k }) }
try { h.map(&:first) }
try { h.map { |k, v = 5| [k, v] } }
try { h.map { |k, *v| [k, v] } }
try { h.map { |*k| k } }
try { h.map { _1 } }
try { h.map { [_1, _2] } }
try { h.map { it } }
try { h.map.with_index { |(k, v), i| [k, v, i] } }
try { h.map.size }
try { h.each.size }
try { h.filter_map { |k, v| v } }
try { h.filter_map { |kv| kv[1] } }
try { h.count { |k, v| v } }
try { h.count { |kv| kv } }
try { h.count(&->(k, v) { v }) }
try { h.all? { |k, v| k } }
try { h.all? { |k, v| v } }
try { h.any? { |k, v| v == 3 } }
try { h.any? { |kv| kv == ["c", 3] } }
try { h.any?(&->(k, v) { v }) }
try { h.sum(0) { |k, v| v.to_i } }
try { h.sum(0.5) { |k, v| v.to_i } }
try { h.sum([]) { |kv| kv } }
try { {a: 0.1, b: 0.2, c: 0.3, d: 3r}.sum { |k, v| v } }
try { h.select { |k, v| v } }
try { h.reject { |k, v| v } }
try { h.select { |k| k } }
try { h.transform_values { |v| v.to_s } }
try { h.dup.transform_values! { |v| v.to_s } }
try { h.dup.delete_if { |k, v| v } }
try { h.dup.keep_if { |k, v| v } }
try { h.dup.select! { |k, v| true } }
try { h.dup.reject! { |k, v| false } }
try { h.dup.reject! { |k, v| v } }
try { h.freeze.delete_if { |k, v| v } }
h = {a: 1, b: nil, "c" => 3}
try { g = h.dup; g.each { |k, v| g[:z] = 1 } }
try { g = h.dup; g.each { |k, v| g.delete(k) }; g }
try { g = h.dup; g.map { |k, v| g[:z] = 1 } }
try { g = h.dup; g.delete_if { |k, v| g.freeze; true } }
try { g = h.dup; g.transform_values! { |v| g.freeze; true } }
try { g = h.dup; g.reject! { |k, v| g.delete(:b); k == "c" }; g }
try { g = h.dup; g.each { |k, v| break }; g[:n] = 1; g }
try { g = h.dup; (g.each { |k, v| raise "x" } rescue 0); g[:n] = 1; g }
try { g = h.dup; g.any? { |k, v| true }; g[:n] = 1; g }
try { h.key(3) }
try { h.key(9) }
try { h.value?(nil) }
try { h.has_value?(4) }
try { h.assoc("c") }
try { h.rassoc(nil) }
try { h.rassoc(9) }
try { h.to_a }
try { h.values_at(:a, :x, "c") }
try { Hash.new { |_, k| k }.values_at(1, 2) }
try { h.slice(:a, :x, "c") }
try { h.except(:a, :x) }
try { h.compact }
try { h.compact!; h }
try { h.compact! }
try { h.freeze.compact! }
try { {a: 1, b: 1}.invert }
try { {a: {b: [1, {c: 2}]}}.dig(:a, :b, 1, :c) }
try { {a: 1}.dig(:a, :b) }
try { {a: nil}.dig(:a, :b) }
try { {}.dig }
try { Hash.new(5).dig(:x) }
try { Hash.new { |_, k| {k => k} }.dig(1, 1) }
class HH < Hash; def dig(*) = "own"; def [](k) = "aref"; def each; yield [1, 2]; end; def size = 77; end
try { {a: HH[b: 1]}.dig(:a, :b) }
try { HH[b: 1].dig(:b) }
try { HH[b: 1].values_at(:b) }
try { HH[b: 1].map { |k, v| [k, v] } }
try { HH[b: 1].count { |k, v| v == 2 } }
try { HH[b: 1].each_with_index.size }
try { HH[b: 1].map.size }
try { HH[b: 1].select.size }
try { HH[b: 1].compact.class }
try { HH[b: 1].slice(:b).class }
try { HH[b: 1].except(:a).class }
c = {}.compare_by_identity; s = "k"; c[s] = nil; c["k"] = 2
try { c.slice(s, "k").compare_by_identity? }
try { c.except("k").size }
try { c.compact }
try { c.compact.compare_by_identity? }
try { c.transform_values { 1 }.compare_by_identity? }
try { c.select { true }.size }
class Evil; def initialize(h) = @h = h; def ==(o) = (@h[:new] = 1; false); def hash = 1; def eql?(o) = equal?(o); end
try { g = {a: 1}; g[:e] = Evil.new(g); g.key(99) }
try { g = {a: 1}; g[:e] = Evil.new(g); g.value?(99) }
try { g = {a: 1, b: 2}; g.merge({b: 3, c: 4}) { |k, a, b| [k, a, b] } }
try { g = {a: 1, b: 2}; g.update({b: 3}, {b: 4}) { |k, a, b| [k, a, b] } }
try { {a: 1}.each_key.to_a + {a: 1}.each_value.to_a + {a: 1}.each_pair.to_a }
try { {a: 1}.each_with_index.to_a }
try { {a: 1}.each_entry.to_a }
try { {a: 1, b: 2}.each_slice(2).to_a }
try { {a: 1, b: 2}.inject { |a, b| a + b } }
try { {a: 1, b: 2}.each_with_object([]) { |(k, v), m| m << k << v } }
try { {a: 1}.transform_values.with_index { |v, i| [v, i] } }
try { {a: 1}.select.with_index { |(k, v), i| i == 0 } }
e = [4, 5].each
try { [e.size, e.next, e.next, (e.next rescue $!.message), e.inspect] }
try { [1, 2, 3].each_slice(2).size }
try { [1, 2, 3].each.with_index(1).to_a }
try { [1, 2, 3].each_with_index.to_a }
try { [1, 2, 3].map.with_index { |x, i| x * i } }
try { [1, 2, 3].each.with_object([]).to_a }
try { [1, 2].each.each_with_index.size }
try { [1, 2].each.with_index.with_index.to_a }
try { [1, 2].each.lazy.map { _1 * 2 }.to_a }
try { [[1, 2], [3]].each.to_a }
try { def yy = (yield; yield 1; yield 1, 2; yield [3]; yield nil); to_enum(:yy).to_a }
try { to_enum(:yy).map { |*a| a } }
try { to_enum(:yy).sort_by { |a| a.to_s } }
try { Enumerator.new { |y| p y.yield(1); p y.yield(2, 3) }.to_a }
try { [3, 1].each.sort }
try { (1..3).each_entry.to_a }
try { (1..3).each_with_index.to_a }
try { (1..).each.size }
try { ("a".."c").map { |x| x }.size }
try { Enumerator.new(3) { }.size }
try { [1, 2].each.dup.size }
try { e = [1, 2].each_with_index; e.each(1).size }
try { [1].each.method(:each).unbind.class }
try { [1, 2].to_enum(:each) { 42 }.size }
try { Class.allocate.new }
try { Class.new(String).new("x") }
try { c = Class.new(StandardError) { def message = "m" }; begin raise c; rescue => e then e.message end }
