# Sines and their inverses.
module BigMath
  module_function

  def sin(x, digits)
    BigMath.__function(:sin, x, digits) do |x, wide|
      next BigDecimal::Internal.nan if x.infinite?
      BigMath.__cubic(x, Rational(-1, 6), wide) || BigMath.__sin(x, wide, 0)
    end
  end

  def cos(x, digits)
    BigMath.__function(:cos, x, digits) do |x, wide|
      next BigDecimal::Internal.nan if x.infinite?
      BigMath.__sin(x, wide, 1)
    end
  end

  def tan(x, digits)
    BigMath.__function(:tan, x, digits) do |x, wide|
      next BigDecimal::Internal.nan if x.infinite?
      BigMath.__cubic(x, Rational(1, 3), wide) || BigMath.__sin(x, wide, 0).div(BigMath.__sin(x, wide, 1), wide)
    end
  end

  def asin(x, digits)
    BigMath.__function(:asin, x, digits) do |x, wide|
      raise Math::DomainError, "Out of domain argument for asin" if x < -1 || x > 1
      next BigMath.__pi(wide).div(x.positive? ? 2 : -2, wide) if x.abs == 1
      BigMath.__cubic(x, Rational(1, 6), wide) || atan(x.div(BigMath.__leg(x, wide), wide), wide)
    end
  end

  def acos(x, digits)
    BigMath.__function(:acos, x, digits) do |x, wide|
      raise Math::DomainError, "Out of domain argument for acos" if x < -1 || x > 1
      next BigMath.__pi(wide).div(2, wide).sub(asin(x, wide), wide) if x.abs < BigDecimal("0.5")
      angle = atan(BigMath.__leg(x, wide).div(x, wide), wide)
      x.negative? ? BigMath.__pi(wide).add(angle, wide) : angle
    end
  end

  def atan(x, digits)
    BigMath.__function(:atan, x, digits) do |x, wide|
      next BigMath.__pi(wide).div(2 * x.infinite?, wide) if x.infinite?
      BigMath.__cubic(x, Rational(-1, 3), wide) || BigMath.__atan(x.abs, wide).mult(x <=> 0, wide)
    end
  end

  # The angle of a point.
  def atan2(y, x, digits)
    digits = BigDecimal::Internal.digits(digits, :atan2)
    x = BigDecimal::Internal.number(x, digits)
    y = BigDecimal::Internal.number(y, digits)
    return BigDecimal::Internal.nan if x.nan? || y.nan?
    x, y = BigMath.__direction(x), BigMath.__direction(y) if x.infinite? || y.infinite?
    return x.sign >= 0 ? BigDecimal(0) : BigDecimal(y.sign).mult(PI(digits), digits) if y.zero?
    BigDecimal::Internal.unlimited { BigMath.__angle(y, x, digits + BigDecimal::Internal::GUARD) }.mult(1, digits)
  end

  class << self
    # The sine of an angle that is so many quarter turns larger. Taking half turns away must leave the digits that are wanted.
    def __sin(x, digits, quarters)
      fixed = BigDecimal::FixedPoint
      wanted = fixed.bits(digits)
      before_point = fixed.bits(x.exponent.clamp(0..))
      bits = wanted + before_point
      loop do
        half_turn = fixed.pi(bits)
        turns, rest = (fixed.of(x, bits) + half_turn * (quarters + 1) / 2).divmod(half_turn)
        rest -= half_turn / 2
        sure = rest.bit_length - before_point
        if sure >= wanted - 32
          sine = fixed.to_decimal(fixed.sin(rest.abs, bits), bits)
          return turns.odd? == rest.positive? ? -sine : sine
        end
        bits += wanted - sure
      end
    end

    # Of a positive number; above 1 by that of its reciprocal.
    def __atan(x, digits)
      fixed = BigDecimal::FixedPoint
      return __pi(digits).div(2, digits) if x.exponent > digits + 1
      bits = fixed.bits(digits + x.exponent.abs)
      tangent = fixed.of(x, bits)
      return fixed.to_decimal(fixed.atan(tangent, bits), bits) if x <= 1
      fixed.to_decimal(fixed.pi(bits) / 2 - fixed.atan((1 << 2 * bits) / tangent, bits), bits)
    end

    # The other leg of a right triangle whose hypotenuse is 1.
    def __leg(x, digits) = ((1 - x) * (1 + x)).sqrt(digits)

    # A point on the axes or the diagonals in the direction of one that is infinitely far.
    def __direction(x) = x.infinite? ? BigDecimal(x.infinite?) : BigDecimal(0) * x.sign

    # Of a point that is not on the axis from which angles are counted.
    def __angle(y, x, digits)
      pi = __pi(digits)
      if x.abs < y.abs
        angle = pi.div(2, digits).sub(atan(x.div(y.abs, digits), digits), digits)
      else
        angle = atan(y.abs.div(x, digits), digits)
        angle = angle.add(pi, digits) if x.negative?
      end
      y.negative? ? -angle : angle
    end
  end
end
