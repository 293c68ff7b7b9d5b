# Operator precedence and associativity, safe operators, spaceship, ranges, unary, and redefinition of operators.
p 2 + 3 * 4 ** 2 / 8 % 5 - -1, -2 ** 2, (-2) ** 2, 2 ** 3 ** 2, 10 - 4 - 3, 100 / 10 / 2
p 1 + 2 == 3 && 4 > 3, !true == false, (not 1 == 2), 1 | 2 & 3 ^ 4, ~5 & 0xf, 1 << 2 + 1, 7 >> 1 & 1
p 5 <=> 3, 3 <=> 5, 3 <=> 3, 3 <=> "x", [1, 2] <=> [1, 3], "a" <=> "b", nil <=> nil, nil <=> 1, true <=> false
p 1 == 1.0, 1.eql?(1.0), 1.equal?(1), 1.hash == 1.0.hash, "a" == :a, 17 === 17, Integer === 3, /x/ === "axb", (1..3) === 2
p 1 != 2, "a" !~ /b/, nil.to_a, nil & true, true & 3, false ^ true, nil | 1, true.!, 1.!
p (1..10) % 3, ((1..10) % 3).to_a, 5.clamp(1, 3), 5.clamp(..3), 0.clamp(2..)
a = b = 3
p a, a += b -= 1, b
p (a > b and b > 0 or raise), (a if a && !b), (true ? false ? 1 : 2 : 3)
x = false || true
y = (false or true)
p x, y
z = nil
z ||= begin 1 + 1 end
p z
def self.log(v) = (print v, " "; v)
log(1) + log(2) * log(3)
log(false) && log(9)
log(nil) || log(8)
puts
p [1, 2] + [3] - [2] & [1, 3] | [9], [1, 2] * 2, [1, 2] * ",", "ab" * 2, "a" + "b" * 3
p 7 / 2, -7 / 2, 7 % 3, -7 % 3, 7 % -3, 7.fdiv(2), 7.divmod(-2), -7.remainder(3), 7.0 / 2, 7 / 2.0, 2 ** -1, 2 ** 0.5, 4 ** 0.5
p 6.lcm(4), 6.gcd(4), 10.pow(3, 7), 5[0], 5[1], 0b1010[1..2], 5.bit_length, 255.digits(16), 3.zero?, 0.zero?, 3.pred, 3.succ
p 1.0.nan?, (0.0 / 0.0).nan?, 1 / 0.0, -1 / 0.0, 0.1 + 0.2, 0.1 + 0.2 == 0.3, 1e20.to_i, 1e-5, 1e15, 1e16, 123456789.123456789, 1.0, 100.0, 1e100, -0.0
p "a".."e", ("a".."e").step(2).to_a, (1..10).step(3).to_a, 1.step(by: 2, to: 7).to_a, (1.0..2.0).step(0.5).to_a
class Meter
  attr_reader :n
  def initialize(n) = @n = n
  def +(o) = Meter.new(n + (o.is_a?(Meter) ? o.n : o))
  def coerce(o) = [Meter.new(o), self]
  def <=>(o) = n <=> o.n
  include Comparable
  def succ = Meter.new(n + 1)
  def to_s = "#{n}m"
  def inspect = "#{n}m"
  def hash = n.hash
  def eql?(o) = n == o.n
  def each = (yield n; yield n + 1)
  include Enumerable
  def -@ = Meter.new(-n)
  def ~ = :tilde
  def !~(o) = :not_match
  def ===(o) = n === o
  def **(o) = [:pow, o]
  def >>(o) = [:shift, o]
end
m = Meter.new(5)
p m + 1, 1 + m, m + m, m > Meter.new(3), [m, Meter.new(2)].min, m == Meter.new(5), m != Meter.new(5), m.clamp(Meter.new(6), Meter.new(7))
p (Meter.new(1)..Meter.new(4)).to_a, (Meter.new(1)..Meter.new(4)).include?(Meter.new(2)), { m => 1 }[Meter.new(5)], [m, Meter.new(5)].uniq.size
p "is #{m}", m.map { _1 * 2 }, m.sort, m.include?(6), -m, ~m, m !~ 1, m ** 2, m >> 1, (case 5 when m then :five end), m.to_set.size, m.first, m.sum, m.reduce(:*), m.each_slice(1).to_a, m.min_by { -_1 }
p [*m], [3, 4].then { |(q, w)| q + w }
class Integer
  alias old_plus +
  def +(o) = o == 1000 ? :patched : old_plus(o)
end
p 1 + 1000, 1 + 1, [1, 1000].inject(:+), [1, 2].sum
class Integer
  alias + old_plus
end
p 1 + 1000
p [1, 2, 3].sum { |v| v + 0.5 }, "é" == "e\u0301", "a".eql?("a"), :a.equal?(:a), [1] == [1.0], { a: 1 } == { a: 1.0 }, [1].eql?([1.0])
