# Floats: printing, parsing, rounding, special values, comparison.
p 0.1, 1.0, -0.0, 100.0, 1e2, 1e15, 1e16, 123456789012345.0, 1234567890123456789.0, 1e-4, 1e-5, 1.5e300, 5e-324, 1.7976931348623157e308
p 0.1 + 0.2, 1.1 * 3, 1 / 3.0, 2 / 3.0, 1e23, 9007199254740993.0, 0.1 + 0.7, 4.35, 2.675, 1.005 * 1000
p Float::INFINITY, -Float::INFINITY, Float::NAN, Float::MAX, Float::MIN, Float::EPSILON, Float::DIG, Float::MANT_DIG, Float::RADIX
p "1.5".to_f, "1e3".to_f, ".5".to_f, "1.".to_f, "abc".to_f, "1.5abc".to_f, "1_000.5".to_f, "  2.5 ".to_f, "-0".to_f, "1e400".to_f, "0x1p3".to_f, "Infinity".to_f
p Float("1.5"), Float("1e-3"), Float("0x1.8p1"), Float("1_0.5"), Float("x", exception: false), (Float("1.") rescue $!.message), (Float("1e") rescue $!.message)
p 3.7.floor, 3.2.ceil, 3.5.round, -3.5.round, 3.7.truncate, 2.5.round(half: :even), 2.5.round(half: :up), 2.5.round(half: :down)
p 3.14159.round(2), 3.14159.floor(3), 3.14159.ceil(1), 12345.678.round(-2), 12345.678.floor(-2), 0.5.round, 1.5.round, 1e20.round(2), 10.0.round(3), 2.675.round(2), 1.15.round(1), 25.0.round(-1)
p 1.0.nan?, Float::NAN.nan?, 1.0.infinite?, (-1 / 0.0).infinite?, 1.0.finite?, Float::NAN == Float::NAN, [Float::NAN].include?(Float::NAN), 0.0 == -0.0, 0.0.eql?(-0.0), 1.0.eql?(1), 1.0 == 1
p 1.5 <=> 2, 1.5 <=> Float::NAN, 1.5 <=> "x", 1.5 < 2, 2 > 1.5, 1.5.between?(1, 2), 1.5.clamp(2, 3), [1.5, -0.0, 3, 2.0].sort, [1.5, 2].max
p 7.5.divmod(2), -7.5.divmod(2), 7.5 % -2, 7.5.div(2), 7.5.modulo(2), 7.5.remainder(-2), 2.0**3, 2.0**0.5 == Math.sqrt(2), 4.0**-1, (-8.0)**2, 10.0.fdiv(4), 7.0 / 2
p 1.5.to_i, 1.5.to_r, 0.1.to_r, 0.1.rationalize, 0.333.rationalize(0.01), 3.0.numerator, 0.5.denominator, 1.5.to_c, 1e3.to_i, 1.9.to_i, -1.9.to_i, 1e30.to_i
p 1.0.next_float, 1.0.prev_float, 0.0.next_float, -1.5.abs, 1.5.magnitude, -1.5.negative?, 0.0.zero?, 1.5.positive?, 2.0.integer?, 1.5.coerce(2), 1.5.hash == 1.5.hash, 3.0.to_s, 3.0.inspect
puts "%.2f|%8.3f|%-8.2f|%+.1f|%e|%g|%g|%G|%a|%010.4f|%.0f|%.10g|% f" % [3.14159, 2.5, 2.5, 2.5, 12345.678, 1e10, 1e-5, 1e20, 1.0, 3.14159, 2.5, 0.1, 1.5]
puts "%f %f %f %d %s %.3s" % [Float::INFINITY, -Float::INFINITY, Float::NAN, 3.99, 1.0, 1.23456]
p 1e2.to_i.to_s, 1.23456789e-7.to_s, 12.0e10.to_s, 1e100.to_i.to_s.size, 100000000000000000.0.to_s, 0.00001.to_s, 123e18.to_s
p Math.sqrt(16), Math.cbrt(27), Math.hypot(3, 4), Math::PI.round(10), Math::E.round(10), Math.sin(0), Math.cos(0), Math.log(1), Math.log2(8), Math.log10(1000), Math.log(8, 2), Math.exp(0), Math.atan2(1, 1).round(10)
p Math.sin(1).round(12), Math.tan(1).round(12), Math.log(10).round(12), Math.exp(1).round(12), Math.gamma(5), Math.erf(0), Math.sinh(1).round(10), Math.frexp(8.0), Math.ldexp(0.5, 4), Math.lgamma(1), Integer.sqrt(24), Math.log1p(0), Math.expm1(0)
p [0.1] * 3, [0.1, 0.2, 0.3].sum, [0.1, 0.2, 0.3].inject(:+), [1, 2.5].sum, [1e100, 1.0, -1e100].sum, [3.0, 5].minmax, [0.1] * 10 == [0.1] * 10, ([0.1] * 10).sum
p 1.23.floor(1), -1.23.floor(1), 1.25.round(1), 1.35.round(1), 1.0e-10.round(5), 0.1.floor(20), 1234.5678.truncate(2), -0.4.round, -0.5.ceil, 0.5.floor
p 5.0.to_i.class, 1e19.to_i.class, 2.0 ** 70 == 2 ** 70, 2 ** 53 + 1 == (2 ** 53 + 1).to_f, 9007199254740993 <=> 9007199254740992.0, 0.1r, 1.5.rationalize(Rational(1, 100))
