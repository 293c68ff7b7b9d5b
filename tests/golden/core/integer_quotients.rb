# oracle: native
# Quotients as Floats of numbers that a Float does not hold: each is rounded first, as long as the divisor needs no rounding.
p (491.67.to_r * Rational(5, 9)).to_f, 491.67.to_r * Rational(5, 9) - 273.15, 491.67.to_r * Rational(5, 9) == 273.15
p (2**61 + 12345).fdiv(3**20), Rational(2**61 + 12345, 3**20).to_f, (-2**61 - 12345).fdiv(3**20), (2**61 + 12345).fdiv(-3**20)
p (2**60 + 1).fdiv(3), Rational(2**60 + 1, 7).to_f, Rational(2**70 + 1, 7).to_f, Rational(7, 2**60 + 1).to_f
p (2**61 + 12345).fdiv(2**53 - 1), (2**54 + 2).fdiv(6), 43_255_432_104_112_128.fdiv(158_329_674_399_744)
p (2**62 - 1).fdiv(10**15), (-2**62).fdiv(10**15), (2**62).fdiv(10**15), (2**62 + 1).fdiv(3)
p 0.fdiv(2**60), (10**40).fdiv(10**39), (10**400).fdiv(10**399), (2**61 + 1).fdiv(2**61 + 1)
