# Records what CRuby answers about numbers, one case a line: operation, arguments, answer, separated by tabs.
# The number of random cases can be given; the file kept beside this one was made with 40.
COUNT = (ARGV[0] || 40).to_i
RANDOM = Random.new(7)

def escape(text) = text.b.gsub(/[\\\x00-\x1f\x7f-\xff]/n) { "\\x%02x" % $&.ord }
def bits(float) = [float].pack("G").unpack1("H16")

def answer
  shown(yield)
rescue ArgumentError, ZeroDivisionError, FloatDomainError, RangeError => e
  "#{e.class}"
end

def shown(value)
  case value
  when Float then "f#{value.nan? ? "nan" : bits(value)}"
  when Complex then "#{shown(value.real)},#{shown(value.imaginary)}"
  when nil then "nil"
  else value.to_s
  end
end

def record(operation, *arguments) = puts([operation, *arguments.map { escape(_1.to_s) }, answer { yield }].join("\t"))

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 1.5, 2.5, -2.5, 3.5, 0.25, 1e15, 1e16, 123456789012345.0, 1234567890123456.0,
           12345678901234567.0, 9999999999999998.0, 1e-4, 1e-5, 0.00012345, 1e22, 1e23, 5e-324, 2.2250738585072014e-308,
           1.7976931348623157e308, Float::INFINITY, -Float::INFINITY, Float::NAN, 9007199254740993.0, 0.285, 1.005, 5.015,
           2.675, 1.1, 291.4, 0.30000000000000004, 2.0**62, 2.0**63, -(2.0**63), 2.0**64, 1e100, 4.35, 8.345, 10.5, -0.5, 3.45, -61.145]
def random_float
  case RANDOM.rand(5)
  when 0 then [RANDOM.bytes(8)].first.unpack1("D")
  when 1 then RANDOM.rand * 10**RANDOM.rand(-8..18)
  when 2 then RANDOM.rand(-100_000..100_000) / 1000.0
  when 3 then RANDOM.rand(-100_000..100_000) / 64.0
  else RANDOM.rand(1_000_000) * 10.0**RANDOM.rand(-30..30)
  end
end
FLOATS = SPECIAL + Array.new(COUNT) { random_float }
MODES = { "up" => :up, "even" => :even, "down" => :down }

FLOATS.each do |f|
  f = Float::NAN if f.nan?
  record("to_s", bits(f)) { f.to_s }
  record("float_to_i", bits(f)) { f.to_i }
  record("float_to_r", bits(f)) { f.to_r } if !f.finite? || f.abs > 1e-30
  record("rationalize", bits(f)) { f.rationalize } if !f.finite? || f.abs > 1e-30
  [0, 1, 2, 3, 5, 10, 14, 15, 16, 20, 25, 310, -1, -2, -3, -20].each do |digits|
    next if COUNT <= 40 && RANDOM.rand > 0.3
    MODES.each { |name, mode| record("round", bits(f), digits, name) { f.round(digits, half: mode) } }
    record("round", bits(f), digits, "floor") { f.floor(digits) }
    record("round", bits(f), digits, "ceil") { f.ceil(digits) }
    record("round", bits(f), digits, "truncate") { f.truncate(digits) }
  end
end

INTEGERS = [0, 1, -1, 4, 5, 6, 15, -15, 25, -25, 35, 149, 150, 151, 250, 2**62, 2**63 - 1, -2**63, 2**63, 2**64, 10**18,
            10**19, -10**30, 123456789, 5 * 10**25, 15 * 10**24] + Array.new(COUNT / 2) { RANDOM.rand(-2**70..2**70) >> RANDOM.rand(70) }
INTEGERS.each do |n|
  [2, 3, 8, 10, 16, 36].each { |radix| record("int_to_s", n, radix) { n.to_s(radix) } }
  [-1, -2, -5, -18, -19, -25, -40].each do |digits|
    next if COUNT <= 40 && RANDOM.rand > 0.4
    MODES.each { |name, mode| record("int_round", n, digits, name) { n.round(digits, half: mode) } }
    record("int_round", n, digits, "floor") { n.floor(digits) }
    record("int_round", n, digits, "ceil") { n.ceil(digits) }
    # CRuby truncates big negative multiples of the unit one unit too far; what fits a machine word it gets right.
    record("int_round", n, digits, "truncate") { n.truncate(digits) } unless n < 0 && n % 10**-digits == 0
  end
end
[0.0, 1.5, -1.5, 2.0**53, 2.0**63, -(2.0**63), 2.0**64, 1e30, Float::INFINITY, -Float::INFINITY, Float::NAN].each do |f|
  [0, 1, -1, -2, 2**53 + 1, 2**63 - 1, -2**63, 2**63, -2**63 - 1, 2**64 + 1, 10**30, 10**30 + 1].each do |n|
    record("compare", bits(f), n) { f <=> n }
  end
end

INTEGER_TEXTS = ["", "0", "00", "1", "-1", "+1", "- 1", " 42 ", "\n42\t", "4 2", "42x", "_1", "1_", "1_2", "1__2", "0x1A", "0X1a",
  "0x", "0x_1", "0x1_0", "x1", "0b101", "0b", "0b2", "0o17", "017", "0_7", "0_8", "08", "0__7", "0_", "0d19", "0dx", "789",
  "-0xff", "+0b1", "0x-1", "z", "zz", "ZZ", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
  "-9223372036854775809", "123456789012345678901234567890", "ffffffffffffffffffff", "1\0", "1\0002", "\0", "0 1", "0 ", "00x1", "0_x1",
  "0-1", "1e5", "1.5", "\u00e9", "0b11", "11", "0o0", "0_0", "1_000_000", "\v\f\r 7", "--1", "+-1"]
INTEGER_TEXTS.each do |text|
  [10, 0, 2, 8, 16, 36].each do |base|
    record("to_i", text, base) { text.to_i(base) }
    record("Integer", text, base) { Integer(text, base) }
  end
  record("Integer", text, -2) { Integer(text, -2) }
  record("hex", text) { text.hex }
  record("oct", text) { text.oct }
end
[-37, -2, -1, 1, 37].each { |base| record("to_i", "11", base) { "11".to_i(base) }; record("Integer", "11", base) { Integer("11", base) } unless base == -1 }

FLOAT_TEXTS = INTEGER_TEXTS + ["1.", ".5", "-.5", ".", "-", "1.e5", "1._5", "1_.5", "1_000.5_5", "1e", "1e+", "1e+5", "1e-5", "1E5",
  "1e_5", "1e5_0", "1e5__0", "1_e5", ".e5", "1e400", "-1e400", "1e-400", "1e5.5", "0x1.8p1", "0x1.p1", "0x.8", "0x1p", "0x1p1_0",
  "0x1p-1074", "0x1p-1080", "0x1p2000", "-0x1A", "-0x", "0x1.fffffffffffff8p0", "0x123456789abcdef12", "Infinity", "NaN", "1.5abc",
  "0.1", "123456789.123456789", "9007199254740993", "1.7976931348623159e308", "2.4703282292062328e-324", "4.9e-324", "0e5", "1e99999999999999999999",
  "1e-99999999999999999999", "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
  "0.1e1", "1.0.0", "1..2", " 1.5 ", "1.5\n", "1.5 x"]
FLOAT_TEXTS.each do |text|
  record("to_f", text) { text.to_f }
  record("Float", text) { Float(text) }
end

# An exponent sign without digits after it is taken for part of the number here and there; that is not imitated.
RATIO_TEXTS = FLOAT_TEXTS.reject { _1 =~ /e[-+]?\d{5}|e\+$/ } + ["1/3", "-1/3", "+1/2", "1/-3", "1 /3", "1/ 3", "1/0", "1/0.0", "0/5", "1.5/3", "1/3.5", "1/.5", "1./2",
  "1/2.", "1/2.e3", "1.2e3/4", "1/3e2", "1_0/3_0", "1__0/3", "1/", "/3", "1/3/5", "6/4", "1/2x", " 1/2 ", "1/2\n"]
RATIO_TEXTS.each do |text|
  record("to_r", text) { text.to_r }
  record("Rational", text) { Rational(text) }
end

COMPLEX_TEXTS = RATIO_TEXTS.reject { _1 =~ /0[xX]/ } + ["i", "-i", "+i", "j", "2i", "2I", "2j", "2J", "1+2i", "1-2i", "1+i", "1-i", "1+2", "1 + 2i", "1i+2",
  "1-2/3i", "1.5e3+2.5i", "1/2+3/4i", "1+2ix", "1++i", "1+-2i", "i+1", ".5i", "5.i", "1.5/2i", "1/2.5i", "1./2i", "1e5/2i", "1/1e2i", "1ei",
  "+", "1+", "1+i2", "1_000.5_5i", "1@", "1@0", "0@1", "1@+i", "  -3.0e-2j", "1E2+1E-2i", "1.5/0.5"]
COMPLEX_TEXTS.each do |text|
  record("to_c", text) { text.to_c }
  record("Complex", text) { Complex(text) }
end
