# Set: a core class, with its own inspection.
s = Set[3, 1, 2]
p s, s.size, s.include?(1), s === 1, s.add(4), s << 1, s.add?(1), s.add?(9), s.delete(9), s.delete?(42), s.to_a, s.min, s.sort, s.sum, s.first, s.first(2), s.map { _1 * 2 }, s.map { _1 % 2 }.to_set, s.group_by(&:odd?), s.partition(&:even?), s.select(&:even?), s.reject(&:even?), s.class
p s | [7], s & [1, 7], s - [1], s ^ [1, 100], s + Set[8], s.union([0]), s.intersection([1]), s.difference([2]), s == Set[1, 2, 3, 4], s.eql?(Set[1, 2, 3, 4]), s.hash == Set[4, 3, 2, 1].hash, Set[1, 2] <= s, Set[1] < s, s >= Set[1], s > s, s.subset?(Set[1, 2, 3, 4, 5]), s.superset?(Set[1]), s.proper_subset?(s), s <=> Set[1], Set[1] <=> Set[2], s.disjoint?([9]), s.intersect?([1]), s.empty?, Set.new.empty?
p Set.new([1, 2, 2]), Set.new([1, 2]) { _1 * 10 }, [1, 1, 2].to_set, { a: 1 }.to_set, (1..3).to_set, Set[[1, 2], [1, 2]].size, Set["a", "a".dup].size, Set[1, 1.0].size, Set[nil, false].to_a, Set[Set[1], Set[1]].size, Set[1, [2, Set[3]]], Set[].inspect, Set[1].to_s, Set[1, 2].join("-")
t = Set[1, 2, 3, 4, 5, 6]
p t.delete_if(&:even?), t.keep_if { _1 > 1 }, t.merge([7, 8], [9]), t.subtract([7]), t.select! { _1 > 3 }, t.reject! { false }, t.map!(&:succ), t.filter! { true }, t.replace([1, 2]), t.clear, t.reset
p Set[1, 2].each { print _1 }, Set[1, 2].each_slice(1).to_a, Set[3, 4].each_with_index.to_a, Set[1, [2]].flatten, Set[Set[1], Set[2]].flatten, Set[1, 2, 3, 4].classify(&:odd?), Set[1, 2, 4, 5].divide { |a, b| (a - b).abs == 1 }.size, Set[1, 2].freeze.frozen?, (Set[1].freeze << 2 rescue $!.message), Set[1].dup << 2, Set[1, 2].to_set.equal?(nil), Set[1, 2].compare_by_identity.compare_by_identity?, (Set.new(5) rescue $!.message), (Set[1] | 5 rescue $!.message)
case 3
when Set[1, 2, 3] then puts "in set"
end
p Set[3, 1].sort_by { -_1 }, Set[1, 2].disjoint?(Set[3]), Set[1] == [1], Set[1, 2].sum { _1 / 2.0 }, Set.instance_method(:filter!).owner, Set.ancestors.include?(Enumerable), Set[*"a".."c"].include?("b"), Set[1, 2].any? { _1 > 1 }, Set["b", "a"].min_by(&:ord), Set[1, 2, 3].zip([4, 5, 6]), Set[:a].add(:b).to_a, Set[1] <= Set[1]

# The elements' methods change the array that they come from.
class Clearing
  def initialize(array) = @array = array
  def hash = @array.clear.size
  def eql?(other) = true
end
elements = [1]
elements << Clearing.new(elements) << 3 << 4
p Set.new(elements).size
class Growing
  def initialize(array) = @array = array
  def hash
    @array.push(9) if @array.size < 30
    super
  end
end
elements = [1, 2]
elements << Growing.new(elements)
p Set.new(elements).size
string = "k"
p Set[string].first.frozen?, string.frozen?, Set.new([1] * 100 + (1..20).to_a).size
p Set[1].merge([2], 3..4, Set[5], [[6]]), Set.new([1, 2]).compare_by_identity.merge(["a".dup, "a".dup]).size
