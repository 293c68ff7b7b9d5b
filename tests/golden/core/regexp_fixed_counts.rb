# Repetitions of a fixed count: in text of one byte a character, of several, and in bytes; where they fail, and what is tried then.
def show(pattern, *texts)
  texts.each { |text| p [pattern, text, pattern.match(text)&.then { |m| [m.begin(0), m.end(0), *m.captures] }] }
end

show(/-.{5}-{3}.{2}-/, "--abcde---xy-", "-abcde---xy", "o-abcde--o---xy-", "-abcd\n---xy-")
show(/a{3}/, "aa", "aaa", "baaaa", "")
show(/a{0}b/, "b", "aab", "a")
show(/.{3}x/, "aéxöx", "éééx", "ééx", "日本語x日", "x\nabcx")
show(/[^x]{4}/, "abéx日本語y", "日本語xab", "xxxx")
show(/[é-ü]{2}/, "aéüb", "éa", "éüä")
show(/\w{2}\s{2}\d{2}/, "ab  12", "éa  12", "ab \n12", "ab 12")
show(/(a{2}|b{3}){2}c/, "aabbbc", "aaaac", "abbbbbbc", "aabbc")
show(/(?:ab?){3}c/, "ababac", "aaac", "ababababc", "abac")
show(/x{2}?y/, "xxy", "xy", "y", "xxxy")
show(/x{2}+y/, "xxy", "xxxy", "xxxxy")
show(/(x{2})\1/, "xxxx", "xxx", "axxxxx")
show(/(?<=a{2})b/, "aab", "ab", "aaab")
show(/(?<!é{2})b/, "ééb", "éb")
show(/(?=.{4}z)a/, "abcdz", "aabcdz", "abcz")
show(/(?>a{2}|a)b/, "aab", "ab")
show(/.{2}$/, "abc", "ab\n", "é\n", "")
show(/A{2}B/i, "aab", "AaB", "ab")
show(/.{3}\xff/n, "ab\xE9\xff".b, "\xff\xff\xff\xff".b, "ab\xff".b)
show(/[\x80-\xff]{3}/n, "a\xE9\xE8\xE7".b, "\xE9a\xE8".b)
map = "-" * 3000
[0, 40, 977, 2500].each { |at| map[at] = "o" }
p map.index(/-{50}.{3}-{900}/), map.index(/-{1600}/), map.rindex(/-{30}.-{5}/), map.index(/.{2999}o/), map.scan(/-{700}/).size
p ("ab" * 2000).index(/(?:ab){1999}c/), ("é" * 500).index(/.{499}e/), ("é" * 500 + "e").index(/.{499}e/)
