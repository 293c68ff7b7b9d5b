# Methods without blocks whose common cases take a short way, and the others.
def fails
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

3.times do
  [2.5, -2.5, 0.5, -0.5, 1.49999, 2.0**51 + 0.5, 2.0**52, 2.0**53, 1e20, -1e20, -0.0].each do |f|
    p [f.floor, f.ceil, f.round, f.truncate, f.round(half: :even), f.round(half: :down)]
  end
  fails { Float::NAN.floor }
  fails { Float::INFINITY.round }
  fails { -Float::INFINITY.truncate }
  [[7, 2], [-7, 2], [7, -2], [-7, -2], [0, 3], [2**61, -1], [-2**62, -1], [6, 3], [-6, 3]].each { |a, b| p [a.div(b), a.divmod(b), a % b, a / b] }
  fails { 1.div(0) }
  fails { 1.divmod(0) }
  p 5.div(2.0), 5.divmod(2.0), 2**10, 2**0, 0**0, 2**-1, (-3)**3, 3**40, 2**61, 2**62, 2**200, (-1)**5, 2**0.5, 10.div(2**70)
end

# Places in arrays.
a = [1, "b", 2.0, :c, nil, [1], 1]
3.times do
  p a.index(1), a.rindex(1), a.index("b"), a.rindex(2), a.index([1]), a.rindex(nil), a.index(9), a.rindex(9), a.fetch(1), a.fetch(-1), a.fetch(9, 0)
  p a.rindex { |x| x == 1 }, a.fetch(9) { |i| i * 2 }, a.count(1), [].rindex(1), a.include?([1])
end
fails { a.fetch(7) }
fails { a.fetch(-8) }
fails { a.fetch("x") }
class Shrinking
  def initialize(array) = @array = array
  def ==(_) = (@array.pop; false)
end
x = [1, 2, 3]
x.push(Shrinking.new(x), Shrinking.new(x))
p x.rindex(2), x
long = (0...200).to_a
p long.index(150), long.rindex(3), long.min, long.max, long.sum, [3.5, 1].min, [1, 2.5].sum, %w[b a].max, [2**62, 2**62].sum, ["a"].sum("")
p [1, 1, 2].uniq!, [1, 2].uniq!, [1, 1.0, "a", "a"].uniq!, [[1], [1]].uniq!, [3, 4, 5].uniq!(&:odd?)
fails { [1, 1].freeze.uniq! }
p [*a, 1], [*a], [*1..3, 4], [0, *a], [*nil], [*long, 1].size
copy = [*a]
copy << 5
p a.size, copy.size

# Ranges.
3.times do
  p (3..5).min, (3...3).min, (3..2).max, (3...5).max, (3..5).max, (3...4).max, (1.5..2).min, ("a".."c").max, (2**70..2**71).min
  [-1, 0, 5, 10, 11].each do |i|
    p(case i when ..-1 then :below when 0..4 then :low when 5...10 then :mid when 10.. then :high end)
  end
  p (nil..nil) === 5, (1..nil) === 1, (1...) === 1, (...1) === 1, (..1) === 1, (1..) === "a", (1..) === 2.5, (..3) === nil rescue p $!.class
end

# Structs and strings.
P = Struct.new(:x, :y)
s = P.new(1, 2)
3.times { p s[0], s[-1], s[:y], s["x"], s.size, s.length, s.dig(:x) }
fails { s[2] }
fails { s[:z] }
class Text < String; attr_accessor :note; end
t = Text.new("abc")
t.note = 1
u = +"ab"
u.instance_variable_set(:@n, 5)
3.times { p t.dup.class, t.dup.note, u.dup.instance_variable_get(:@n), "lit".dup << "x", ("long" * 50).dup.size, "f".freeze.dup.frozen? }

# Calendars.
[0, -1, 951_782_400, 951_868_799, 951_868_800, 1_078_012_800, 4_107_542_399, -62_135_596_800, -62_167_219_200, 253_402_300_800, -2_208_988_800, 1 << 40, -(1 << 40)].each do |n|
  t = Time.at(n).utc
  p [t.year, t.month, t.day, t.hour, t.min, t.sec, t.wday, t.yday]
end
t = Time.utc(1999, 12, 30)
800.times { t += 86_400; print t.yday, t.wday, t.day, " " if t.day > 27 || t.day == 1 }
puts

# Matches.
m = /(l+)(?<o>o)?/.match("hello")
n = /(ö+)(x)?/.match("grööße")
p m.begin(0), m.end(0), n.begin(1), n.end(1), n.offset(0), n.begin(2), n.byteoffset(0)
fails { m.begin(5) }
