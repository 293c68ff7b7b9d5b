# Ways that natives take when nothing of the program can interfere, beside the long ones.

# Array#delete: elements that answer == shrink, freeze and grow the array.
class Probe
  def initialize(&act) = @act = act
  def ==(_other) = @act.call
end
p [1, 2, 1, 3].delete(1), [1, 2.0, 2].delete(2), [1].delete(5), [1].delete(5) { |x| x * 2 }
list = [1, "a", 2, "a", "b"]
p list.delete("a"), list
list = [1, 2, 3]
list.insert(1, Probe.new { list.pop; true })
p list.delete(0).class, list
list = [Probe.new { list.push(7) if list.size < 5; false }, 1, 2, 1]
p list.delete(1), list.size, list.drop(1)
list = [1, Probe.new { list.freeze; false }, 1, 2]
begin
  list.delete(2)
rescue FrozenError => e
  puts e.class
end
begin
  [1].freeze.delete(1)
rescue FrozenError => e
  puts e.class
end
p [1].freeze.delete(2)
asked = 0
list = Array.new(3) { Probe.new { asked += 1; true } }
list.delete(1)
p asked, list

# Hashes of parts: equal structures, of long arrays, too, and of plain and other members.
long = (1..3000).to_a
p long.hash == long.dup.hash, [long, "x"].hash == [long.dup, "x"].hash, [1, 2].hash == [2, 1].hash
p [1.0, 0.0, nil, :a, "s"].hash == [1.0, -0.0, nil, :a, "s"].hash
Pair = Struct.new(:a, :b)
p Pair.new(1, "x").hash == Pair.new(1, "x").hash, Pair.new([1], 2).hash == Pair.new([1], 2).hash
p Pair.new(1, 2).hash == Struct.new(:a, :b).new(1, 2).hash
p Data.define(:x).new(x: 1.5).then { |d| d.hash == d.with(x: 1.5).hash }

# tally
p %w[a b a c b a].tally, [1, :a, nil, 1, true, nil].tally, [[1], [1], 1.0].tally, (1..12).map { |x| x % 11 }.tally
p %w[a b].tally({"a" => 1 << 62, "b" => 4611686018427387903}), %w[x].tally(Hash.new(5))
counts = {}.compare_by_identity
text = "a"
p [text, text, "a".dup].tally(counts).values
begin
  ["a"].tally({"a" => "no"})
rescue TypeError => e
  puts e.message
end
begin
  ["a"].tally({}.freeze)
rescue FrozenError => e
  puts e.class
end
key = +"k"
p [key].tally.keys[0].frozen?, key.frozen?

# Sets of characters in UTF-8 and in broken text
text = "héllo wörld ßß ééé"
p text.count("é"), text.count("^é"), text.count("a-zß"), text.delete("é"), text.delete("^éß"), text.squeeze, text.squeeze("é")
p text.tr("éö", "eo"), text.tr("a-z", "A-Z"), text.tr("^a-z", "*"), text.tr_s("éß", "x"), text.tr_s("l-o", "é"), text.tr("é-ö", "a")
p "日本語日本".tr("日-本", "ab"), "a\u{10ffff}b".delete("\u{10ffff}"), "".squeeze("é"), "é".delete("é")
[["a\xffb", "b"], ["aé", "\xff"], ["a\xff", "é"]].each do |broken, set|
  %i[count delete squeeze].each do |name|
    p broken.send(name, set)
  rescue ArgumentError => e
    puts "#{name}: #{e.message}"
  end
end
p "h\xe9llo".dup.force_encoding("ISO-8859-1").tr("l", "L").bytes, "あいう".encode("EUC-JP").delete("い".encode("EUC-JP")).encode("UTF-8")

# Padding
p "é".center(7, "ßx"), "é".ljust(6, "abc"), "é".rjust(2, "日"), "abc".center(40, "é").count("é"), "a".ljust(1, "xy"), "a".rjust(9, "xyz")

# Nibbles
p "\x12\xab\xf0".unpack("H*h*"), "\x12\xab\xf0".unpack("H3h3H"), "\x12\xab\xf0".unpack("h*"), "".unpack("H*"), "\x9a".unpack1("H0"), "\x9a".unpack1("h1")

# Interpolation of texts in several encodings
ascii = "abc".encode("US-ASCII")
[["é", ascii], [ascii, "é"], ["", ascii], [ascii, :sym], ["é", "ö", 1], [ascii, ascii], [:"é", "x"]].each do |a, b, c|
  made = "#{a}#{b}#{c}"
  puts "#{made.encoding} #{made.valid_encoding?} #{made.ascii_only?} #{made.bytes.size} #{made.length}"
end
made = "é#{"ö"}" + "x"
p made.length, made.reverse
begin
  "#{"é"}#{"\xe9".dup.force_encoding("ISO-8859-1")}"
rescue Encoding::CompatibilityError => e
  puts e.message
end
broken = "\xff#{"é"}"
p broken.valid_encoding?, broken.length

# Weak tables
map = ObjectSpace::WeakMap.new
keys = Array.new(50) { Object.new }
keys.each_with_index { |key, i| map[key] = i }
keys.each { |key| map[key] = map[key] + 1 }
map["s"] = 1
p keys.sum { |key| map[key] }, map.key?(keys[3]), map[Object.new], map.key?(:no), map["s".dup], map.delete(keys[0]), map.key?(keys[0])
map[1] = :one
p map[1], map.size

# What methods tell of themselves
p 5.method(:+).arity, [].method(:first).arity, [].method(:pack).parameters, "".method(:upcase).arity, Time.method(:now).parameters
p Kernel.method(:Integer).arity, [].method(:shuffle).arity, Object.new.method(:clone).parameters

# Symbols shown
p :a, :A, :"a b", :+, :"é", :"É", :[]=, :"1", :a?, :A!, :"a=", :"=", :!, :"&&", :`, :"日"
p({a: 1, "b c": 2, A?: 3, "+": 4, "é": 5, "a=": 6})

# Singleton classes
object = Object.new
p object.singleton_class.equal?(object.singleton_class), object.singleton_class.instance_methods(false)
p object.freeze.singleton_class.frozen?, String.singleton_class.equal?(String.singleton_class)

# Integers near and beyond 64 and 128 bits
big = 1 << 62
p big * big, -big * big, big + big, -big - big - big, 9999999999 * -9999999999, 4611686018427387903 * 2, (1 << 63) - 1 + 1
p 10**18, 10**19, 10**20, (-3)**79, (-3)**80, (-3)**81, 2**126, 2**127, 2**128, (-2)**127, 7**45, 7**46
three, seven = 3**100, 7**80
p three % seven, -three % seven, three % -seven, -three % -seven, seven % three, three % three, -three % three
p three.divmod(seven), (-three).divmod(seven), three.modulo(-three)

# Base64 with what is no digit in it, and texts alike but for case
long = (0..255).to_a.pack("C*") * 3
p [long].pack("m").unpack1("m") == long, [long].pack("m0").unpack1("m0") == long, [long].pack("m10").unpack1("m") == long
p "aGVs bG8=\n".unpack("m"), "aGVsbG8".unpack("m"), "aG*VsbG8=xx".unpack("m"), "a".unpack("m"), "aGVs=bG8".unpack("m"), "\xffaGVs".unpack("m")
["aGVsbG8", "aGVsbG8=\n", "aG*sbG8=", "aGVsbG9=", "aGVsbA==", "====", ""].each do |text|
  p text.unpack1("m0")
rescue ArgumentError => e
  puts e.message
end
p "aBc".casecmp?("AbC"), "aBc".casecmp?("AbD"), "é".casecmp?("É"), "a[".casecmp?("A{"), "ss".casecmp?("ß"), "a".casecmp?("Ab"), "a".casecmp?(1.to_s)
p "AB".encode("UTF-16LE").casecmp?("ab".encode("UTF-16LE")), "a".casecmp?("A".encode("US-ASCII"))
