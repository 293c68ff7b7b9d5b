# What machine code asks of core methods without a frame: the usual answer, then operands for which the method itself has to be called,
# then methods that were redefined.

# Calls a block that has a call site of its own often enough to be compiled, with each of the operands.
def answers(*operands)
  shown = []
  operands.each do |operand|
    result = nil
    200.times { result = begin yield(*operand) rescue "#{$!.class}: #{$!.message}" end }
    shown << result
  end
  p(*shown)
end

class Words < Array; end
class Pairs < Hash; end
Pair = Struct.new(:left, :right)
class Wide < Pair
  def size = 99
end

puts "numbers"
answers(12, -1, 2**70) { |n| n.size >= 4 }
answers(12, -1, 2**70) { |n| n.bit_length }
answers([7, 2], [7, 0], [7, 2.5], [2**70, 3], [7, nil]) { |a, b| a.fdiv(b) }
answers([1234, -2], [-1234, -2], [1250, -2], [-1250, -2], [1234, 2], [2**62 - 1, -18], [1234, -40], [1234, "x"]) { |n, d| [n.floor(d), n.ceil(d), n.truncate(d), n.round(d)] }
answers(17, 0, 2**70, -1, "4") { |n| Integer.sqrt(n) }
answers(1.5, -1.5, 0.0, -0.0, Float::NAN, Float::INFINITY, 1e300) { |f| [f.zero?, f.positive?, f.negative?, f.nan?, f.infinite?, f.finite?] }
answers([1.5, 2.5], [1.5, 1], [1.5, Float::NAN], [1.5, nil], [1e300, 1e300]) { |a, b| a <=> b }
answers([7.5, 2.0], [-7.5, 2.0], [7.5, 0.0], [7.5, 2], [7.5, nil]) { |a, b| a % b }
answers([2.0, 0.5], [-8.0, 1.0 / 3], [2.0, 3], [-2.0, 2.0]) { |a, b| a**b }
answers([1.5, 1.5], [1.0, 1], [1e300, 1e300]) { |a, b| a.eql?(b) }
answers(2.0, 0.0, -1.0, 8, 2**70, nil) { |x| Math.log2(x) }
answers(4.0, 0.0, -0.0, -4.0, 4, "4") { |x| Math.sqrt(x) }

puts "nil, true, false"
answers([true, false], [true, nil], [false, true], [nil, true], [1, 3]) { |a, b| a & b }
answers([true, false], [false, nil], [false, 1], [nil, 1], [1, 2]) { |a, b| a | b }
answers(nil, true, false, 1, :a) { |x| x.to_s }
answers(nil, true, 1) { |x| x.inspect }

puts "symbols and strings"
answers(:abc, :"größe", :"", "größe", "abc", [[1]], {a: 1}, nil) { |x| x.size }
answers(:abc, :"größe", "größe", [1], 5) { |x| x.length }
answers([:a, :b], [:b, :a], [:a, :a], [:a, "a"]) { |a, b| a <=> b }
answers(:upcase, :size) { |name| name.to_proc.call("abc") }
answers("abc", "größe", "gr\xff", "größe".encode("ISO-8859-1")) { |s| [s.ascii_only?, s.valid_encoding?, s.encoding, s.length] }
answers(["abc", 1], [:abc, 1], [[4, 5], 1], [5, 0], ["größe", 2]) { |x, at| x[at] }
answers("abc".freeze, +"abc", "x") { |s| (+s).frozen? }

puts "arrays"
answers([[1, 2, 3], 1], [[1, 2, 3], -1], [[1, 2, 3], 3], [[1, 2, 3], -4], [[1], nil], [Words[7, 8], 1.9]) { |a, at| a.fetch(at) }
answers([[1, 2, 3], 1, :no], [[1, 2, 3], 3, :no], [[1], "x", :no]) { |a, at, default| a.fetch(at, default) }
answers([[1, [2, 3]], 1], [[1], 5], [[1], -1], [{1 => 2}, 1], [nil, 1], [Pair.new(3, 4), 1], [Pair.new(3, 4), :right], [Pair.new(3, 4), :none]) { |x, at| x.dig(at) }
answers([[1, 2, 1.0, 3]], [Words[1, 1]], [{a: 1}], [1..4]) { |x| x.count }
answers([[1, 2, 1.0, 3], 1], [["a", "b"], "a"], [[nil], nil], [[1] * 100, 1]) { |a, x| [a.count(x), a.index(x), a.rindex(x)] }
answers([[1, nil]], [[nil, false]], [[]], [[1, 2]], [{}], [{a: 1}]) { |x| [x.any?, x.all?, x.none?, x.one?] }
answers([[3, 1, 2]], [[]], [[1.5, -2.0]], [%w[b a]], [[1, 2.5]], [[1, "x"]], [[1, nil]], [Words[5, 4]], [(1..5)], [(5..1)], [(1...5)], [(1..)], [1.0..2.5]) { |x| [x.min, x.max] }
answers([[3, 1]], [[]], [Words[2, 9]], [[1, "x"]], [1..3]) { |x| x.minmax }
answers([[1, 2, 3]], [[0.1] * 10], [[1, 0.5]], [[2**62 - 1, 2**62]], [["a"]], [[]], [1..4]) { |x| x.sum }
answers([[1, 2, 3], 0.0], [[0.1, 0.2, 0.3], 0.0], [["a"], ""], [[1], 2], [["a"], 0]) { |x, start| x.sum(start) }
answers([[1, 2, 3], 1], [[1], -5], [[1], "x"]) { |a, at| a.at(at) }
answers([[1]], [Words[1]], [nil], [{a: 1}]) { |x| x.to_a.class }

puts "hashes"
answers([{a: 1}, :a], [{a: 1}, :b], [{"k" => 2}, "k"], [{[1] => 3}, [1]], [Pairs[a: 4], :a], [[9], 0]) { |h, key| h.fetch(key) }
answers([{a: 1}, :a, 5], [{a: 1}, :b, 5], [{a: nil}, :a, 5]) { |h, key, default| h.fetch(key, default) }
answers([Hash.new(7)], [Hash.new { 8 }], [{}]) { |h| [h.default, h.default_proc.class, h.any?, h.empty?] }
answers([{a: 1}, :a], [{a: 1}, :b], [Hash.new(7), :b], [Hash.new { |_, k| k }, :b]) { |h, key| h.dig(key) }
answers([{a: 1}], [Pairs[a: 1]], [[[1, 2]]], [nil]) { |x| x.to_h.class }

puts "ranges and structs"
answers([1..4], [1...4], [4..1], [1..], [1.0..2.0], ["a".."c"], [(2**62)..(2**62 + 1)]) { |r| [r.size, r.count == r.size] }
answers([(1..4), (1..4)], [(1..4), (1...4)], [("a".."b"), ("a".."b")]) { |a, b| a.hash == b.hash }
answers([Pair.new(1, 2)], [Wide.new(1, 2)], [[1]], ["ab"]) { |x| [x.size, x.length] }
answers([Pair.new(1, 2), 0], [Pair.new(1, 2), -1], [Pair.new(1, 2), 2], [Pair.new(1, 2), :left], [Pair.new(1, 2), "right"], [Pair.new(1, 2), :no]) { |x, at| x[at] }

puts "times"
moments = [Time.at(0).utc, Time.at(-1).utc, Time.utc(2024, 2, 29, 12, 30, 45.5), Time.new(2024, 12, 31, 23, 59, 59, "+05:30"), Time.at(2**40).utc]
answers(*moments.map { [it] }) { |t| [t.year, t.month, t.day, t.hour, t.min, t.sec, t.wday, t.yday, t.usec, t.utc?, t.saturday?, t.to_i] }
answers(5, -5, 2.5, 2**70, nil) { |s| Time.at(s).utc.to_i }

puts "modules"
answers([String], [Comparable], [Class.new], [Pair], [String.singleton_class]) { |c| [c.name, c.name.frozen?] }
answers([String, :upcase], [String, :none], [Kernel, :puts], [Comparable, :clamp], [String, "upcase"]) { |c, name| c.method_defined?(name) }
answers([Object, :String], [Math, :PI], [Object, :Nope], [Comparable, :String], [Object, :lower], [Object, "Math::PI"]) { |c, name| c.const_defined?(name) }

puts "send"
answers(["abc", :length], ["abc", :upcase], ["abc", "size"], ["abc", :none], [:abc, :length], [5, :bit_length]) { |x, name| x.send(name) }
answers("abc", :abc, [[1]], nil, {a: 1}) { |x| x.send(:size) }
answers("abc", :abc, [1], 5) { |x| x.public_send(:length) }
answers([[1, 2, 3], 1], [[1], 5], [{1 => 2}, 1]) { |x, at| x.send(:fetch, at) }
answers([[1, 2, 3], 1], [[1, 2, 3], "x"]) { |x, at| x.send(:at, at) }
answers("abc", 5) { |x| x.public_send(:puts) }
answers(["a-b", "-"], ["a-b", 1]) { |x, by| x.send(:split, by) }
def answer = 42
def own = [send(:answer), __send__(:answer), send(:rand, 1), send(:format, "%d", 3)]
answers([]) { own }

puts "redefined"
def measures(text, list, pair, number, moment, symbol) = [text.send(:length), list.min, list.fetch(0), pair.size, number.size, moment.year, symbol.length, 2.5.floor, nil.to_s, true & 1, list.count]
given = ["abc", [3, 1], Pair.new(1, 2), 5, Time.utc(2024), :abc]
300.times { measures(*given) }
p measures(*given).tap { |all| all[4] = all[4] >= 4 }
class String; def length = "String#length"; end
class Array; def min = "Array#min"; def fetch(*) = "Array#fetch"; def count = "Array#count"; end
class Struct; def size = "Struct#size"; end
class Integer; def size = "Integer#size"; end
class Time; def year = "Time#year"; end
class Symbol; def length = "Symbol#length"; end
class Float; def floor = "Float#floor"; end
class NilClass; def to_s = "NilClass#to_s"; end
class TrueClass; def &(_) = "TrueClass#&"; end
300.times { measures(*given) }
p measures(*given)
