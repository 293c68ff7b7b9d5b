# Records what CRuby's format answers, one case a line: format, arguments, answer or error, separated by tabs.
# Arguments are tagged: i integer, f float bits, r ratio, s string, n nil, h one symbol key and its argument.
RANDOM = Random.new(11)
COUNT = (ARGV[0] || 120).to_i

def escape(text) = text.b.gsub(/[\\\x00-\x1f\x7f-\xff]/n) { "\\x%02x" % $&.ord }

def tagged(argument)
  case argument
  when Integer then "i#{argument}"
  when Float then "f#{[argument].pack("G").unpack1("H16")}"
  when Rational then "r#{argument}"
  when String then "s#{argument}"
  when nil then "n"
  when Hash then argument.map { |key, value| "h#{key}=#{tagged(value)}" }.join("&")
  end
end

def record(format, *arguments)
  answer = begin
    format(format, *arguments)
  rescue => error
    "#{error.class}: #{error.message}"
  end
  puts([format, *arguments.map { tagged(_1) }, answer].map { escape(_1) }.join("\t"))
end

INTEGERS = [0, 1, -1, 5, -5, 8, -8, 255, -255, -256, 2**31, -2**31, 2**62, -2**62, 2**63, -2**63, -2**63 - 1, 2**64, 2**70, -2**70, -2**70 + 1]
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.5, 2.5, 0.1, 12345.678, -0.00012345, 1e10, 1e-10, 123456789.0, 1e100, 5e-324, 1.7976931348623157e308,
          999999.5, 99999.95, 1.999, 0.25, 0.125, 9.5, Float::INFINITY, -Float::INFINITY, Float::NAN]
RATIOS = [1/3r, -1/3r, 1/2r, -1/1000r, 7/2r, 10**30/7r, 999_999/1_000_000r, 5/1r]
FLAGS = ["", "-", "+", " ", "0", "#", "-0", "+0", " 0", "#0", "#-", "#+", "+ ", "#+0", "-+"]
WIDTHS = ["", "1", "8", "20"]
PRECISIONS = ["", ".", ".0", ".1", ".3", ".10"]
every = FLAGS.product(WIDTHS, PRECISIONS)
pick = ->(values) { COUNT > 1000 ? values : values.sample(4, random: RANDOM) }

%w[d i u o x X b B].each do |letter|
  every.sample(COUNT, random: RANDOM).each { |parts| pick[INTEGERS].each { record("%#{parts.join}#{letter}|", _1) } }
end
%w[f e E g G a A].each do |letter|
  every.sample(COUNT, random: RANDOM).each { |parts| pick[FLOATS].each { record("%#{parts.join}#{letter}|", _1) } }
end
every.sample(COUNT, random: RANDOM).each { |parts| pick[RATIOS + INTEGERS].each { record("%#{parts.join}f|", _1) } }
every.sample(COUNT, random: RANDOM).each do |parts|
  record("%#{parts.join}s|", ["", "ab", "\u3042\u3044\u3046\u3048", "hello, world"].sample(random: RANDOM))
  record("%#{parts.join}c|", ["", "ab", "\u3042\u3044", 97, 0x3042].sample(random: RANDOM))
end
(1..20).each { |n| record("%.#{n}a|%.#{n}e|%.#{n}g|%.#{n}f", 1.0 / 3, 2.0 / 3, 1e5 / 7, 1e7 / 9) }
# Decimals whose next digit is a five: no float is exactly there.
(COUNT * 3).times do
  digits = RANDOM.rand(1..15)
  places = RANDOM.rand(0..12)
  float = "#{RANDOM.rand(10**digits)}5e-#{places + 1}".to_f
  float *= 10.0**RANDOM.rand(-40..40) if RANDOM.rand < 0.3
  record("%.#{places}f|%.#{places}e|%.#{digits}g|%g|%f", float, float, float, float, float)
end
record("%.50f", 0.1)
record("%.400f", 1e-300)
record("%.300e", 0.1)
record("%.1200f", 5e-324)

one = { a: 1 }
[["%"], ["abc%"], ["%5"], ["% "], ["%y", 1], ["%\u3042"], ["%\n"], ["%\0"], ["%5\n"], ["%-%"], ["%5%"], ["%d"], ["%1$d %d", 1, 2],
 ["%d %1$d", 1, 2], ["%<a>d %d", one], ["%d %<a>d", 1], ["%<a>d", 1], ["%<a>d"], ["%<a>d", one, 2], ["%<b>d", one], ["%{b}", one],
 ["%<a", one], ["%{a", one], ["%1$<a>d", one], ["%<a>1$d", one], ["%<a><b>d", one], ["%<a>{b}", one], ["%<a>{b}", one], ["%0$d", 1], ["%1$1$d", 1],
 ["%5 d", 1], ["%.5 d", 1], ["%.5+d", 1], ["%5*d", 1, 2], ["%.1.1d", 1], ["%99999999999d", 1], ["%.99999999999d", 1], ["%2147483648d", 1],
 ["%.3*d", 1, 2], ["%.*d", -3, 2], ["%.*f", 2, 3.14159], ["%*d", -5, 2], ["%*d|", 5, 2], ["%-*d|", 5, 2], ["%1$*2$d", 5, 8], ["%2$*1$d", 5, 8], ["%1$.*2$f", 1.5, 3],
 ["%*1$d", 5], ["%*5", 5], ["%.", 1], ["%.d", 0], ["%1.5", 0], ["%*", 1], ["%.*", 1], ["%*99999999999$d", 1], ["%.*99999999999$d", 1], ["%99999999999$d", 1], ["%*0$d", 1],
 ["%s %s", 1], ["%2$s %1$s", 1, 2], ["%3$s", 1], ["%1$s %1$s", 1], ["%s%", 1], ["%%%d%%", 1], ["%ld", 1], ["%n", 1], ["%D", 1], ["%<a>%", one], ["%1$", 1], ["%1", 1],
 ["%{a}b%<a>5.1f", one], ["%-10{a}|", one], ["%10<a>s|", one], ["%<a>10s|", one], ["%.2{a}|", { a: "hello" }], ["%5{a}|", { a: "\u3042" }], ["%{a}%{b}", { a: 1, b: 2 }], ["%<a>d %<b>x", { a: 1, b: 255 }],
 ["%d", "0x1f"], ["%d", "12_3"], ["%x", "-0b11"], ["%d", 3.99], ["%d", -3.99], ["%d", 1e30], ["%d", Float::INFINITY], ["%d", Float::NAN], ["%x", 1e20], ["%d", 7/2r], ["%d", -7/2r],
 ["%f", "1.5"], ["%e", 5], ["%g", 2**70], ["%f", "1_0.5"], ["%a", 3], ["%e", 1/3r],
 ["%c", -1], ["%c", 0x110000], ["%5c|%-5c|", 97, "b"], ["%c%c", 10, 0], ["%s", nil], ["%5s|", nil], ["plain"], ["%%"], [""], ["\u3042%d\u3044", 1]].each { record(*_1) }
