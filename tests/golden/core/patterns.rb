# Patterns in String methods and MatchData: positions, fields, replacements, encodings, syntax.
def t; yield.inspect; rescue Exception => e; "#{e.class}: #{e.message}"; end
puts t{ "abc".index(/b/, -2) }
puts t{ "abc".index("", 3) }
puts t{ "abc".index("", 4) }
puts t{ "abc".index(/z/, 9) }
puts t{ "abcabc".rindex(/b/, -3) }
puts t{ "abcabc".rindex("c", 99) }
puts t{ "abcabc".byterindex("b", 3) }
puts t{ "héllo".byterindex("l", 2) }
puts t{ "héllo".byteindex(/l/) }
puts t{ "abc".match(/b/, 2) }
puts t{ "abc".match("b") }
puts t{ "abc".match(1) }
puts t{ /b/.match("abc", -2).begin(0) }
puts t{ /b/.match?(nil) }
puts t{ /b/.match(nil); $~ }
puts t{ /b/ =~ nil }
puts t{ /b/ =~ 1 }
puts t{ /b/ === 1 }
puts t{ /b/.match(1) }
puts t{ "a.b.c".split(".", 2) }
puts t{ "a  b c".split(/ /) }
puts t{ "a  b c".split(" ", 2) }
puts t{ "aXXbXXc".split("XX", -1) }
puts t{ "abc".split(nil) }
puts t{ "abc".split(1) }
puts t{ "日本語".split("") }
puts t{ "日,本,語".split(/,/, 2) }
puts t{ "1, 2,3".split(/,\s*/) }
puts t{ "abc".split(/(b)|(z)/) }
puts t{ "aaa".split(/a/) }
puts t{ "aaa".split(/a/, -1) }
puts t{ "hello".scan("l") }
puts t{ "hello".scan(/(h)(e)|(l)/) }
puts t{ "日本".scan(/./) }
puts t{ "日本".scan(//).size }
puts t{ "hello".scan(1) }
puts t{ "hello".sub(/l/) { |m| $~.begin(0).to_s } }
puts t{ "hello".sub(/(?<first>l)/, '\k<first>!') }
puts t{ "hello".sub(/l/, "l" => "L") }
puts t{ "hello".gsub(/[el]/, "e" => 3) }
puts t{ "hello".gsub(/l/) { nil } }
puts t{ "hello".gsub("l") { 1 } }
puts t{ "hello".gsub(/l/, 1) }
puts t{ "hello".gsub }
puts t{ "hello".gsub!(/z/, "") }
puts t{ s = +"hello"; [s.gsub!(/l/, "L"), s] }
puts t{ s = +"hello"; [s.sub!(/l/) { |x| x.upcase }, s] }
puts t{ "hello".gsub(/l/).class }
puts t{ "a\\b".gsub("\\", "\\\\\\\\") }
puts t{ "hello".gsub(/(l)(l)/, '\2\1\0\9') }
puts t{ "hello".gsub(/(?<x>l)/, '\k<x') }
puts t{ "é".gsub(/é/, "e".encode("UTF-16LE")) }
puts t{ "aé".gsub(/a/, "\xE9".b) }
puts t{ "a".b.gsub(/a/, "é") .encoding}
puts t{ "abc".gsub(/b/, "é").encoding }
puts t{ "abc".encode("US-ASCII").gsub(/b/, "é").encoding }
puts t{ m = /(.)(.)(\d+)(\d)/.match("THX1138: The Movie"); [m.offset(0), m.end(2), m.values_at(0, 2, -2), m.values_at(1..2), m.pre_match, m.post_match, m.size, m.to_s] }
puts t{ m = /(?<a>.)(.)?/.match("x"); [m.names, m.begin(:a), (m.begin(:zz) rescue $!.message), m.match("a"), m.match_length(:a)] }
puts t{ /(?<a>.)/.match("x").deconstruct_keys([:a, :b]) }
puts t{ /(?<a>.)/.match("x").deconstruct_keys(1) }
puts t{ /(?<a>.)/.match("x").deconstruct_keys(["a"]) }
puts t{ /(.)(.)?/.match("x").deconstruct }
puts t{ /x/.match("x").bytebegin(0) }
puts t{ /(?<a>é)(?<b>x)?/.match("aéx").byteoffset(:b) }
puts t{ /x/.match("x").names }
puts t{ /x/.match("x").string.frozen? }
puts t{ /(?mi:a)/.to_s }
puts t{ /(?-mix:a)/.inspect }
puts t{ /#{/a/i}b/ }
puts t{ /a\//.source }
puts t{ %r{/}.inspect }
puts t{ /\n\t/.inspect }
puts t{ Regexp.new("\n").inspect }
puts t{ Regexp.new("a", true) }
puts t{ Regexp.new("a", nil) }
puts t{ Regexp.new("a", Regexp::EXTENDED | Regexp::MULTILINE).options }
puts t{ Regexp.new }
puts t{ Regexp.new("a", 0, 1) }
puts t{ Regexp.new("a", foo: 1) }
puts t{ Regexp.new(1) }
puts t{ Regexp.compile("a") }
puts t{ Regexp.union(["a+", /b/x]) }
puts t{ Regexp.union("a", 1) }
puts t{ Regexp.try_convert("a") }
puts t{ Regexp.try_convert(/a/) }
puts t{ Regexp.escape(:a) }
puts t{ Regexp.escape("\u3042 ").encoding }
puts t{ Regexp.escape("a").encoding }
puts t{ Regexp.escape(1) }
puts t{ /é/.encoding }
puts t{ /a/u.encoding }
puts t{ /a/n.options }
puts t{ /\xff/n.encoding }
puts t{ /\xff/n.options }
puts t{ /a/u.options }
puts t{ /a/e.encoding }
puts t{ /a/n.inspect }
puts t{ /a/u.fixed_encoding? }
puts t{ /\u3042/.source.encoding }
puts t{ Regexp.new("a".b).encoding }
puts t{ /(?<foo>a)(?<bar>b)/.named_captures }
puts t{ /a/ =~ "A" }
puts t{ Regexp.linear_time?("a+") }
puts t{ /A/i.casefold? }
puts t{ "Kelvin K" =~ /k\z/i }
puts t{ "aB" =~ /(?i)ab/ }
puts t{ "a\nb" =~ /a.b/ }
puts t{ "a\nb" =~ /a.b/m }
puts t{ "foo  bar".match(/ foo \s+ bar # c /x) }
puts t{ "foobar"[/(?<=foo)bar/] }
puts t{ "ab12"[/[[:alpha:]&&[^a]]/] }
puts t{ "a-b"[/[a\-b]+/] }
puts t{ "tel: 555"[/\p{Digit}+/] }
puts t{ "ÀÉ".scan(/\p{Lu}/) }
puts t{ "a_b"[/[[:word:]]+/] }
puts t{ "a$b"[/[[:punct:]]/] }
puts t{ "\t \u3000".scan(/[[:blank:]]/).size }
puts t{ "(a(b)c)"[/(?<p>\((?:[^()]|\g<p>)*\))/] }
puts t{ "aa"[/(a)\k<1>/] }
puts t{ "aa"[/(a)\k<-1>/] }
puts t{ "aaa"[/a{2}/] + "aaaa"[/a{2,}/] + "aaa"[/a{,2}/] }
puts t{ "aaab"[/a*+a/] }
puts t{ "x\u0000y" =~ /\0/ }
puts t{ "\u{1F600}"[/\p{Emoji}/] }
puts t{ "ab\n" =~ /b\Z/ }
puts t{ "ab\n" =~ /b\z/ }
puts t{ "abab".gsub(/\Gab/, "x") }
puts t{ "ABC".tr("A-C", "a-c").sub(/\A(.)/) { $1.upcase } }
$_ = "xyz"
puts t{ ~ /y/ }
