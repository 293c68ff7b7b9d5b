# Sums with compensation, by blocks and without, as far as floats go, and what they become among other numbers.
class Odd
  def initialize(value) = @value = value
  def +(other) = "#{@value}+#{other}"
  def coerce(other) = [Odd.new(other), self]
end
tenths = [0.1] * 10
lists = [tenths, [3, 0.1, 0.2, 0.3], [0.1, 2**70, 0.3], [0.1, 1r / 3, 0.2], [1, 2, 1r / 3, 0.5], [0.1, Complex(1, 2), 0.2], [1e100, 1.0, -1e100], [1.0, 1e100, 1.0, -1e100],
         [0.5, Float::INFINITY, 1], [Float::INFINITY, -Float::INFINITY, 0.1], [0.1, Float::NAN, 1], [-0.0, -0.0], [], [2**64, 0.1], [1.0, Float::INFINITY, Float::INFINITY],
         [5e-324, 5e-324, 1e308, 1e308]]
lists.each do |list|
  p [list.sum, list.sum { |x| x }, list.each_entry.sum, list.each_entry.sum { |x| x }, list.sum(0.0), list.sum(0.0) { |x| x }, list.each_entry.sum(0.0), list.to_h { |x| [x, x] }.sum { |_, x| x }]
end
p [1, 0.1, Odd.new(3), 2].sum rescue p $!
p [1, 0.1, Odd.new(3), 2].sum { |x| x } rescue p $!
p ["a", "b"].sum(""), ["a"].sum { |x| x } rescue p $!
p (1..10).sum { |x| x * 0.1 }, (1..10).sum(5) { |x| x * 0.1 }, 1.step(2, 0.1).sum, [1, 2].sum(1r / 2) { |x| x * 0.5 }, [0.1, 0.2].sum(1r / 2)
list = [0.1, 0.2, 0.3]
p list.sum { |x| list.clear; x }

# Whatever is asked of arrays without looking at their elements.
big = (0...40_000).to_a
big[39_999] = big[3] = nil
p big.compact.size, big.compact.last, (0...20_000).to_a.compact == (0...20_000).to_a, [Float::NAN] == [Float::NAN], (a = [Float::NAN] * 30) == a.dup
tuples = []
p [1, 2, 3].zip([4, 5], [6]) { |t| tuples << t }, tuples
tuples = []
[1, 2, 3].zip([4, 5], 7..8) { |t| tuples << t }
p tuples, [1, 2].zip([3, 4]).each(&:frozen?)
[1, 2].zip([3]) { |a, b| p [a, b] }
