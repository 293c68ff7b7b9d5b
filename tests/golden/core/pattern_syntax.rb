# What the pattern syntax accepts and refuses, and what matching raises.
def t; yield.inspect; rescue Exception => e; "#{e.class}: #{e.message}"; end
<<'L'.split("\n").each { |s| puts "#{s}\t#{t{ Regexp.new(s) }}" }
[
(
)
*
+a
?
(?<a
(?<1>x)
(?z)
\
\x
\xg
\u
\u{
\u{110000}
\u{d800}
[a-\d]
[z-a]
a{2,1}
(?<n>a)(b)\1
\k<x>
\g<x>
\k<-2>
(?<=a*)
(?<!a+b)
\p{foo}
\p{
[[:foo:]]
[a&&]
[]
[^]
x**
a{3}{2}
(?~|a)
(?i-m
(?#abc
\M-a
\C-
\cx
\M-
\2
\8
\08
(?u)\w
(?a)é
(?y{g})
(?{x})
(*FAIL)
\N
\y
(?<a>)(?<a>)
(?(1)a|b)
(x)(?(1)a|b|c)
(?P<a>x)
(?<=(?<a>x))
(?<!(x))
\xff
\u{61 62}
\u{}
\u12
{1}
a{,2}
a{
a{1
a{1,b}
[a-]
[a-b-c]
(?'a'x)(?'a'x)
\k'a'
[a
[[:alpha:
[a\
(?<>x)
(?<a b>x)
(?<a)x)
a{100001}
\g<5>
\k<1>
(?<=\Ka)
(?i)(?u)é
(?imx-imx:a)
(?
(?<
(?:
(?=
(?ia
[\xff]
é\xff
\u{1F600}
\xE3\x81
[b-a]
[\w-a]
[a-[b]]
(?<=a|bc)
(?<=(?:a|bc))
(?<=a(?:b|cd))
(?<!\R)
(?<=\X)
\p{^Alpha}\P{Alpha}
\p{In_Latin}
\p{InBasicLatin}
\pL
\p{Greek}
\p{Emoji}
\k<n+1>(?<n>a)
L
puts t{ "\xff" =~ /x/ }
puts t{ "\xffx".gsub("x","y") }
puts t{ "é".encode("EUC-JP") =~ /é/ }
puts t{ "é".b =~ /é/ }
puts t{ "é" =~ /\xff/n }
puts t{ Regexp.new("é".b) }
puts t{ Regexp.new("\\xc3\\xa9").encoding }
puts t{ "abc".gsub("b", "[\\1]") }
puts t{ "abc".gsub(/(?<x>b)/, "[\\1\\k<x>]") }
puts t{ "abc".gsub(/(?<x>b)/, "[\\k<y>]") }
puts t{ "abc".gsub(/[ac]/, "a" => "1", "c" => 2) }
puts t{ "hello".gsub(/l/).with_index.map { |x, i| [x, i] } }
puts t{ "abc".gsub(/b/) { |m| [$~.pre_match, $~.post_match, m] } }
puts t{ s = +"abc"; s.gsub!(/b/) { s << "x"; "y" } }
puts t{ s = "abc".freeze; s.gsub!(/b/, "x") }
puts t{ s = "abc".freeze; s.sub!(/z/, "x") }
puts t{ "abc".sub(/b/) }
puts t{ "abc".gsub(1, "x") }
puts t{ "abc".index(1) }
puts t{ "abc".partition(1) }
puts t{ "日本語日本語".rindex(/日/) }
puts t{ "日本語日本語".rindex("日", -4) }
puts t{ "日本語".byteindex("本", 1) }
puts t{ "日本語".byteindex("本", 3) }
puts t{ "abc".split("") }
puts t{ "abc".split(//, 2) }
puts t{ " a b  c ".split }
puts t{ " a b  c ".split(" ", -1) }
puts t{ "a,b,,".split(",") }
puts t{ "a,b,,".split(/,/, -1) }
puts t{ "a1b2c".split(/(\d)/) }
puts t{ "".split(/,/) }
puts t{ "".split(",", -1) }
puts t{ "abc".split(/b/) { |x| print x } }
puts
puts t{ "a-b_c".partition(/[-_]/) }
puts t{ "a-b_c".rpartition(/[-_]/) }
puts t{ "abc".rpartition("z") }
puts t{ /(a)(b)?/.match("ac").inspect }
puts t{ m = /(?<a>.)(?<b>.)/.match("xy"); [m.named_captures, m.named_captures(symbolize_names: true), m.values_at(:a, -1), m.deconstruct_keys([:a]), m.to_a, m[-1], m[0..1], m[1,2]] }
puts t{ m = /b/.match("abc"); [m[-1], m.begin(0), (m.begin(1) rescue $!.message), m.byteoffset(0)] }
puts t{ /a/ == /a/i }
puts t{ [/a/.hash == Regexp.new("a").hash, /a/.eql?(Regexp.new("a"))] }
puts t{ {/a/ => 1}[/a/] }
puts t{ /x/ === :x }
puts t{ Regexp.new("a", "imx") }
puts t{ Regexp.new("a", "iz") }
puts t{ Regexp.new("a", timeout: 2.0).timeout }
puts t{ Regexp.new("a", timeout: -1) }
puts t{ Regexp.new(/x/i).options }
puts t{ Regexp.union }
puts t{ Regexp.union("é", /a/) }
puts t{ Regexp.union(/é/, Regexp.new("é".encode("EUC-JP"))) }
puts t{ Regexp.escape("a b\tc[d]\u3042") }
puts t{ Regexp.last_match }
puts t{ "foo bar" =~ /(?<w>o+)/; [Regexp.last_match(:w), Regexp.last_match(0), Regexp.last_match(5), $`, $', $+] }
puts t{ :abc =~ /c/ }
puts t{ :abc.match(/b/) }
puts t{ "abc".match(/b/) { |m| m.begin(0) } }
puts t{ "abc".match?("b") }
puts t{ "abc" =~ "b" }
puts t{ "\u017f" =~ /\w/i }
puts t{ "é" =~ /\w/ }
puts t{ "é" =~ /(?u)\w/ }
puts t{ "é" =~ /[[:alpha:]]/ }
puts t{ "é" =~ /(?a)[[:alpha:]]/ }
puts t{ "aéb".scan(/\b./) }
puts t{ "STRASSE" =~ /straße/i }
puts t{ "foo\nbar".scan(/^.*$/) }
puts t{ "a\r\nb\u2028".scan(/\R/) }
puts t{ "e\u0301x".scan(/\X/).size }
puts t{ "foobar".sub(/foo\Kbar/, "x") }
puts t{ "/* a */ b */"[/\/\*(?~\*\/)\*\//] }
puts t{ "ab"[/(a)?(?(1)b|c)/] }
puts t{ "aaa".gsub(/a{0}/, "-") }
puts t{ "abc".gsub(/x*/, "-") }
puts t{ "日本".gsub(//, "-") }
puts t{ "hello world".gsub(/o (?<w>w)/, '<\k<w>>') }
puts t{ "a.b".gsub(".", "-") }
puts t{ "path/to".gsub("/", "::") }
puts t{ "abc".gsub(/b/, '\\\\') }
puts t{ "abc"[/(?<z>b)/, "z"] }
puts t{ "abc"[/(?<z>b)/, :q] }
puts t{ s = +"abc"; s[/b(c)/, 1] = "X"; s }
puts t{ s = +"abc"; s[/z/] = "X"; s }
puts t{ s = +"abc"; [s.slice!(/b/), s] }
puts t{ "abc".start_with?(/b|ab/) }
puts t{ "xab".start_with?(/ab/) }
puts t{ /(?<a>.)(?<a>.)/.match("xy")[:a] }
puts t{ /(.)(.)/.match("xy") in [a, b] }
puts t{ case "2024-05"; in /(\d+)-(\d+)/ then [$1, $2]; end }
puts t{ /a/.frozen? }
puts t{ /a/.send(:initialize, "b") }
puts t{ Regexp.new("a").send(:initialize, "b") }
puts t{ Regexp.linear_time?(/(a)\1/) }
puts t{ MatchData.new }
puts t{ /b/.match("abc").dup }
puts t{ /b/.match("abc") == /b/.match("abc") }
puts t{ "abc".gsub("b") { $~[0] + $~.pre_match } }
puts t{ "abc".sub("b", ""); $~.regexp }
puts t{ "ab\ncd".scan(/\w$/) { |x| print x, $~.begin(0) } }
puts t{ Regexp.new("(") }
puts t{ $~ = 1 }
puts t{ /(?<n>a)|(?<n>b)/.match("b").named_captures }
puts t{ "x".encode("UTF-16LE") =~ /x/ }
puts t{ "\u3042".encode("Shift_JIS").match?(Regexp.new("\u3042".encode("Shift_JIS"))) }
puts t{ "\u3042".encode("EUC-JP").scan(/./).map(&:bytesize) }
puts t{ ("a" * 200_000 + "b") =~ /b/ }
