# Every construct of Ruby's patterns, as its engine reads it: what matches where, or why it is refused.
require_relative "../fixtures/regexp_patterns"

DIFFERENT = ['\\g<-1>(a)', '(.)(.)(.)\\3\\2\\1'].freeze
$VERBOSE = nil

def shown(match) = match && [match.begin(0), match.end(0), *match.captures]

(PATTERNS - DIFFERENT).each do |source|
  [0, Regexp::IGNORECASE].each do |options|
    linear = nil
    found = begin
      pattern = Regexp.new(source, options)
      linear = Regexp.linear_time?(pattern)
      STRINGS.each_with_index.filter_map { |string, i| (m = shown(pattern.match(string))) && "#{i}:#{m.inspect}" }.first(6).join(" ")
    rescue RegexpError => e
      e.message
    end
    puts "#{source.inspect} #{options} #{linear.inspect} #{found}"
  end
end
