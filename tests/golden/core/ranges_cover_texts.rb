# Ranges of Strings and Floats: what lies in them by its order, and when the program's own order is asked.
range = "b".."d"
p ["a", "b", "c", "d", "da", "", "é"].map { |text| [range.cover?(text), range === text, range.include?(text)] }
p ("b"..."d").cover?("d"), ("b"..."d") === "czz", ("d".."b").cover?("c")
p ("a"..).cover?("z"), (.."m").cover?("n"), (nil..nil).cover?("x")
p ("a".."z").cover?(:b), ("a".."z") === 1, ("a".."z").cover?(nil)
p ("a".."z").cover?("b".encode("UTF-16LE")), ("a".."z").cover?("b".b), ("\xE0".b.."\xFF".b).cover?("é")
p ("a".."z").cover?("b".."c"), ("a".."c").cover?("b".."d")

floats = 0.5..1.5
p [0.4, 0.5, 1.0, 1.5, 1.6, Float::NAN, -0.0, 1, 2, 1r, 3r / 2, 10**30].map { |n| [floats.cover?(n), floats === n, floats.include?(n)] }
p (0.5...1.5).include?(1.5), (-0.0..0.0).cover?(0.0), (0.0..Float::INFINITY) === 1e308
p (1.5..0.5).cover?(1.0), (0.0..).cover?(1.0), (..0.0).member?(1.0), (0.0..2) === 1.0, (0..2.0).cover?(1.5)
p floats.cover?(0.6..0.7), floats === "1", floats.cover?(nil)

case 36.6
when 0.0...36.0 then p :cold
when 36.0..37.0 then p :well
end

class Backwards < String
  def <=>(other) = -super
end
p (Backwards.new("a").."z").cover?("b") rescue p $!.class
p ("a".."z").cover?(Backwards.new("b")), (Backwards.new("z")..Backwards.new("a")).cover?("b")

odd = +"m"
def odd.<=>(other) = nil
p ("a".."z").cover?(odd), ("a".."z") === odd

class Float
  alias old_order <=>
  def <=>(other) = other.is_a?(Float) ? other.old_order(self) : old_order(other)
end
p (0.5..1.5).cover?(1.0), (1.0..1.0) === 1.0
class Float
  alias <=> old_order
end
class String
  alias old_order <=>
  def <=>(other) = other.is_a?(String) ? size <=> other.size : nil
end
p ("a".."zzz").cover?("~~"), ("a".."zzz") === ""
