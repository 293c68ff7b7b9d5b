# Limits of time: which values are taken, whose limit counts, and that every way to match keeps it.
def try
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end

[0, -1, -0.5, "x", nil, :a, 1, 2.5, 1r, 2**70, Float::INFINITY, Float::NAN, true, false].each do |seconds|
  try { Regexp.new("a", timeout: seconds).timeout }
  try { (Regexp.timeout = seconds) && Regexp.timeout }
end
Regexp.timeout = Float::INFINITY
p "b" =~ /a/
Regexp.timeout = 3
limited = Regexp.new("a", timeout: 5)
p [Regexp.new("a"), limited, Regexp.new(limited), limited.dup, limited.clone, Regexp.union(limited), Regexp.union(limited, "b")].map(&:timeout)
p limited == /a/, limited.hash == /a/.hash, limited.inspect, Regexp::TimeoutError.superclass
try { Regexp.new("a", timeout: 1, other: 2) }
try { [Regexp.linear_time?("a", timeout: 1), Regexp.linear_time?("a", other: 1)] }

SLOW = "a" * 40_000 + "x"
PATTERN = /^(a*)*\1$/
try { Regexp.new("^(a*)*\\1$", timeout: 0.02).match(SLOW) }
Regexp.timeout = 0.02
%i[=~ match match? scan split index byteindex partition start_with? [] rpartition].each { |name| try { SLOW.send(name, PATTERN) } }
%i[sub gsub].each { |name| try { SLOW.send(name, PATTERN, "") } }
try { SLOW.dup.slice!(PATTERN) }
try { case SLOW when PATTERN then 1 end }
Regexp.timeout = nil
