# Array#values_at with ranges, min and max of numbers, and join of strings of one encoding and of several.
a = [*0...40]
[0..2, 0...0, 30..60, 39..41, 40..42, 41..42, -3..-1, -3..3, 5.., ..3, 3..1, -40..1].each do |range|
  p [range, (a.values_at(range) rescue $!)]
  p [range, (a.values_at(1, range, -1) rescue $!)]
end
p((a.values_at(-41..2) rescue $!), (a.values_at(0, -50..2) rescue $!))
part = a.values_at(2..30)
part[0] = :changed
a[3] = :other
p part.first(3), a.first(5)
b = a.freeze.values_at(0..35)
p b.frozen?, b.size, b.push(1).size, a.size
class Sub < Array; end
p Sub.new(a).values_at(0..20).class, [].values_at(0..2), [].values_at(0..-1), [1].values_at

[[3, 1, 2], [1], [5, 5], [-1, 2**61, -2**61, 0], [2**62, 1], [1, 2.5, -3], [2.5, -1.0, 2.5], [0.0, -0.0], [-0.0, 0.0],
 [1.5, Float::NAN], [Float::NAN, 1.5], [1.0e300, -1.0e300, 1.0e-300], [Float::INFINITY, -Float::INFINITY, 1.0],
 [*1..9, -4, *10..20], [1, 2, 3, 4, "x"], [1.0, nil], [nil, 1], %w[b a c], ["b", 1], [], [1r, 2], [[2], [1]],
 (1..100).map { it * 37 % 101 }, (1..100).map { it * 37 % 101 / 4.0 }].each do |list|
  p [(list.min rescue $!), (list.max rescue $!), (list.minmax rescue $!)]
  set = Set.new(list)
  p [(set.min rescue $!.class), (set.max rescue $!.class), (set.minmax rescue $!.class)]
end
class Counted < Set
  def each = super { |x| yield x.abs }
end
p Counted[-5, 3].max, Counted[-5, 3].min, Counted[-5, 3].minmax, Set[1, -3].min { |x, y| y <=> x }, Set[4, 2, 9].min(2)

def shown(text) = p([text, text.encoding, text.valid_encoding?, text.ascii_only?])
shown %w[a b c].join(",")
shown %w[a b c].join
shown ["a"].join("é")
shown ["é", "b"].join(",")
shown ["é", "\xff"].join(",")
shown ["\xff", "b"].join(",")
shown ["\xe3", "\x81", "\x82"].join
shown ["a".encode("US-ASCII"), "b"].join
shown ["a".encode("UTF-16LE"), "b".encode("UTF-16LE")].join
shown ["a".b, "\xff".b].join("-".b)
shown(["é", "\xff".b].join) rescue p $!
shown(["é", "\xe9".dup.force_encoding("ISO-8859-1")].join(",")) rescue p $!
shown ["", "é".encode("ISO-8859-1")].join
shown [""].join("é")
shown ["", ""].join("é")
long = Array.new(5000) { |i| "x#{i}" }
text = +""
long.each { |s| text << ", " unless text.empty?; text << s }
p long.join(", ") == text, long.join("").size
p [1, "a", [2, ["b"]], nil, :c].join("-"), ["a" * 40, "b" * 9, "c" * 17].join("12")
