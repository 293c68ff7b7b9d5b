# What is worked on in parts is the same as what is made at once: lengths around and beyond the parts.
def same?(text, line)
  count = text.bytesize / line.bytesize
  (0...count).step(4093).all? { |n| text.byteslice(n * line.bytesize, line.bytesize) == line } && text.end_with?(line)
end

lines = ["seven b", "日本語 é\n", "\xFF\x80\x00".b, "\x93\xFA\n".dup.force_encoding("Shift_JIS")]
lines.each do |line|
  [(1 << 24) / line.bytesize, (1 << 25) / line.bytesize + 1, 37_000_000 / line.bytesize].each do |count|
    text = line * count
    p [text.bytesize, same?(text, line), text.encoding]
  end
end

# A repetition longer than a part.
half = "é" * 9_000_000
p((half * 3).bytesize, half * 3 == half + half + half)

# Joining and appending ASCII to text of another encoding looks at neither again and again.
pieces = ["\x93\xFA\x96\x7B"].pack("a*").force_encoding("Shift_JIS") * 40_000
parts = pieces.chars
joined = parts.join(" ")
p joined.bytesize, joined.encoding, joined.valid_encoding?
text = "".dup.force_encoding("Shift_JIS")
parts.each { |part| text << part << ", " }
p text.bytesize, text.encoding, text.valid_encoding?
begin
  text << "é"
rescue => error
  p error.class, error.message
end
