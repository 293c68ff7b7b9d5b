# String, symbol, character, percent and regexp literals.
p 'single #{no} \n \' \\', "double #{1 + 1} \t \" \\"
p "\a\b\e\f\n\r\s\t\v\0\1\12\x41\x7f\u00e9\u{1F600 41}\M-a\C-a\c?\M-\C-b".bytes
p "adjacent" " literals" 'are one'
p %q(single (nested) #{no}), %Q(double (nested) #{:yes}), %(plain #{1}), %<angle>, %[b[r]a], %{c{u}r}, %|pipe|, %!bang!
p %w[a b#{1} c\ d], %W[a b#{1} c\ d #{"e f"}], %i[a b c], %I[a#{1} b]
p :sym, :"quoted sym", :'raw #{x}', :"inter#{1}", %s(percent sym), :+, :[]=, :!, :a?, :b!, :c=, :"9", :"", :A, :"é"
p ?a, ?\n, ?\s, ?é, ?\u0041, ?あ
p "line \
continued"
p "nested #{"inner #{"deep #{1}"}"}", "#{}", "#{nil}#{true}#{:s}#{1.5}#{[1, "a"]}#{{ a: 1 }}"
@i = 1; $g = 2
p "#@i #$g #notivar #{@i}#"
p "a#{1}b#{2}c" 'd' "e#{3}"
class Stringy
  def to_s = "stringy"
end
class NotString
  def to_s = 5
end
p "#{Stringy.new}", "#{NotString.new}".start_with?("#<NotString")
p "é".bytes, "é".encoding, "\xff".valid_encoding?, "\xE9".b.encoding, "abc".encoding
p "\u{48 49}", "\x48\u{49}"
p /a.c/, /a\/b/, %r{a/b}, %r[x]i, /x#{1 + 1}y/mix, /\//, //
p "foobar" =~ /o+/, $~, $`, $', $&, "x" =~ /y/, $~
p(/(?<year>\d+)-(?<month>\d+)/ =~ "on 2024-05", year, month)
p (1..2), (1...3), (1..), (..3), ("a".."c"), nil..nil
p 1_000, 0x1F, 0b101, 0o17, 017, 1e3, 1.5e-3, 3r, 2i, 1.5r, 3ri, 0d10
p [*1..3, *"x"], { "a": 1, b: 2, "c d": 3, 4 => 5, nil => 6, [1] => 7 }
x = 1; y = 2
p({ x:, y: })
p({ "k#{x}": 1 }, { if: 1, end: 2 })
p __method__.inspect, __FILE__, __LINE__, __ENCODING__, __dir__ == File.dirname(File.expand_path(__FILE__))
p "abc".frozen?, :a.frozen?, "a#{1}".frozen?, 1.frozen?, nil.frozen?, (1..2).frozen?, /x/.frozen?, [].frozen?
p "abc".equal?("abc"), :abc.equal?(:abc), 'a'.hash == "a".hash
p "%d %05.2f %s %-5s| %+d %x %o %e %b %%" % [1, 2.345, "s", "l", 3, 255, 8, 12345.678, 5]
p "%<a>d %{b}" % { a: 1, b: 2 }, "%c%c" % [65, "B"], "%08b" % 37, "%.3s" % "abcdef", "%*d" % [5, 42]
p "tab\tquote\"hash#brace\#{" , '#{x}', "\#$g \#@i", "#", "#x"
p "\u0000\u0001\u007f\u0080\u200b\u{10ffff}"
p "a\\b", 'a\b', 'it''s', "\
"
