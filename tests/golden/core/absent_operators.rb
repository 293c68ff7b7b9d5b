# `(?~X)` ends before the end of the first X to end: X of different lengths, empty, nested, with groups, in loops, in other
# encodings. And `(*` begins nothing.
[
  ["aaab", '(?~a+)'], ["xaaab", '\A(?~a+)'], ["abbbc", '\A(?~abbbc|b+)'], ["abbc", '\A(?~abbc|b+c)'],
  ["/* a */ b */", '/\*(?~\*/)\*/'], ["foobarbaz", '\A(?~foobar|ob)'], ["foobarbaz", '\A(?~foobarbaz|oba|a)'],
  ["abc", '\A(?~)'], ["abc", '(?~)'], ["abc", '(?~)+'], ["abc", '\A(?~|a)'], ["abc", '\A(?~a|)'],
  ["abcabc", '\A(?~b*)'], ["ccabcabc", '\A(?~ab*)'], ["ccabcabc", '\A(?~ab*c)c'], ["ccabbbbcabc", '\A(?~ab*?)'],
  ["aXbYc", '(?~X|Y)(?~Y)(.*)'], ["aab aab", '(?:(?~aab)b)*'], ["line\nline2 end", '(?~end|\n.*2)'],
  ["éàéàb", '\A(?~àé?)'], ["éàéàb", '\A(?~é?à)'], ["abcdef", '\A(?~b(?~e))'], ["abcdef", '\A(?~b(?~e)e)'],
  ["abab", '(?~(?:ab)+)'], ["xababab", '\A(?~(?:ab)+)'], ["xyz", '\A(?~y$|z)'], ["xyxz", '\A(?~(?=z))'],
  ["xyxz", '\A(?~\z)'], ["xyxz", '\A(?~x\b|z)'], ["abcc", '\A(?~b|c)++c'], ["aabbb", '(?~b{2,3})'],
  ["abbbb", '\A(?~b{2,3})\z'], ["abbbb", '\A(?~b{2,3}?)'], ["abbbbc", '\A(?~b+)b'], ["abbbbc", '\A(?~b+)c'],
  ["abbbbc", '\A(?~b+|c)c'], ["abcabcabc", '(?~c)(?~b)'], ["abcabcabc", '(?<x>(?~ca?b?))\g<x>'],
  ["a\nb\nc", '(?~b|^c)'], ["xaay", '(x)(?~a{2}|(a)y)(a)?'], ["xaay", '(?~a(a)|(?<!x)a)\1?'],
  ["abba", '(?~b(b)a?|a)'], ["ABBA", '(?i)(?~bb+)'], ["ABBA", '(?~(?i:bb+))'], ["aaaa", '(?~a{3,})(?~a{2,})a'],
  ["", "(?~a)"], ["", "(?~a*)"], ["b", "(?~a*)"], ["xxab", "x(?~a(?=b)|x)"], ["日本語日本", "(?~本語?日?)"],
  ["aab", "(?=(?~ab?))a"], ["aabab", "(?<=a)(?~ab?)b"], ["aabab", "(?:(?~ab|b))+"], ["aabab", "(?~a.*b|b)x?"],
  ["abcdabcd", "(?~(?>ab|abc)c?)"], ["abcdabcd", "(?~\\Gabc|d)"], ["foo bar baz", "(?~\\bba[rz]?)"]
].each do |text, source|
  match = Regexp.new(source).match(text)
  p [text, source, match && [match.begin(0), *match]]
end

%w[UTF-16LE UTF-16BE UTF-32LE UTF-32BE Shift_JIS EUC-JP Windows-1252 GB18030 US-ASCII].each do |encoding|
  pattern = Regexp.new('\A(?~a{2,}b?)'.encode(encoding))
  p [encoding, pattern.match("xx aab aaab".encode(encoding)).to_s.encode("UTF-8")]
end

p "aaab".gsub(/(?~a+)/) { "<#$&>" }
p ("/*" + "text " * 20_000 + "*/ x")[%r{/\*(?~\*/|\+{3})\*/}].size
p Regexp.linear_time?(/(?~a+)/)

["(*a)", "*a", "((?#c)*a)", "\\(*a", "(?:*a)", "( *a)", "(\\(*)", "(?<x>*a)", "(?~*a)", "(*FAIL)", "\\\\(*a)", "[(]*", "(()*)",
  "(|*)", "(?x)(#d\n*a)", "(?x)( *a)", "()*"].each do |source|
  p [source, Regexp.new(source).match("((*a\\aa").to_a]
rescue RegexpError => e
  p [source, e.message]
end
