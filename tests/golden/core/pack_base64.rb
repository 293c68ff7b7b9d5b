# Base64 of all lengths, and what stands in its way.
def encode(text) = [text].pack("m")
def strict_encode(text) = [text].pack("m0")
texts = (0..70).map { |n| ("a".."z").to_a.join.*(3)[0, n] }
p texts.all? { |t| encode(t).unpack1("m") == t && strict_encode(t).unpack1("m0") == t && strict_encode(t).delete("=").unpack1("m") == t }
puts encode(texts[70]), strict_encode(texts[3]), strict_encode("\xff\xfe\xfd"), ["ab" * 40].pack("m30"), [""].pack("m"), ["a"].pack("m0")
["YWJj", "YW Jj\nYQ==", "YWJ=", "YWJj=", "YW*j", "=YWJj", "Y", "YW", "YWJ", "YQ==YQ==", "YQ=YQ", "", "====", "YWJjZA", "YWJjZ===", "YQ=a", "YR==", "YWI=YWI=", "é", "\xff"].each do |text|
  strict = begin text.unpack1("m0") rescue $!.message end
  p [text, text.unpack1("m"), strict, text.unpack("mC*")]
end
big = "x" * 300_000
p encode(big).unpack1("m") == big, strict_encode(big).unpack1("m0") == big, ((strict_encode(big) + "!===").unpack1("m0") rescue $!.class), ((strict_encode(big[0, 3 << 16]) + "Y=").unpack1("m0") rescue $!.class)
