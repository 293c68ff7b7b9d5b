# Comparable and Enumerable over classes of our own.
class Version
  include Comparable
  attr_reader :parts
  def initialize(text) = @parts = text.split(".").map(&:to_i)
  def <=>(other) = other.is_a?(Version) ? parts <=> other.parts : nil
  def inspect = "v#{parts.join(".")}"
  def succ = Version.new((parts[0..-2] + [parts.last + 1]).join("."))
end
a, b, c = %w[1.2 1.10 2.0].map { Version.new(_1) }
p a < b, a == Version.new("1.2"), a != b, [c, a, b].sort, [c, a, b].minmax, b.between?(a, c), a.clamp(b, c), c.clamp(a, b), b.clamp(a..c), (a <=> 5), (a < 5 rescue $!.message), a == 5, (a..Version.new("1.5")).to_a, (a..c).include?(b), a.equal?(a), [a, b, c].max_by(&:parts), (a.clamp(c, a) rescue $!.message)
class Tree
  include Enumerable
  def initialize(*values) = @values = values
  def each
    return to_enum(:each) { @values.size } unless block_given?
    @values.each { yield _1 }
    self
  end
end
t = Tree.new(5, 3, 8, 1)
p t.to_a, t.entries, t.sort, t.map { _1 + 1 }, t.select(&:odd?), t.reject(&:odd?), t.include?(8), t.min, t.max, t.minmax, t.sum, t.count, t.first, t.first(2), t.inject(:+), t.reduce(1) { |x, y| x * y }, t.each_with_index.to_a, t.each_slice(3).to_a, t.each_cons(2).to_a, t.partition { _1 > 3 }, t.group_by(&:odd?), t.sort_by { -_1 }, t.min_by { -_1 }, t.max_by { -_1 }, t.zip(t), t.take(2), t.take_while { _1 > 2 }, t.drop(2), t.drop_while { _1 > 2 }, t.find { _1 > 5 }, t.detect { _1 > 50 }, t.find_index(8), t.find_index { _1 < 4 }, t.each_entry.to_a, t.reverse_each.to_a, t.to_set, t.tally, t.uniq(&:odd?), t.chunk { _1.odd? }.to_a, t.slice_when { |x, y| x > y }.to_a, t.chunk_while { |x, y| x < y }.to_a, t.slice_before { _1 == 8 }.to_a, t.slice_after { _1 == 3 }.to_a, t.flat_map { [_1, 0] }, t.each_with_object([]) { |x, m| m << x }, t.cycle.first(5), t.lazy.map { _1 * 2 }.first(2), t.all?(Integer), t.any? { _1 > 7 }, t.none?, t.one? { _1 == 5 }, t.filter_map { _1 * 2 if _1 > 3 }, t.sum { _1.to_f }, t.to_h { [_1, _1] }, t.min(2), t.max(2), t.zip([1], [2]), t.each_with_index.map { |x, i| x * i }, t.inject { |x, y| x - y }, t.compact, t.each.size, t.each.next, t.each { }.equal?(t), t.minmax_by { -_1 }, t.include?(nil), t.sort { |x, y| y <=> x }, t.enum_for(:each_slice, 2).to_a, t.reduce(:*), t.chain([1]).to_a, t.zip(1..4).to_h
class Pairs
  include Enumerable
  def each
    yield 1, 2
    yield 3
    yield [4, 5]
    yield
  end
end
q = Pairs.new
p q.to_a, q.map { |x| x }, q.map { |x, y| [x, y] }, q.each_with_index.to_a, q.each_slice(2).to_a, q.first(3), q.include?([1, 2]), q.each_entry.to_a, q.each_with_object([]).to_a.size, q.group_by { |x| x.class }, q.count, q.find { |x, y| y }, q.select { |x, y| y }, q.reject { |x| x }, q.sort_by { |x| x.to_s }, q.inject { |a, b| [a, b] }, q.zip(q).first, q.partition { |x, y| y }, q.min_by { |x| x.to_s }, q.tally.keys, q.to_set.size, q.flat_map { |x| x }, q.take_while { |x| x }, q.drop(3), q.cycle(1).to_a, q.each_cons(2).first, q.filter_map { |x, y| y }, q.uniq.size, q.reverse_each.first, q.chunk_while { true }.to_a, q.any? { |x, y| y == 2 }, q.find_index([1, 2]), q.find_index { |x, y| y == 5 }
