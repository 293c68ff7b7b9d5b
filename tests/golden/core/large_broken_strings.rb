# Large strings are worked on in parts. No part ends inside a character, and in bytes that no character has each ends somewhere.
strays = "\x80" * 600_000
mixed = "a" * 524_286 + "\xE3\x81\x82\x81\x81" + "b" * 1_000
short = "a" * 524_286 + "\xE3\x81" + "\x80\x80" * 100 + "#" * 100 + "{"

[strays, mixed, short].each do |string|
  p string.valid_encoding?, string.scrub("").size, string.scrub("?").count("?"), string.inspect.size, string.dump.size
  p string.b.scrub.size, (string.count("a") rescue $!.class), (string.delete("a").bytesize rescue $!.class)
  p (string.tr("a", "b").bytesize rescue $!.class), (string.squeeze("a").bytesize rescue $!.class)
  p (string.upcase.bytesize rescue $!.class), (string.unicode_normalize rescue $!.class)
  p string.scrub("").unicode_normalize.size, (Regexp.escape(string).bytesize rescue $!.class), (string.casecmp?(string) rescue $!.class)
end

wide = ("\x81" * 600_001).force_encoding("Shift_JIS")
puts "grapheme clusters"
p short.scrub("").grapheme_clusters.size, (strays.grapheme_clusters.size rescue $!.class)
p wide.valid_encoding?, wide.scrub("?").size, wide.inspect.size, wide.dump.size
