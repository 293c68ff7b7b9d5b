# Arrays of numbers, strings and symbols, compared and sorted.
values = [[], [1], [1, 2], [1, 2.0], [2, 1], ["a"], ["a", 1], ["ä"], [:a], [:b, nil], [:b, true], [nil], [nil, 1], [[1], 2], [[1, 3], 0],
          [[[[[[1]]]]]], [[[[[[2]]]]]], [Float::NAN], [2**70], [2**70, 1], [1.5], [Float::INFINITY], [Rational(1, 2)], 1, nil, "a"]
values.each { |a| puts values.map { |b| Array === a ? (a <=> b).inspect : "-" }.join(" ") }

random = Random.new(7)
words = %w[pear Apple fig plum kiwi apple]
rows = Array.new(400) { |i| [random.rand(6), words[random.rand(6)], random.rand(3) / 2.0, [:a, :b][random.rand(2)], i] }
p rows.sort, rows.sort_by { |a, b, c, d, i| [d, -c, b, a, i] }.map(&:last), rows.sort { |a, b| b <=> a }.first(3)
p rows.min_by { |a, b, *| [b, a] }, rows.max_by(3) { |a, b, c, *| [c, [a, b]] }, rows.minmax
p rows.map { |r| r[3] }.sort.tally.to_a, %i[b a c ab aa].sort, %i[b a].sort_by { |s| [s, 1] }

# Rows that are equal as far as the keys go stay in their order here and there; that is nobody's promise, so only keys are shown.
p rows.sort_by { |a, *| [a, 0] }.map(&:first).chunk_while { |a, b| a == b }.map(&:size)

class Version
  include Comparable
  attr_reader :parts
  def initialize(text) = @parts = text.split(".").map(&:to_i)
  def <=>(other) = parts <=> other.parts
end
p %w[1.10 1.9 1.9.1 1 2.0.1 0.99].map { Version.new(_1) }.sort.map(&:parts)

cyclic = [1]
cyclic << cyclic
other = [1]
other << other
p cyclic <=> cyclic, cyclic <=> other, cyclic <=> [1, cyclic, 2], [1, cyclic] <=> other

[-> { [[1], ["a"]].sort }, -> { [[1, nil], [1, 2]].sort }, -> { [[Float::NAN], [1]].sort }, -> { [:a, "a"].sort },
 -> { [[:a], [1]].max }, -> { [[1], nil].sort }].each do |attempt|
  p attempt.call
rescue => error
  puts "#{error.class}: #{error.message}"
end

# Whoever redefines the order is asked.
class Backwards < Array
  def <=>(other) = -super
end
p [Backwards[1], Backwards[3], Backwards[2]].sort
class Symbol
  def <=>(other) = other.size - size
end
p [[:a], [:bb], [:ccc]].sort, %i[a bb ccc].sort, [:a] <=> [:bb]
class Array
  def <=>(other) = other.size <=> size
end
p [[1], [1, 2], []].sort, [[1], [1, 2], []].sort_by { |a| a }
