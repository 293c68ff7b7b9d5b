# String: slicing, searching, case, padding, splitting, iteration, comparison and mutation.
s = "hello world"
p s[0], s[-1], s[1, 3], s[1..3], s[1...-1], s[/o\s*w/], s[/(l+)(o)/, 2], s["world"], s["nope"], s[20], s[11], s[11, 1], s[12, 1], s[-20, 3], s[6..], s[..4], s[3..1], s[/(?<x>w.)/, :x]
t = +"hello"
t[0] = "J"; t[-1] = "y"; t[1, 2] = "EE"; p t
t[/E+/] = "e"; t["y"] = "ies"; p t
t[1..2] = ""; p t
p t.insert(1, "__"), t.insert(-1, "!"), t.prepend("> "), t.concat("a", "b"), t.replace("new"), t.clear, t.empty?
p s.index("o"), s.index("o", 5), s.rindex("o"), s.index(/w/), s.index("z"), s.byteindex("w"), s.include?("lo w"), s.start_with?("hell", "x"), s.start_with?(/h.l/), s.end_with?("ld"), s.count("lo"), s.count("a-h"), s.count("^l"), s.match?(/wor/), s =~ /wor/
p s.upcase, s.capitalize, s.swapcase, "HeLLo".downcase, "ÀÉ".downcase, "straße".upcase, "ǆ".capitalize, "İ".downcase.codepoints, "I".downcase(:turkic), "ß".casecmp?("SS"), "abc".casecmp("ABD"), "a".casecmp(1)
p s.center(21, "*-"), s.ljust(15, "."), s.rjust(15), "  x ".strip, "  x ".lstrip, "  x ".rstrip, "xxhixx".delete("x"), "aabbcc".squeeze, "aabbcc".squeeze("a"), "\0 x\t\n".strip, "x\n".chomp, "x\r\n".chomp, "xyz".chomp("yz"), "xyz".chop, "x\r\n".chop, "prefix-x".delete_prefix("prefix-"), "x.rb".delete_suffix(".rb")
p "a,b,,c,,".split(","), "a,b,,c,,".split(",", -1), "a b  c".split, " a b".split(" "), "abc".split(""), "a1b2c".split(/\d/), "a1b2c".split(/(\d)/), "a,b,c".split(",", 2), "".split(","), "abc".split(/b/) { print _1 }, "a\tb\nc".split
p "hello".tr("el", "ip"), "hello".tr("a-y", "b-z"), "hello".tr("^l", "*"), "hello".tr_s("l", "r"), "hello".delete("l-o"), "he-llo".tr("-", "_"), "hello".tr("elo", "1"), "a\\b".tr("\\", "/")
p "cat hat".gsub("at", "og"), "cat".gsub(/[aeiou]/) { _1.upcase }, "cat".gsub(/(c)(a)/, '\2\1'), "cat".gsub(/a/, "a" => "o"), "cat".sub("c", "\\0\\0"), "path".gsub(/(?<first>p)/, '<\k<first>>'), "aaa".sub("a", "b"), "abc".gsub(/./) { |c| c.ord.to_s + " " }, "abc".gsub("b", ""), "a.b".gsub(".", "-"), "hello".gsub(/l/).with_index.map { |m, i| "#{m}#{i}" }, "x".gsub(/y/, "z"), "abc".gsub(/(?=b)/, "|"), "hello".gsub(/[el]/, "e" => 3, "l" => "*")
p "test123abc".scan(/\d/), "a1b2".scan(/([a-z])(\d)/), "hello world".partition(" "), "a.b.c".rpartition("."), "none".partition("x"), "abc".partition(/b/), "k: v".match(/(\w): (\w)/).captures, "foo bar".match(/(?<a>\w+) (?<b>\w+)/).named_captures
p "abc".each_char.to_a, "ab\ncd\n".lines, "ab\ncd".each_line(chomp: true).to_a, "abc".bytes, "é".codepoints, "a-b".each_grapheme_cluster.to_a, "🇯🇵e\u0301".grapheme_clusters.size, "abc".chars.each_slice(2).map(&:join), "a\n\nb\n\n\nc".each_line("").to_a, "axbxc".each_line("x").to_a
p "abc" <=> "abd", "a" <=> "B", "abc" == "abc", "abc".eql?("abc"), "abc".equal?("abc"), "a" * 3, "a" + "b", "a" "b", "%s-%d" % ["x", 5], "abc".hash == "abc".hash, "abc".between?("abb", "abd"), "abc".casecmp?("ABC")
p "az".succ, "zz".succ, "a9".succ, "Zz".succ, "-9".succ, "1.9".succ, "".succ, "é".succ, "<<koala>>".succ, "1999zzz".succ, "***".succ, ("a".."e").to_a, ("08".."11").to_a, ("aa".."ad").include?("ab"), "a".upto("e").to_a, "9".upto("11").to_a
p "abc".reverse, "añb".reverse, "abc".length, "añb".bytesize, "añb".byteslice(1, 2), "abc".sum, "abc".crypt("ab") ? 1 : 0, "abc".unpack("C*"), "abc".ord, "abc".hex, "0x1f".hex, "12".oct, "abc".to_sym, "12.5kg".to_f, "0b11".to_i(0), "1e2".to_r, "2+3i".to_c
p "hello %-8s|%05d|%x" % ["a", 42, 255], "Hello".sub(/l/) { $&.upcase }, "line1\nline2".lines.map(&:chomp), "title case here".split.map(&:capitalize).join(" "), "snake_case_word".gsub(/_(\w)/) { $1.upcase }, "CamelCase".gsub(/([A-Z])/) { "_" + $1.downcase }.sub(/^_/, "")
u = +"abc"
p u << "d" << 101, u.upcase!, u.upcase!, u.downcase!, u.capitalize!, u.swapcase!, u.reverse!, u.slice!(0), u.slice!(0..1), u, u.squeeze!, u.strip!, u.chomp!, u.sub!("x", "y"), u.tr!("a", "b"), u.gsub!(/./, "z"), u.next!, u.delete!("z"), u
p "a".ljust(3).frozen?, "abc".freeze.upcase, "x".encoding, "abc".force_encoding("BINARY").encoding, "é".b, "\xe9".force_encoding("ISO-8859-1").encode("UTF-8"), "é".encode("UTF-16BE").bytes, "abc".valid_encoding?, "\xff".scrub("?"), "a\xffb".scrub { |b| "<#{b.unpack1("H*")}>" }, "abc".ascii_only?, "é".ascii_only?
p "ab\tc\"d\\e\#{f}".inspect, "\e\x01é\u200b".inspect, "é".dump, "\u{1F600}".dump, "\"a\\u00e9\"".undump, 'a#b #{c} #$d #@e'.inspect, "\xE9".inspect, "a\u0300".inspect, :"a b".inspect, "\x7f".inspect
p "abc".then { _1.start_with?("a") ? "yes" : "no" }, "%c" % 10004
p "ab".ljust(1), "abc".slice(1), "abc".slice(0..1), "abcdef".each_char.each_slice(2).to_a, "hello world foo".squeeze("o").tr("o", "0"), "abc".insert(-2, "X"), "ab" "cd".center(10).strip, "aAbB".swapcase, "x=1;y=2".split(";").to_h { _1.split("=") }
p "text" .unpack1("a2"), ["abc"].pack("m0"), "YWJj".unpack1("m"), "abc".bytesplice(0, 1, "XY"), "hello".byterindex("l"), "hello"[1..]&.slice(0, 2)
p String.new("x", capacity: 100), String.new.encoding, String.new(encoding: "UTF-8").encoding, String("x"), String(5), String(nil), "abc".to_str, "abc".to_s.equal?("abc"), "a".append_as_bytes("\xff".b).valid_encoding?, "a,b;c".split(/[,;]/), "Ünïcödé".swapcase, "ﬀ".upcase
p "hello!".gsub(/(.)(.{20})?/, '<\+>'), "hello".sub("l", '[\+]'), "abc" <=> Class.new { def to_str = "abb" }.new, "x".gsub(/(?<æ>x)/, '\k<æ>\k<æ>')
