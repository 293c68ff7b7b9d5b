# What `include?`, `index`, `count`, `delete`, `rindex` and `assoc` find in long arrays, of all kinds of elements.
class Own
  attr_reader :asked
  def initialize(answer) = (@answer, @asked = answer, 0)
  def ==(other) = ((@asked += 1); @answer == other)
end

class Word < String
  def ==(other) = other == "own" || super
end

pad = Array.new(300) { |i| "pad#{i}" }
nan = Float::NAN
samples = {
  fixnum: 7, float: 7.0, half: 0.5, big: 2**70, big_float: (2**70).to_f, close: 2**60 + 1, close_float: (2**60).to_f, negative_zero: -0.0,
  zero: 0, nil: nil, true: true, symbol: :pad7, string: "pad7", empty: "", wide: "päd", latin: "p\xE4d".dup.force_encoding("ISO-8859-1"),
  binary: "pad7".b, broken: "\xFF", word: Word.new("word"), range: 1..2, array: [1, [2]], hash: { a: 1 }, rational: 7r, complex: 7 + 0i,
  nan: nan, other_nan: 0.0 / 0.0, class: String, infinity: Float::INFINITY, own: Own.new("own")
}
samples.each do |name, sought|
  list = pad + samples.values + [sought.is_a?(Own) ? sought : sought.dup] + pad
  found = [list.include?(sought), list.index(sought), list.rindex(sought), list.count(sought)]
  removed = list.dup
  found << removed.delete(sought).class << removed.size << list.map { |e| [e] }.assoc(sought)&.first.class
  puts "#{name}: #{found.inspect}"
end

# Elements are asked in order, and only those behind which none was found.
asked = Array.new(200) { Own.new("none") }
p asked.index("none"), asked.sum(&:asked), asked.include?(1), asked.sum(&:asked)

# An element that changes the array while it is asked.
list = pad.dup
breaker = Object.new
breaker.define_singleton_method(:==) { |_| list.clear; false }
list.insert(100, breaker)
p list.index("pad250"), list

p pad.frozen?, (pad.freeze.delete("pad3") rescue $!.class), pad.delete("absent"), [1, 2, 1, 3, 1].tap { |a| p a.delete(1) }
p((2**53).then { |i| [[i, i + 1, i - 1].index(i.to_f), [i.to_f].include?(i + 1), [i + 1].include?(i.to_f)] })

class Symbol
  alias old_equal ==
  def ==(other) = other == "any" || old_equal(other)
end
p ([:a] * 100).index("any"), ([1] * 100 + [:b]).count("any"), ([:a] * 100).include?(:b)
