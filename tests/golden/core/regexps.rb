# Regexp: syntax, options, captures, MatchData, substitution, encoding, special globals.
m = /(?<year>\d{4})-(?<month>\d\d)(-(?<day>\d\d))?/.match("on 2024-05 ok")
p m, m[0], m[:year], m["month"], m[:day], m.names, m.captures, m.named_captures, m.pre_match, m.post_match, m.begin(0), m.end(:year), m.offset(1), m.byteoffset(0), m.to_a, m.size, m.values_at(:year, 2), m.deconstruct_keys([:year]), m.string.frozen?, m.regexp == m.regexp, (m[:nope] rescue $!.message), m.match(:year), m.match_length(:year)
p /a/i.match?("A"), /a.c/m.match?("a\nc"), /a b # c
  d/x.match?("abd"), /a/ == /a/, /a/.source, /a\/b/.source, %r{a/b}.inspect, /a/mix.to_s, /(?i)a(?-i)b/.to_s, /a/i.options, Regexp.new("a", "i"), Regexp.new("a.c", Regexp::MULTILINE | Regexp::IGNORECASE), /#{"a.b"}/, /#{/x/i}y/, Regexp.escape("a.b*c\n[d] e-f#"), Regexp.union("a.b", /c/i), Regexp.union, Regexp.union(%w[x y])
p "foobar"[/o+/], "foobar" =~ /b/, "foobar".match(/(o)(o)/).captures, /(.)(.)?/.match("a").to_a, "ab12".scan(/[[:alpha:]]|[[:digit:]]+/), "aXbX".split(/X/), "a1b22".gsub(/\d+/) { |d| (d.to_i * 2).to_s }, "john smith".gsub(/\b(\w)/) { $1.upcase }, "x-y".sub(/(\w)-(\w)/, '\2-\1'), "x".sub(/x/, '\\\\'), "abc".gsub(/b/, '[\0]'), "abc".gsub(/b/, '<\`|\'>')
p "aaa"[/a+?/], "aaa"[/a++/], "aab"[/a*?b/], "foobar"[/foo(?=bar)/], "foobaz"[/foo(?!bar)/], "price: $30"[/(?<=\$)\d+/], "x30"[/(?<!\$)\d+/], "abcabc"[/(abc)\1/], "aa bb"[/(?<c>\w)\k<c>/], "((a))"[/\((?:[^()]|\g<0>)*\)/], "ab"[/(?>a*)b/], "foo.bar"[/\Afoo\.bar\z/], "a\nb" =~ /^b$/, "a\n" =~ /a\Z/, "é"[/\p{L}/], "ß"[/\p{Ll}/], "日本"[/\p{Han}+/], "x_1"[/\w+/], "a b"[/\S+$/], "tab\t"[/\h+/], "\u00a0"[/[[:space:]]/], "a\r\nb"[/\R/], "e\u0301"[/\X/].size
p "2024-01-02".match(/(\d+)-(\d+)-(\d+)/) { |md| md.captures.map(&:to_i) }, "none".match(/x/), "abab".match(/b/, 2).begin(0), "abc".match?(/c/, 3), /x/.match(nil), (/x/ =~ nil), /(a)|(b)/.match("b").to_a, /(?:a|b)+/.match("abab").to_s, /a{2,3}/.match("aaaa")[0], /a{,2}/.match("aaa")[0], /[^\d\s]+/.match("12 ab")[0], /[a-c&&[^b]]+/.match("abc")[0], /\u00e9/.match?("é"), /[\u3042-\u3044]/.match?("い"), /\x41/.match?("A")
case "hello 42"
when /^(\w+) (\d+)$/ then p [$1, $2, $~.pre_match, $`, $', $+]
end
if /(?<word>\w+)\s(?<num>\d+)/ =~ "hello 42"
  p word, num
end
p Regexp.last_match(1), Regexp.last_match[:num], $~.names
p "abc".gsub(/(?<first>a)/, '\k<first>\k<first>'), "path/to/file".gsub("/", "::"), "a.b.c".split("."), "1,2;3".split(/[,;]/), "CSV,with,commas".split(",", 2), "hello"=~/l(?<rest>.*)/, "%d items" =~ /%d/
[["(", :paren], ["[", :bracket], ["*", :star], ["a{2", :brace], ["(?<n>a)\\k<m>", :name], ["\\", :backslash], ["(?<=a*)b", :lookbehind]].each do |source, name|
  p [name, Regexp.new(source).source]
rescue RegexpError => error
  p [name, error.message]
end
p Regexp.linear_time?(/a+/), Regexp.linear_time?(/(a)\1/), Regexp.timeout, /a/.timeout, /a/.fixed_encoding?, /é/.fixed_encoding?, /a/n.encoding, /é/.encoding, /a/.names, /(?<a>.)(?<b>.)(?<a>.)/.named_captures, /(?<a>.)(?<a>.)/.match("xy")[:a], /a/.hash == /a/.hash, /a/.eql?(/a/i), /a/ === :a, /a/ === nil, /\//.source, /a/.frozen?, Regexp.new("a").frozen?
p "ab" "cd" =~ /bc/, ("x" * 20 + "y")[/(x+x+)+y/].size, "aAbB".scan(/[[:upper:]]/), "foo\nbar".scan(/^.*$/), "abc".scan(/(?=(..))/), "".scan(//), "abc".scan(//).size, "aaa".gsub(/a{0}/, "-"), "test".gsub(/t\z/, ""), "x,y".tr(",", "\n").lines.size
"foo bar baz".match(/(?<a>\w+) (?<b>\w+)/) => { a: String => a, b: }
p a, b
o_regexp = 3.times.map { |i| /#{i}/o }
p o_regexp, "αβγ".match(/β/).begin(0), "αβγ".match(/β/).byteoffset(0), "αβγ" =~ /γ/, "αβγ".gsub(/[α-β]/, "x"), "ΑΒΓ"[/β/i], "STRASSE"[/stra(ß|ss)e/i], "ﬀ"[/ff/i]

# Patterns that need no engine, and what makes one necessary after all.
log = "größe id=4711 user=alice [2024-05-17]\n"
p log[/id=(\d+)/, 1], log.scan(/(\w+)=(\w+)/), log =~ /^gr.{2}e\b/, log.rindex(/\w+=/, 20), log.match?(/USER/i), log.match?(/ÖSS/i)
p log.gsub(/[aeiou]|\d+/) { "<#{$&}>" }, log.split(/[ =]+/), log.partition(/\s+/), log.start_with?(/gr(ö)?/), $1
p "abcabd"[/(?:ab(c)?)+d/], $1, "aaa"[/a{2}|a+b/], "xaay"[/a*?y/], "a\n"[/a$\n\z/], "\n" =~ /^\z/, "aab"[/(a+)+b/]
p "\x07".dup.force_encoding("UTF-32BE").gsub("", "")
