# Methods that look at whole blocks of bytes: differences at every place of a block.
letters = [*"a".."z", *"0".."9"].join
[0, 1, 31, 32, 33, 35, 63, 64, 65].each do |at|
  long = letters * 3
  other = long.upcase
  p [long.casecmp(other), long.casecmp(other.dup.tap { _1[at] = "{" }), long.casecmp(other.dup.tap { _1[at] = "!" })]
  p [long[0, at].casecmp(other), long.casecmp(other[0, at]), long.casecmp?(other)]
  ["\n", "\"", "#", "\#{", "\\", "\x7F", "é", "\u0085", "\u2028", "\u00AD", "\u0378", "あ"].each do |odd|
    text = long.dup.tap { _1[at, 1] = odd }
    shown = text.inspect
    p shown.size, shown[at, 8], eval(shown) == text
  end
end
p "こんにちは世界。\u0378テスト\n\u{10FFFF}é\u0085x\"#é\#{é".inspect
p "こんにちは\xFF世界", "é".encode("ISO-8859-1"), "é".b, "あ#".encode("EUC-JP")
p "aé\u{100}\u{10FFFF}".codepoints, "".codepoints, ("x" * 40 + "é").codepoints.tally.size
p ("é\xFFé".codepoints rescue $!.message), "é\xFF".b.codepoints, "é".encode("UTF-16LE").codepoints
p "\u{D7FF}\u{E000}".codepoints

# Splitting at an empty pattern.
["", "a", "abc", "aéあ", "a b "].each do |text|
  p [text.split(//), text.split(//, 1), text.split(//, 2), text.split(//, 10), text.split(//, -1)]
end
p "a b".split(//x), "ab".split(/(?:)/), "ab".split(//i), "é".b.split(//), ("aé\xFFb".split(//) rescue $!.message)
"ab".split(//) { |c| p c }

# A Regexp of a Regexp has the same pattern.
one = Regexp.new("(?<x>a+)é?", Regexp::IGNORECASE)
[Regexp.new(one), one.dup, one.clone, Regexp.new(/b/n), /b/n.dup, Regexp.new(/é/), Regexp.new(/x/u), Regexp.new(/a/, timeout: 2.0)].each do |copy|
  p [copy, copy.options, copy.names, copy.frozen?, copy.encoding, copy.fixed_encoding?, copy.timeout, copy == one]
  p copy.match("xAAb")
end
p Class.new(Regexp).new(one).class.superclass, (one.send(:initialize, /b/) rescue [$!.class, $!.message])
p (Regexp.new(Regexp.allocate) rescue [$!.class, $!.message]), (Regexp.allocate.dup rescue [$!.class, $!.message])

require "cgi/escape"
require "erb"
["", "plain", "<", "a<b>&\"'c", "<>" * 40, "é<é" * 20, "x" * 100 + "&", "&" + "y" * 70, "'\"" * 33].each do |text|
  p CGI.escapeHTML(text), ERB::Util.html_escape(text) == CGI.escapeHTML(text), CGI.unescapeHTML(CGI.escapeHTML(text)) == text
end
