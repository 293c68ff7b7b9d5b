# Repetitions of groups that take as much as there is, or nothing: what the groups hold, and that none takes for ever.
TEXTS = ["aaa", "aab", "aabaab", "", "c", "aabc", "aabbabac"].freeze
[/(a*)*/, /(a*)+/, /(a*){1,256}/, /(a*){2}/, /(a*){0,2}b/, /(a*)*?b/, /((a*)*)*b/, /(a*)*ab/, /(?<x>a*)*ab/, /(?:(a*)*b)*c/,
 /(?:(a*){2}b)*/, /(a*)*\1b/, /x(a*)+|(a*)+b/].each do |regexp|
  TEXTS.each do |text|
    match = regexp.match(text)
    p [regexp, text, match&.to_a, match && (0...match.size).map { |group| match.offset(group) }]
  end
end
p Regexp.new('^([0-9a-zA-Z\-/]*){1,256}$').match?("test1-test2-test3-test4-test_5")
p (/^(a*)*$/ =~ "a" * 10_000 + "x"), (/^((a*)+)+$/ =~ "a" * 20)

# A search that takes long is left when its time is over, whatever it does.
slow = Regexp.new('^(a|b*)*\1$', timeout: 0.2)
begin
  slow.match?("ab" * 40 + "x")
rescue Regexp::TimeoutError => error
  p error.message
end
