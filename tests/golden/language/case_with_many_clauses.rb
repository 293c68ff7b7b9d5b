# A case with many literal conditions answers as one that asks them one by one would.
class Named < String; end

class Textual
  def to_str = "k5"
  def ==(other) = other == "k5"
end

class Seven
  def ==(other) = other == 7
end

LISTS = {
  integers: (0...300).map { (_1 * 7).to_s },
  negative: (-40...40).map(&:to_s),
  symbols: (0...90).map { ":s#{_1}" },
  strings: (0...90).map { "\"k#{_1}\"" },
  mixed: (0...90).map { |i| [i.to_s, ":m#{i}", "\"x#{i}\"", "\"é#{i}\""][i % 4] } + %w[nil true false],
  several: (0...80).map { "#{_1}, :a#{_1}, \"q#{_1}\"" },
  interrupted: (0...70).map(&:to_s) + ["Float"] + (100...170).map(&:to_s) + ["1.5", "(200..210)"] + (300...370).map { ":b#{_1}" } + ["Named"],
  large: (0...30).map { (2**62 + _1).to_s } + (0...80).map(&:to_s),
  few: (0...63).map(&:to_s),
}

LISTS.each do |name, conditions|
  clauses = conditions.each_with_index.map { |condition, i| "when #{condition} then #{i}\n" }.join
  eval "def #{name}(x)\n case x\n #{clauses} else :none\n end\nend\ndef #{name}_or_nil(x)\n case x\n #{clauses} end\nend"
end

VALUES = (-50..2200).to_a + (2**62 - 1..2**62 + 31).to_a +
  [nil, true, false, 1.0, 14.0, 1.5, -0.0, Float::NAN, 7r, Complex(7, 0), 2**64, Object, Textual.new, Seven.new] +
  (0..95).flat_map do |i|
    key = "k#{i}"
    [:"s#{i}", key, :"m#{i}", "x#{i}", "é#{i}", "é#{i}".b, "é#{i}".encode("UTF-16LE"), :"a#{i}", "q#{i}", Named.new(key),
     key.encode("UTF-16LE"), key.b, :"b#{300 + i}"]
  end

def sum(name)
  VALUES.reduce(17) { |sum, value| (sum * 31 + send(name, value).inspect.sum) & 0xffffffff }
end

puts "-- every value"
3.times { LISTS.each_key { |name| puts "#{name} #{sum(name)} #{sum(:"#{name}_or_nil")}" } }
p integers(1400), integers(1401), strings("k33"), mixed("é3"), several("q79"), interrupted(205), large(2**62 + 3)

puts "-- in a loop"
def looped
  total = 0
  20_000.times { total += integers_or_nil(_1 % 2300) || 1 }
  total
end
p looped

puts "-- with === redefined"
class Integer
  alias plain ===
  def ===(other) = other == :odd ? odd? : plain(other)
end
p integers(:odd), integers(21), several(:odd)
class Symbol
  def ===(other) = other == 5
end
p symbols(5), symbols(:s9)
