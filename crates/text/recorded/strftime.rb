# Records what CRuby's Time#strftime answers, one case a line: time, format, answer, separated by tabs.
# A time is its fields, as the tests take them apart.
RANDOM = Random.new(3)
COUNT = (ARGV[0] || 8).to_i

def escape(text) = text.b.gsub(/[\\\x00-\x1f\x7f-\xff]/n) { "\\x%02x" % $&.ord }

def fields(time)
  [time.year, time.month, time.day, time.hour, time.min, time.sec, time.nsec, time.subsec * 10**9 - time.nsec, time.wday, time.yday,
   time.utc_offset, time.utc?, time.zone, time.to_i].join(" ")
end

def record(time, format)
  answer = begin
    time.strftime(format)
  rescue ArgumentError, SystemCallError => error
    error.class.to_s
  end
  puts([fields(time), format, answer].map { escape(_1) }.join("\t"))
end

TIMES = [
  Time.new(2024, 3, 5, 7, 8, 9.123456789r, "+09:30"),
  Time.utc(2005, 1, 1, 0, 5, 6),
  Time.new(-5, 12, 31, 23, 59, 59, "-03:45:30"),
  Time.new(-5, 12, 31, 12, 59, 59, "-00:45:30"),
  Time.utc(12345, 6, 7, 13),
  Time.utc(99, 1, 2),
  Time.at(1, 1234567890123456789r / 10**13, :nsec).utc,
  Time.new(1969, 12, 31, 23, 59, 59.5r, "-01:00"),
  Time.new(10**20 - 1, 2, 28, 1, 2, 3, "+00:00"),
  Time.new(0, 1, 1, 0, 0, 0, "-00:00:01"),
]
LETTERS = "YCymBbhdejHIklMSLNzZAauwGgVUWsntcDFvxXrRTpP%".chars + %w[:z ::z :::z Ec EC Ex EX Ey EY Od Oe OH Ok OI Ol Om OM OS Ou OU OV Ow OW Oy]
FLAGS = ["", "-", "^", "#", "_", "0", "5", "12", "05", "012", "_12", "-12", "^12", "#12", "25", "025", "-_5", "_05", "0_5", "#^", "1"]
LETTERS.each { |letter| FLAGS.each { |flag| TIMES.sample(COUNT > 8 ? 10 : 3, random: RANDOM).each { record(_1, "%#{flag}#{letter}") } } }
["%", "abc%", "%d%", "%5", "%-", "%E", "%O", "%Ea", "%EE", "%EOd", "%Of", "%:", "%::", "%:d", "%::::z", "%:_z", "%Q", "%f", "%i", "%+", "%+5Y", "%10+", "%5-d", "%5_d", "%5^d", "%5#d",
 "%2147483648d", "%99999999999d", "%20000000d", "%300d", "%30N", "%25L", "%100N", "%\u3042", "%\0", "a%db\u3042", "", "plain", "%Y-%m-%dT%H:%M:%S.%L%:z", "%E%d", "%:z:", "%ef", "%0%", "%-%"].each do |format|
  TIMES.each { record(_1, format) }
end
# Every day around the turn of the year, for the numbers of weeks.
(1995..2030).each { |year| [[year, 12, 28], [year, 12, 29], [year, 12, 30], [year, 12, 31], [year, 1, 1], [year, 1, 2], [year, 1, 3], [year, 1, 4], [year, 2, 29]].each { record(Time.utc(*_1), "%G %g %V %U %W %u %w %j") } }
