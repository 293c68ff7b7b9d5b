# oracle: native
# What each operation of decimal numbers makes of every kind of operand and argument, under each mode. Recorded with version
# 4.0.1 of bigdecimal, which Ruby 4.0 has, on the load path of the native oracle.
require "bigdecimal"
require "bigdecimal/util"

def show(what)
  result = begin
    yield.inspect
  rescue StandardError, NoMemoryError => error
    "#{error.class}: #{error.message}"
  end
  puts "#{what} => #{result}" unless result.include?("undefined method")
end

def check(code) = show(code) { eval(code) }

OPERATORS = %w[+ - * / % divmod remainder div quo <=> == < ** add:3 sub:3 mult:3 div:3 power:5]

def operate(number, operator, other)
  name, digits = operator.split(":")
  show("#{number} #{operator} #{other.inspect}") { number.public_send(name, other, *digits&.to_i) }
end

NUMBERS = %w[0 -0 1 -3 0.5 NaN Infinity -Infinity -1e-20].to_h { |text| [text, BigDecimal(text)] }
METHODS = %w[
  to_f to_i to_s to_s("F") abs -@ fix frac round round(1) round(-3) round(-12,:up) floor ceil truncate floor(1) exponent precision
  scale n_significant_digits sign split _dump to_r sqrt(0) sqrt(5) precision_scale
]
[false, true].each do |raises|
  puts "mode #{raises}"
  NUMBERS.each_value do |a|
    NUMBERS.each_value do |b|
      next if raises && [a, b].all? { |number| number.finite? && !number.zero? }
      BigDecimal.save_exception_mode do
        BigDecimal.mode(BigDecimal::EXCEPTION_ALL, raises)
        OPERATORS.each { |operator| operate(a, operator, b) unless raises && operator.match?(/\*\*|power/) }
      end
    end
    BigDecimal.save_exception_mode do
      BigDecimal.mode(BigDecimal::EXCEPTION_ALL, raises)
      METHODS.each { |call| show("#{a}.#{call}") { a.instance_eval("self.#{call}") } }
    end
  end
end

puts "operands"
coerces = Object.new
def coerces.coerce(number) = [number, BigDecimal("2.5")]
def coerces.inspect = "coerces"
refuses = Object.new
def refuses.coerce(number) = nil
def refuses.inspect = "refuses"
[1, 1.5, 0.1 + 0.2, 1/3r, 2**70, nil, true, :sym, "str", Object, 1i, coerces, refuses].each do |other|
  OPERATORS.each { |operator| operate(BigDecimal("7.25"), operator, other) }
end

puts "conversions"
[nil, true, :sym, Object, 1i, 1/3r, 0.1, 0.1 + 0.2, 1e300, Float::NAN, -0.0, 2.5, 0.15, 1.23456789012345678, 5e-324, 12345].each do |value|
  [[], [0], [1], [2], [16], [17], [-1], [nil], ["a"], [2.9]].each do |digits|
    show("BigDecimal(#{value.inspect}, #{digits})") { BigDecimal(value, *digits) }
    show("BigDecimal(#{value.inspect}, #{digits}) or nil") { BigDecimal(value, *digits, exception: false) }
  end
end
TEXTS = [
  "1_", "1_ ", "1__1", "_1", "1_.5", "1._5", "1.5_", "1.e5", "0.E-9", ".", ".5", "5.", "-.5e3", "1e_5", "1e5_", "1e+5", "1e+", "1 2",
  "#5", "##5", "+Infinity", "-NaN", "NaN ", "Infinity x", " -Infinity\n", "Infinityx", "-", "--1", "-abc", "-_1", "1\0", "0x1", "1d3",
  "1D-3", "1f", "\v1\f", "0e99999999999999999999", "1e99999999999999999999", "-1e-99999999999999999999", "0.1e9223372036854775800",
  "0.1e9223372036854775801", "0.1e-9223372036854775808", "0.01e-9223372036854775808", "-0.111111111e-9223372036854775800",
]
TEXTS.each do |text|
  show("BigDecimal(#{text.inspect})") { BigDecimal(text) }
  show("BigDecimal(#{text.inspect}) or nil") { BigDecimal(text, exception: false) }
  show("#{text.inspect}.to_d") { text.to_d }
end

puts "texts"
FORMATS = ["", "F", "3F", "+F", " 3F", "+3", "3", "2E", "F3", "+ 3 F", "10F", "x", "a5F", 1, 3, 0, -1, nil, 2.7, :F, "3\0F"]
%w[0 -0 NaN -Infinity 1234567.1234567 -1234567890123.4567890123 0.00001 1e20 999].each do |text|
  FORMATS.each { |format| show("#{text}.to_s(#{format.inspect})") { BigDecimal(text).to_s(format) } }
end
ROUNDINGS = [
  "", *(-12..3).map(&:to_s), "nil", "'1'", "half: :up", "half: 'down'", "half: nil", "half: :foo", "half: 3", "0, half: :even",
  "1, :banker", "-10, :up", "-9, :ceil", "-12, :floor", "0, 99", "0, 0", "0, 'up'", "0, :UP", "0, nil", "1.9",
]
%w[0 5 -5 2.5 149.951 99999999.5 NaN 1e-20].each do |text|
  ROUNDINGS.each { |arguments| check("BigDecimal('#{text}').round(#{arguments})") }
  %w[floor ceil truncate].product(%w[nil -1 1 -20 'a']).each { |name, digits| check("BigDecimal('#{text}').#{name}(#{digits})") }
end

puts "arguments"
[
  "BigDecimal.mode(256)", "BigDecimal.mode(256, :up)", "BigDecimal.mode(256, nil)", "BigDecimal.mode(256, 3)",
  "BigDecimal.mode(256, 9)", "BigDecimal.mode(256, :foo)", "BigDecimal.mode(256, 'up')", "BigDecimal.mode(255)",
  "BigDecimal.mode(255, 1)", "BigDecimal.mode(2, true)", "BigDecimal.mode(2, false)", "BigDecimal.mode(1024)",
  "BigDecimal.mode('a')", "BigDecimal.mode(nil)", "BigDecimal.limit('a')", "BigDecimal.limit(-1)", "BigDecimal.limit(3.9)",
  "BigDecimal.limit(0)", "BigDecimal._load('9:1.5')", "BigDecimal._load('x:1.5')", "BigDecimal._load('9')", "BigDecimal._load('9:x')",
  "BigDecimal(2).sqrt", "BigDecimal(2).sqrt('a')", "BigDecimal(2).sqrt(nil)", "BigDecimal(2).sqrt(-1)", "BigDecimal(2).sqrt(2.9)",
  "BigDecimal(2).power(2,-1)", "BigDecimal(2).power(nil)", "BigDecimal(2) ** nil", "BigDecimal(2).power(:a)",
  "BigDecimal(2).add(1, -1)", "BigDecimal(2).add(nil, 1)", "BigDecimal(2).div(1, -1)", "BigDecimal(2).div(3, nil)",
  "BigDecimal(2).div(3, 0)", "BigDecimal(2).quo(3, -1)", "BigDecimal(2).quo(nil, 2)", "BigDecimal(2).coerce(nil)",
  "BigDecimal(2).coerce(:a)", "BigDecimal(2).coerce(1/3r)", "BigDecimal('1'*40).coerce(1/3r)", "BigDecimal(2).coerce(0.1+0.2)",
  "BigDecimal(2)._decimal_shift(nil)", "BigDecimal(2)._decimal_shift(3)", "BigDecimal(2)._decimal_shift(-2**63)",
  "BigDecimal('1e9223372036854775799') + 1", "BigDecimal(1).div(3, 2**62)",
].each { |code| check(code) }

puts "limits"
OPERATIONS = [
  "1.23456.to_d + 0", "0 - 1.23456.to_d", "1.23456.to_d * 2.34567", "1.23456.to_d / 7", "1.23456.to_d % 0.7", "2.to_d.sqrt(0)",
  "2.to_d.sqrt(5)", "2.to_d ** 0.5", "1.23456.to_d ** 7", "1.23456.to_d ** -7", "1.23456.to_d.power(7, 5)", "1.23456.to_d.round(4)",
  "1.23456.to_d.add(1, 0)", "1.23456.to_d.add(1, 5)", "BigMath.exp(1.5.to_d, 20)", "BigMath.log(1.5.to_d, 20)", "-1.23456.to_d",
]
[0, 1, 3, 10, 1000].each do |limit|
  BigDecimal.limit(limit)
  OPERATIONS.each { |code| check(code) }
end
BigDecimal.limit(0)

puts "rounding modes"
1.upto(7) do |mode|
  BigDecimal.mode(BigDecimal::ROUND_MODE, mode)
  [
    "1.to_d - 1", "1.to_d / 3", "-2.to_d / 3", "1.25.to_d.mult(1, 2)", "1.35.to_d.add(0, 2)", "2.5.to_d.round", "2.to_d.sqrt(10)",
    "4.to_d.sqrt(10)", "2.to_d ** 0.5", "BigDecimal(2.5, 1)", "BigDecimal(1/3r, 3)",
  ].each { |code| check(code) }
end

puts "powers"
BigDecimal.mode(BigDecimal::ROUND_MODE, :half_up)
[
  "3.to_d ** 2**100", "3.to_d ** -(2**100)", "-3.to_d ** (2**100 + 1)", "-0.5.to_d ** (2**100 - 1)", "12.34.to_d ** 100",
  "1.03448275862068965517.to_d.power(4, 5)", "0.12345.to_d.power(8, 10)", "98.76.to_d ** 54.32", "2222.to_d ** 3.5r",
  "(1 + BigDecimal('1e-30')).power(BigDecimal('3e30'), 40)", "1.9.to_d.power(BigDecimal('1e18') + 0.1, 30)",
  "BigDecimal('7e10000').power(-123456, 20)", "-8.to_d ** 0.5", "1.to_d ** BigDecimal::INFINITY", "-2.to_d ** BigDecimal::INFINITY",
  "-BigDecimal::INFINITY ** 3", "-BigDecimal::INFINITY ** 0.5", "(-BigDecimal::INFINITY) ** 0.5", "(-BigDecimal::INFINITY) ** -3",
].each { |code| check(code) }
