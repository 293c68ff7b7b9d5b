# oracle: native
# Decimal numbers: made, computed with, compared, rounded and written. Recorded with version 4.0.1 of bigdecimal, which Ruby 4.0
# has, on the load path of the native oracle.
require "bigdecimal"
require "bigdecimal/util"
require "bigdecimal/math"

def show
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end

show { BigDecimal(1)/0 }
show { BigDecimal(0)/0 }
show { BigDecimal(1).div(0) }
show { BigDecimal(1).div(0,5) }
show { BigDecimal(1)%0 }
show { BigDecimal("NaN")/0 }
show { BigDecimal("Infinity")/0 }
show { BigDecimal("1234567.1234567").to_s("3F") }
show { BigDecimal("1234567.1234567").to_s("3E") }
show { BigDecimal("1234567.1234567").to_s("+F") }
show { BigDecimal("1234567.1234567").to_s(" 2") }
show { BigDecimal("1e20").to_s("F") }
show { BigDecimal("0.00001").to_s("F") }
show { BigDecimal("-0").to_s("F") }
show { BigDecimal(0.1) }
show { BigDecimal(0.1,0) }
show { BigDecimal(0.1,17) }
show { BigDecimal(0.1,16) }
show { BigDecimal(0.1,3) }
show { BigDecimal(1r/3) }
show { BigDecimal(1r/3,5) }
show { BigDecimal("abc") }
show { BigDecimal("1_000.5") }
show { BigDecimal("1__0") }
show { BigDecimal(" 1.5 ") }
show { BigDecimal("1.") }
show { BigDecimal(".5") }
show { BigDecimal("1e") }
show { BigDecimal("1e5x") }
show { BigDecimal("") }
show { BigDecimal(nil) }
show { BigDecimal(:a) }
show { BigDecimal(Object.new) }
show { BigDecimal("x",exception: false) }
show { BigDecimal(nil,exception: false) }
show { BigDecimal(1+2i) }
show { BigDecimal("0x10") }
show { BigDecimal("1d3") }
show { BigDecimal("+Infinity") }
show { BigDecimal("infinity") }
show { BigDecimal("1.5",-1) }
show { BigDecimal("12345",2) }
show { BigDecimal(12345,2) }
show { BigDecimal("1e99999999999999999999") }
show { BigDecimal("1.5").round }
show { BigDecimal("1.55").round(1) }
show { BigDecimal("155").round(-1) }
show { BigDecimal("1.5").round(half: :even) }
show { BigDecimal("2.5").round(0,:half_even) }
show { BigDecimal("2.5").round(0,:foo) }
show { BigDecimal("2.5").round(0,99) }
show { BigDecimal("NaN").round }
show { BigDecimal("Infinity").to_i }
show { BigDecimal("-Infinity").round(1) }
show { BigDecimal("2.5").round(half: :foo) }
show { BigDecimal("2")<nil }
show { BigDecimal("2")<=>"a" }
show { BigDecimal("2")==nil }
show { BigDecimal("2")+nil }
show { BigDecimal("2")+"1" }
show { 1+BigDecimal("2") }
show { 1.5*BigDecimal("2") }
show { 1r*BigDecimal("2") }
show { BigDecimal("2").coerce(1.5) }
show { BigDecimal("2").coerce("a") }
show { 1==BigDecimal(1) }
show { 1.0==BigDecimal(1) }
show { 1r==BigDecimal(1) }
show { 1<=>BigDecimal(2) }
show { 1.5<BigDecimal(2) }
show { BigDecimal("2")**3 }
show { BigDecimal("2")**-3 }
show { (BigDecimal("2")**0.5).round(15) }
show { BigDecimal("2").sqrt(2).round(9) }
show { BigDecimal("-2").sqrt(2) }
show { BigDecimal("NaN").sqrt(2) }
show { BigDecimal("2").sqrt(-1) }
show { BigDecimal("0.001").precision_scale }
show { BigDecimal("1e20").precision_scale }
show { BigDecimal("123.456").n_significant_digits }
show { BigDecimal("0").split }
show { BigDecimal("-1.5").split }
show { BigDecimal("NaN").split }
show { BigDecimal("1.5")._dump }
show { Marshal.load(Marshal.dump(BigDecimal("1.5"))) }
show { BigDecimal._load("9:0.15e1") }
show { BigDecimal.mode(BigDecimal::ROUND_MODE) }
show { BigDecimal.mode(BigDecimal::ROUND_MODE,:up); }
show { BigDecimal("1.1").round }
show { BigDecimal.mode(BigDecimal::ROUND_MODE,:half_up); }
show { BigDecimal.mode(BigDecimal::EXCEPTION_ALL) }
show { BigDecimal.mode(1234) }
show { BigDecimal.limit }
show { BigDecimal("7").divmod(BigDecimal("-2")) }
show { BigDecimal("7").remainder(-2) }
show { BigDecimal("7").div(2) }
show { BigDecimal("7").div(3,4) }
show { BigDecimal("7.5")%2 }
show { BigDecimal("1").hash==BigDecimal("1.0").hash }
show { BigDecimal("1.5").to_r }
show { BigDecimal("1.5").to_i }
show { BigDecimal("1").frozen? }
show { BigDecimal("NaN")==BigDecimal("NaN") }
show { BigDecimal("NaN")<1 }
show { BigDecimal("3").nonzero? }
show { BigDecimal("0").nonzero? }
show { BigDecimal("1.5").truncate(0) }
show { BigDecimal("-1.5").floor }
show { BigDecimal("-1.55").ceil(1) }
show { BigDecimal("Infinity")-BigDecimal("Infinity") }
show { BigDecimal("0")*BigDecimal("Infinity") }
show { BigDecimal("1").ceil(nil) }
show { BigDecimal("1").floor("a") }
show { "1.5abc".to_d }
show { "abc".to_d }
show { 1.5.to_d }
show { (1r/3).to_d(4) }
show { nil.to_d }
show { BigDecimal("1234.5").to_digits }
show { BigMath.PI(20).round(19) }
show { BigMath.E(20).round(19) }
show { BigMath.sin(BigDecimal(1),20).round(18) }
show { BigMath.cos(BigDecimal(1),20).round(18) }
show { BigMath.atan(BigDecimal("0.5"),20).round(18) }
show { BigMath.log(BigDecimal(2),20).round(18) }
show { BigMath.log(BigDecimal("1e30"),20).round(16) }
show { BigMath.exp(BigDecimal("10"),20).round(14) }
show { BigMath.atan(BigDecimal("3"),20).round(18) }
show { BigMath.log(0,5) }
random = Random.new(3)
100.times do
  x = BigDecimal("#{["-", "+"].sample(random:)}#{random.rand(10**random.rand(1..20))}.#{random.rand(10**random.rand(1..12))}e#{random.rand(-8..8)}")
  y = BigDecimal("#{random.rand(10**random.rand(1..12))}.#{random.rand(1..10**6)}")
  sums = [x + y, x - y, x * y, x.divmod(y), x.remainder(y), x <=> y, x.div(y, random.rand(1..30))]
  parts = [x.round(random.rand(-5..8), random.rand(1..7)), x.to_s("F"), x.frac, x.fix, x.exponent, x.precision, x.scale]
  puts [*sums, *parts, x.floor(2), x.ceil(2), x.truncate(3)].join(" ")
end
