# oracle: native
# Functions of decimal numbers, to so many digits. Recorded with version 4.0.1 of bigdecimal, which Ruby 4.0 has, on the load
# path of the native oracle.
require "bigdecimal/math"

def show(name, *args)
  puts "#{name}(#{args.join(", ")}) = #{BigMath.public_send(name, *args)}"
rescue StandardError => error
  puts "#{name}(#{args.join(", ")}): #{error.class}: #{error.message}"
end

FUNCTIONS = %i[
  sqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh log log2 log10 log1p exp expm1 erf erfc gamma lgamma
]
%w[0 0.3 0.5 1 1.5 3.7 8 20.5 -0.2 -1.7 -3 1e-30].each do |x|
  FUNCTIONS.each { |name| [5, 30, 60].each { |digits| show(name, BigDecimal(x), digits) } }
end
%w[NaN Infinity -Infinity].each do |x|
  (FUNCTIONS - %i[gamma lgamma]).each { |name| show(name, BigDecimal(x), 10) }
end
%w[1e30 123456.789].each { |x| %i[sin cos tan atan asinh acosh log log2 cbrt erf].each { |name| show(name, BigDecimal(x), 40) } }
show(:gamma, BigDecimal("1234.5678"), 50)
show(:gamma, BigDecimal("-98.7"), 50)
show(:lgamma, BigDecimal("1e300"), 50)
show(:lgamma, 1 + BigDecimal("1e-50"), 20)
show(:lgamma, 2 - BigDecimal("1e-25"), 20)
show(:erfc, BigDecimal(40), 100)
show(:exp, 0.5r, 30)
show(:log, 0.1, 30)
[["-3", "-2"], ["3", "-2"], ["2", "3"], ["-0", "-1"], ["0", "0"], ["1", "0"], %w[Infinity -Infinity], %w[1 NaN]].each do |y, x|
  show(:atan2, BigDecimal(y), BigDecimal(x), 30)
  show(:hypot, BigDecimal(y), BigDecimal(x), 30)
end
[5, 50, 500].each { |digits| %i[PI E].each { |name| show(name, digits) } }
show(:frexp, BigDecimal("-123.45e-7"))
show(:frexp, BigDecimal("NaN"))
show(:ldexp, BigDecimal("0.12345"), 3)
show(:ldexp, 3, 2.9)

puts "arguments"
[0, -1, 2.9, nil, "5", 2**70].each { |digits| %i[PI E].each { |name| show(name, digits) unless digits == 2**70 } }
[0, -1, 2.9, nil, "5"].each { |digits| %i[sqrt sin log exp gamma erf].each { |name| show(name, 2, digits) } }
[nil, "2", :two, Complex(1, 1), Complex(2, 0)].each { |x| %i[sqrt sin log exp].each { |name| show(name, x, 5) } }

puts "modes"
BigDecimal.mode(BigDecimal::EXCEPTION_ALL, true)
%w[NaN Infinity -Infinity 0 1].each do |x|
  number = BigDecimal.save_exception_mode do
    BigDecimal.mode(BigDecimal::EXCEPTION_ALL, false)
    BigDecimal(x)
  end
  %i[sqrt cbrt sin cosh atanh log log10 exp erf].each { |name| show(name, number, 10) }
end
BigDecimal.mode(BigDecimal::EXCEPTION_ALL, false)
1.upto(7) do |mode|
  BigDecimal.mode(BigDecimal::ROUND_MODE, mode)
  show(:sqrt, BigDecimal(2), 20)
  show(:sqrt, BigDecimal("1.44"), 20)
  show(:log10, 1000, 20)
  show(:log2, 1024, 20)
  show(:gamma, 5, 20)
end
BigDecimal.mode(BigDecimal::ROUND_MODE, :half_up)
BigDecimal.limit(3)
[[:sqrt, 2, 20], [:exp, 2, 20], [:log, 2, 20], [:frexp, BigDecimal("1.23456")]].each { |call| show(*call) }
p BigDecimal.limit
