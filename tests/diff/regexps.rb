# Patterns, fixed and random ones, against many strings: source, warnings, linear time, matches or the error. Run it under CRuby 4.0
# and Carat and compare the lines. Arguments: seed (1: the fixed ones, too), how many random ones.
SEED, COUNT = (ARGV[0] || 1).to_i, (ARGV[1] || 2000).to_i
FIXED = [
  'a\Kb', '(?~ab)', '(?~|ab|.*)', '(a)?(?(1)b|c)', '(?<n>a)?(?(<n>)b|c)', "(?<n>a)?(?('n')b|c)", '\R', '\X', '\X+', '\h+', '\H', '(?<a>x)(?<a>y)\k<a>', '(?<a>x)|(?<a>y)', '\p{Alpha}+', '\p{^Alpha}', '\P{Alpha}', '\p{Foo}', '\p{', '\p{}', '\p{Han}', '\p{Hiragana}+', '\p{L}', '\p{Lu}', '\p{Emoji}', '\p{Greek}', '\p{InBasicLatin}', '\p{In_Basic_Latin}', '\p{Age=6.0}', '\p{Script=Greek}', '\p{word}', '\p{XPosixPunct}', '\p{Any}', '\p{Assigned}', '\p{ASCII}', '\p{Grapheme_Cluster_Break=Extend}', '\p{Word}', '\p{Cased}', '\p{Lowercase}', '\p{ID_Start}', '\p{Emoji_Presentation}', '\p{Extended_Pictographic}', '\p{scx=Grek}', '\p{Katakana_Or_Hiragana}', '\p{Unknown}', '\p{Cs}', '\p{LC}', '\p{M}', '\p{Punct}', '\p{S}', '\p{Z}', '\p{Blank}', '\p{Cntrl}', '\p{Graph}', '\p{Print}', '\p{Space}', '\p{XDigit}', '\p{Alnum}', '\p{Upper}', '\p{Lower}', '\p{Digit}',
  '(?a)\w+', '(?u)\w+', '(?d)\w+', '(?a:\w)é', '(?u:\w+)', '(?d:\s)', '(?i)É', '(?a)[[:alpha:]]+', '(?u)[[:alpha:]]+', '(?d)[[:alpha:]]+', '(?L)a', '(?P<n>a)', '(?#c)a', '(?x) a b', '(?m).', '(?s).', '(?mix-a)a', '(?-a)a', '(?ia)a', '(?^a)', '(?i-:a)', '(?y{g})a',
  '(\g<0>)?a', 'a\g<0>?b', '\((?:[^()]|\g<0>)*\)', '(?<p>\((?:[^()]|\g<p>)*\))', '\g<1>(a)', '\g<2>(a)', '\g<x>', '\g<-1>(a)', '(a)\g<-1>', '(a)\g<+1>(b)', "\\g'1'(a)", '(?<n>a\g<n>?b)', '(?<a>\g<a>)', '(a|\g<1>b)',
  'a{2,3}+', 'a{2}+', 'a{2,}+', 'a{,3}', 'a{,3}+', 'a{3,2}', 'a{2}{3}', 'a++', 'a*+', 'a?+', 'a+?', 'a??', 'a{2}?', 'a{1,2}?', 'a**', 'a+*', 'a?*', '*a', '+a', '?a', 'a|*', '(*)', '(?:*)', 'a{', 'a{1', 'a{1,', 'a{a}', 'a{,}', '{1}', 'a{100001}', 'a{100000}', '(a{2})*', '(?:a?)*', '(a*)*', '(a*)+', '(?:a*)+b', '^*', '$*', '\b*', '\b+', '(?=a)*', '(?!a)*', '(?<=a)*', '(?:){2}',
  '[a-z&&[^aeiou]]+', '[a&&b]', '[^a&&b]', '[a-c&&b-d]', '[a&&&&b]', '[&&a]', '[a&&]', '[[a-c][d-f]]', '[[:alpha:]&&[^a]]', '[a-\d]', '[\d-a]', '[a-[b]]', '[a-z-9]', '[--a]', '[-a]', '[a-]', '[]a]', '[]', '[^]', '[^]]', '[a', '[a[b]', '[[:foo:]]', '[[:alpha:]', '[:alpha:]', '[[:^alpha:]]', '[aa]', '[a-aa]', '[\w\d]', '[z-a]', '[\x61-\x63]', '[\p{L}]', '[^\p{L}]', '[\P{L}]', '[\h]', '[\R]', '[\X]', '[\b]', '[\B]', '[\A]', '[\n]', '[\cA]', '[a\]b]', '[[]', '[[]]', '[a[]]', '[é-ü]', '[\u{61 62}]', '[\u0061-\u0063]', '[\001-\007]', '[\8]', '[é&&é]', '[a-z&&[aeiou]&&[^i]]', '[^[a]]', '[^[^a]]', '[[^a]b]',
  '(?<=a)b', '(?<=a|bc)d', '(?<=a*)b', '(?<=a+)b', '(?<=(a))b', '(?<!a)b', '(?<!(a))b', '(?<=a{2})b', '(?<=a{1,2})b', '(?<=\ba)b', '(?<=^a)b', '(?<=a(?=b))b', '(?<=(?:a|b))c', '(?<=a(?:b|cd))e', '(?<!a|bc)d', '(?<!a(?:b|cd))e', '(?<=\1)(a)', '(?<=(?<n>a))b', '(?<=\R)a', '(?<=\X)a', '(?<=.)a', '(?<=a\Kb)c', '(?<=(?>a))b', '(?<=(?i:a))b', '(?<=a?)b', '(?<!a?)b', '(?<=|a)b', '(?<=\p{L})b', '(?<=(?<=a)b)c', '(?<=(?!a).)b', '(?<=é)b', '(?i)(?<=ss)b', '(?i)(?<=ß)b',
  '\M-a', '\M-\C-a', '\C-a', '\ca', '\c\M-a', '\M-\c?', '\C-\M-a', '\M', '\M-', '\C', '\C-', '\c', '\c?', '\x', '\x4', '\x41', '\xff', '\x{41}', '\x{1F600}', '\u', '\u00', '\u0041', '\u{41}', '\u{41 42}', '\u{110000}', '\u{d800}', '\ud800', '\u{}', '\u{ 41 }', '\u{zz}', '\0', '\00', '\07', '\101', '\8', '\9', '\18', '\377', '\400', '\777', '\o{101}', '\e', '\a', '\f', '\v', '\t', '\z', '\Z', '\A', '\G', '\b', '\B', '\q', '\y', '\Y', '\N', '\O', '\K', '\Q', '\E', '\é', '\ ', '\/', '\-', '\_', '\1', '(a)\1', '(a)\2', '\10', '(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\10', '\k<1>(a)', '(a)\k<1>', '(a)\k<-1>', "(a)\\k'1'", '\k<n>', '(?<n>a)\k<n>', '(?<n>a)\1', '(?<n>a)(b)', '(?<n>a)\k<1>', '\k', '\k<', '\k<>', '\k<1+0>', '(a)\k<1+0>', '(?<n>a)\k<n+0>',
  '(', ')', '(a', 'a)', '(?', '(?:', '(?<', '(?<n', '(?<n>', '(?<>a)', '(?<1>a)', '(?<1a>a)', '(?<a1>a)', '(?<a-b>a)', '(?<é>a)\k<é>', "(?'n'a)\\k'n'", '(?>a|ab)c', '(?>a+)a', '(?=a)', '(?!a)', '(?@a)', '(?@<n>a)', '(?!)', '(?<!)', '(?<=)', '(?=)', '(?:)', '()', '(|)', '|', '||a', 'a||b', '(?i)ß', '(?i)ss', '(?i)ſ', '(?i)K', '(?i)ﬁ', '(?i)ǆ', '(?i)[ß]', '(?i)[^ß]', '(?i)İ', '(?i)ı', '(?i)ς', '(?i)Σ', 'a(?i)b|c', 'a(?i:b)|c', '(?i)a(?-i)b', '(?:(?i)a)b', '(?x)a #c', '(?x: a # c
)b', '(?#)', '(?#', '(?#\))a', '.', '..', '.*', '.+?', '^', '$', '^$', '^a$', '\Aa\z', '\Ga', '(?m:.+)', '(?-m:.)', '\n', '\r\n', '\s+', '\S+', '\d+', '\D+', '\w+', '\W+', '\bx', '\Bx', 'é', 'É', '日本', '[日-本]', '\u{65e5}', '😀', '\u{1F600}', '.😀', '[😀]', '[^a]', '(?<w>\w+) (?<w>\w+)', '(?(1)a)', '(a)(?(1)b)', '(?(2)a|b)', '(a)?(?(1)b|c|d)', '(?(<x>)a|b)', '(?(a)b)', '(?(', '(?(1', '(a)?(?(1))', '(?:a|b)*?c', '(a(?:b|c(d)?)?)+', '(?:(a)|b)*', '(?:(a)|(b))+', '((a)|b)*\2', '(?=(a+))\1', '(?!(a))\1', '(.)(.)(.)\3\2\1', '(?<y>\d{4})-(?<m>\d\d)', '\A\s*\z', 'a.c', 'a\.c', '\\\\', '\$', '\^', '#{a}', '#', '%', '~', '(?<!\\\\)"', '\p{L}\p{M}*', '(?:\p{Han}|\p{Hiragana})+', '[[:word:]]+', '[[:punct:]]+', '[[:space:]]', '[[:cntrl:]]', '[[:graph:]]+', '[[:print:]]+', '[[:xdigit:]]+', '[[:blank:]]', '[[:upper:]]', '[[:lower:]]+', '[[:ascii:]]+', '[[:digit:]]+', '[[:alnum:]]+',
]
STRINGS = ["", "a", "b", "ab", "abc", "aabbcc", "abab", "aaa", "xyxy", "xx", "(a(b)c)", "foo bar", "a\nb\r\nc", "ABC", "éÉab", "日本語ひらがな", "ß ss SS ſK", "e\u0301x", "😀👨‍👩‍👧x", "12-34 5678", " \t\v\u00a0\u2028", "a-z_[]&^", "İıςΣσ ﬁ fi Ǆǆ", "\\\"#{}%~$", "bcdcd", "abcddcba", "a.c\\", "bde acde"].freeze
ATOMS = ["a", "b", "c", "é", ".", "\\w", "\\s", "\\d", "[ab]", "[^a]", "[a-c]", "\\b", "^", "$", "\\h", "(a)", "(b|c)", "(?:ab)", "(?=a)", "(?!b)", "(?<=a)", "(?<!b)", "(?>a|b)", "\\1", "(?i:A)", "\\p{L}", "[[:alpha:]]", "\\R", "\\X", "(?<n>a)", "\\k<n>", "\\K", "(?(1)a|b)", "\\g<1>", "\\u0061", "\\x62", "[a&&[^b]]", "(?~a)", "\\A", "\\z", "(?:a|é)", "x", "ab", "()", "\\n", "ss", "\\G"]
QUANTIFIERS = ["", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{,2}", "*?", "+?", "??", "++", "*+", "?+", "{1,2}+", "{0}", "{2,1}"]
rng = Random.new(SEED)
random = Array.new(COUNT) { Array.new(1 + rng.rand(5)) { s = ATOMS[rng.rand(ATOMS.size)] + QUANTIFIERS[rng.rand(QUANTIFIERS.size)]; rng.rand(12) == 0 ? s + "|" : s }.join }
def shown(m) = m && [m.begin(0), m.end(0), m.captures, m.names.empty? ? nil : m.names]
require "stringio"
def run(source, options)
  $stderr = StringIO.new
  re = Regexp.new(source, options)
  warning = $stderr.string
  results = STRINGS.map { |s| r = shown(re.match(s)); r.inspect }
  # Only the strings that match, to keep lines short.
  lin = Regexp.linear_time?(re)
  "#{warning.gsub("\n", "/")}|#{lin}|" + results.each_with_index.reject { |r, i| r == "nil" }.map { |r, i| "#{i}:#{r}" }.join(" ")
rescue RegexpError, ArgumentError, EncodingError => e
  "#{e.class}: #{e.message}"
ensure
  $stderr = STDERR
end
$VERBOSE = true
(SEED == 1 ? FIXED : []).concat(random).each_with_index do |source, i|
  [0, 1].each do |options|
    next if options == 1 && i % 4 != 0
    puts "#{source.inspect}/#{options}\t#{run(source, options)}"
  end
end
