# What `inspect` answers in another encoding than the default stands in escapes inside a longer text.
class Wide
  include Comparable
  def inspect = "zażółć ☃".encode("UTF-16LE")
  def <=>(_other) = 0
end
Pair = Struct.new(:left, :right)
Point = Data.define(:x)
class Holder
  def initialize(value) = @value = value
end

wide = Wide.new
shown = [[wide], { a: wide }, { wide => 1 }, Pair.new(wide, 1), Point.new(x: wide), wide..nil, nil..wide, Set[wide], [wide].each,
         [1].each_with_object(wide), Holder.new(wide), [wide].each + [], Enumerator::Product.new([wide])].map(&:inspect)
shown.each { |text| puts text.sub(/0x\h+/, "0x").encode("UTF-8") }
p wide

class Bytes
  def inspect = "\xFF\xE9".b
end
p [Bytes.new], Pair.new(Bytes.new, "\xE9".dup.force_encoding("ISO-8859-1"))

# Removing the last character knows nothing of the others.
text = "aé\u{1F600}\r\n\xFFé\xE3\x81".dup
puts text.chop.dump, text.chop!.dump, text.chop!.dump, text.chop!.dump, text.chop!.dump, text.chomp!.inspect, text.chop!.dump, text.chop!.dump
p "あい".encode("Shift_JIS").chop.encode("UTF-8"), "aé".encode("UTF-16LE").chop.encode("UTF-8"), "\u{1F600}".encode("UTF-16BE").chop

# A string that its block changes; one that its block replaces with the same.
p((("ab" * 300).dup.then { |s| s.scan(/a/) { s << "c" } } rescue $!))
p(("ab".dup.then { |s| s.scan(/a/) { s << "c" } } rescue $!))
