# What arithmetic with a Complex of a derived class makes is of that class.
class Derived < Complex; end
class Deeper < Derived; end

one = Derived.rect(1, 2)
half = Derived.rect(1.5, 2.5)
{
  rect: one, polar: Derived.polar(1, 2), negative: -one, positive: +one, conj: one.conj, numerator: one.numerator,
  plus: one + 1, plus_complex: one + 1i, plus_own: one + one, minus: one - 1, minus_complex: one - 1i, times: one * 2,
  times_complex: one * 1i, quotient: one / 2, quotient_complex: one / 1i, quo: one.quo(2), fdiv: one.fdiv(2),
  floats_plus: half + half, floats_minus: half - half, floats_times: half * half, floats_quotient: half / half,
  zeroth: one**0, first: one**1, square: one**2, tenth: one**10, reciprocal: one**-1, root: one**0.5, third: one**(1 / 3r),
  complex_power: one**one, turn: Derived.rect(0, 1)**5, big: (one * 10**20) + (one * 10**30),
  integer_plus: 1 + one, integer_minus: 1 - one, integer_times: 2 * one, integer_quotient: 1 / one, integer_power: 2**one,
  float_plus: 1.5 + one, rational_plus: 1r + one, complex_plus: 1i + one, complex_times: 1i * one, to_c: one.to_c, abs: one.abs,
  dup: one.dup, deeper: Deeper.rect(1, 1) + one, deeper_right: one + Deeper.rect(1, 1), kernel: Complex(one), rationalize: Derived.rect(0.5, 0).rationalize,
}.each { |name, value| puts "#{name} #{value.class}" }

p one.coerce(1).map(&:class), one.coerce(one).map(&:class), 1i.coerce(one).map(&:class)
p one == Complex(1, 2), one.eql?(Complex(1, 2)), one.hash == Complex(1, 2).hash, { one => 1 }[Complex(1, 2)]
p Marshal.load(Marshal.dump(one)).class, Marshal.load(Marshal.dump([one, half])).map(&:class)
p [1, 2.0, 3r, [1, 2], "1+2i", 1i, [1i, 2], nil].map { |arg| (Derived.send(:convert, *(arg.nil? ? [nil] : arg)).class rescue $!.message) }
p Complex.send(:convert, 1).class
p (one + 1).frozen?, [one, one].sum.class, [1, one].inject(:+).class, one.real.class
