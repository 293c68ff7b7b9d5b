# Hyperbolic functions and their inverses.
#
# A small number loses as many digits as stand in front of it when two exponentials are subtracted.
module BigMath
  module_function

  def sinh(x, digits)
    BigMath.__function(:sinh, x, digits) do |x, wide|
      next BigDecimal::Internal.infinity(x.infinite?) if x.infinite?
      small = BigMath.__cubic(x, Rational(1, 6), wide)
      next small if small
      power, inverse, wide = BigMath.__exponentials(x, wide)
      power.sub(inverse, wide).div(2, wide)
    end
  end

  def cosh(x, digits)
    BigMath.__function(:cosh, x, digits) do |x, wide|
      next BigDecimal::Internal.infinity if x.infinite?
      power = exp(x.abs, wide)
      power.add(BigDecimal(1).div(power, wide), wide).div(2, wide)
    end
  end

  def tanh(x, digits)
    BigMath.__function(:tanh, x, digits) do |x, wide|
      next BigDecimal(x.infinite?) if x.infinite?
      small = BigMath.__cubic(x, Rational(-1, 3), wide)
      next small if small
      next BigDecimal(x <=> 0).sub(BigDecimal.__of(x <=> 0, -2 * wide), wide) if x.abs > 3 * wide
      power, inverse, wide = BigMath.__exponentials(x, wide)
      power.sub(inverse, wide).div(power.add(inverse, wide), wide)
    end
  end

  def asinh(x, digits)
    BigMath.__function(:asinh, x, digits) do |x, wide|
      next BigDecimal::Internal.infinity(x.infinite?) if x.infinite?
      small = BigMath.__cubic(x, Rational(-1, 6), wide)
      next small if small
      more = wide + (-x.exponent).clamp(0..)
      log(x.abs.add(x.mult(x, 2 * more).add(1, 2 * more).sqrt(more), more), wide).mult(x <=> 0, wide)
    end
  end

  def acosh(x, digits)
    BigMath.__function(:acosh, x, digits) do |x, wide|
      raise Math::DomainError, "Out of domain argument for acosh" if x < 1
      next BigDecimal::Internal.infinity if x.infinite?
      next BigDecimal(0) if x == 1
      more = wide + (-(x - 1).exponent).clamp(0..)
      log(x.add((x - 1).mult(x + 1, more).sqrt(more), more), wide)
    end
  end

  def atanh(x, digits)
    BigMath.__function(:atanh, x, digits) do |x, wide|
      raise Math::DomainError, "Out of domain argument for atanh" if x < -1 || x > 1
      next BigDecimal::Internal.infinity(x <=> 0) if x.abs == 1
      small = BigMath.__cubic(x, Rational(1, 3), wide)
      next small if small
      more = wide + (-x.exponent).clamp(0..)
      log((1 + x).div(1 - x, more), wide).div(2, wide)
    end
  end

  class << self
    # e to the power of +x+ and of -x, and how many digits they have.
    def __exponentials(x, digits)
      digits += (-x.exponent).clamp(0..)
      power = exp(x, digits)
      [power, BigDecimal(1).div(power, digits), digits]
    end
  end
end
