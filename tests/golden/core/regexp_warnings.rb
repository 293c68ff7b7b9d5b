# What is warned of in patterns: always, or with -w only; and that literals are refused when code is compiled.
require "stringio"

def warnings
  $stderr = StringIO.new
  yield
  $stderr.string.lines.map { |line| line.sub(/\A.*?: warning: /, "") }
rescue SyntaxError, RegexpError => e
  ["#{e.class}: #{e.message.lines.first}"]
ensure
  $stderr = STDERR
end

QUANTIFIERS = %w[? * + ?? *? +?].freeze
SOURCES = QUANTIFIERS.product(QUANTIFIERS).map { |inner, outer| "(?:a#{inner})#{outer}" } + [
  "a?*?", "a{,1}*", "a{1,}*", "a{1}?*", "a*{1}*", "a{2}{3}", "a{1,2}+", "(a*)*", "(?i:a*)*", "(?:a*|b)*", "(?:(?:a*)*)*", "a* *", "^**",
  "[a-b-c]", "]", "a]", "[]a]", "[a&&-x]", "[--x]", "[a-&&b]", "[!--x]", "[---]", "[a-c-]", "\\kx", "\\ga", "\\pL", "[\\pL]", "\\y", "[\\R]",
  "[aa]", "[a-cb]", "[\\wa]", "[\\w\\d]", "[a[a]]", "[[a][a]]", "[[:alpha:]a]", "[\\d\\D]", "[\\D\\W]", "[é-ëê]", "[é\\w]", "[あ-んあ]",
  "\\u3042]\n/", "a(?#c)]", "a]" + "x" * 60, "[aA]", "[a&&bb]", "[\\cA\\x01]",
].freeze
SOURCES.each do |source|
  quiet, loud = [false, true].map { |verbose| $VERBOSE = verbose; warnings { Regexp.new(source) } }
  puts "#{source.inspect} #{quiet} #{loud == quiet ? "the same" : loud}"
end
$VERBOSE = nil
p warnings { Regexp.new("a]") }
$VERBOSE = true
p warnings { eval("def never = /[aa]**/") }
p warnings { eval("x = 'a]'; /\#{x}/") }
p warnings { Regexp.new("[aa]", Regexp::IGNORECASE | Regexp::EXTENDED) }
$VERBOSE = false
["/[a/", "/a{2,1}/", "/(?<a>.)\\k<b>/", "/\\p{foo}/", "/(?<=a+)b/", "/[b-a]/", "/[[:alpha:][:etc:]]/"].each do |code|
  p warnings { eval(code, nil, "code", 7) }
end
