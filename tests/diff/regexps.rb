# Patterns, fixed and random ones, against many strings: source, warnings, linear time, matches or the error. Run it under
# CRuby 4.0 and Carat and compare the lines. Arguments: seed (1: the fixed ones, too), how many random ones.
require "stringio"
require_relative "../golden/fixtures/regexp_patterns"

SEED, COUNT = (ARGV[0] || 1).to_i, (ARGV[1] || 2000).to_i
ATOMS = [
  "a", "b", "c", "é", ".", "\\w", "\\s", "\\d", "[ab]", "[^a]", "[a-c]", "\\b", "^", "$", "\\h", "(a)", "(b|c)", "(?:ab)",
  "(?=a)", "(?!b)", "(?<=a)", "(?<!b)", "(?>a|b)", "\\1", "(?i:A)", "\\p{L}", "[[:alpha:]]", "\\R", "\\X", "(?<n>a)",
  "\\k<n>", "\\K", "(?(1)a|b)", "\\g<1>", "\\u0061", "\\x62", "[a&&[^b]]", "(?~a)", "\\A", "\\z", "(?:a|é)", "x", "ab", "()",
  "\\n", "ss", "\\G",
].freeze
QUANTIFIERS = [
  "", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{,2}", "*?", "+?", "??", "++", "*+", "?+", "{1,2}+", "{0}", "{2,1}",
].freeze

RANDOM = Random.new(SEED)

def random_piece
  piece = ATOMS[RANDOM.rand(ATOMS.size)] + QUANTIFIERS[RANDOM.rand(QUANTIFIERS.size)]
  RANDOM.rand(12) == 0 ? piece + "|" : piece
end

def random_pattern = Array.new(1 + RANDOM.rand(5)) { random_piece }.join

def shown(match) = match && [match.begin(0), match.end(0), match.captures, match.names.empty? ? nil : match.names]

# Only the strings that match are shown, which keeps the lines short.
def run(source, options)
  $stderr = StringIO.new
  pattern = Regexp.new(source, options)
  warning = $stderr.string.gsub("\n", "/")
  found = STRINGS.each_with_index.filter_map { |s, i| (m = shown(pattern.match(s))) && "#{i}:#{m.inspect}" }
  "#{warning}|#{Regexp.linear_time?(pattern)}|#{found.join(" ")}"
rescue RegexpError, ArgumentError, EncodingError => e
  "#{e.class}: #{e.message}"
ensure
  $stderr = STDERR
end

$VERBOSE = true
random = Array.new(COUNT) { random_pattern }
(SEED == 1 ? PATTERNS + random : random).each_with_index do |source, i|
  [0, 1].each do |options|
    next if options == 1 && i % 4 != 0
    puts "#{source.inspect}/#{options}\t#{run(source, options)}"
  end
end
