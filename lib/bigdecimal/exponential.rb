# The exponential function and the logarithm, which powers need; the other functions are in +bigdecimal/math+.
module BigMath
  module_function

  # e to the power of a number.
  def exp(x, digits)
    digits = BigDecimal::Internal.digits(digits, :exp)
    x = BigDecimal::Internal.number(x, digits)
    return BigDecimal::Internal.nan if x.nan?
    return x.positive? ? BigDecimal::Internal.infinity : BigDecimal(0) if x.infinite?
    return BigDecimal(1) if x.zero?
    return x.positive? ? BigMath.__overflow : BigMath.__underflow if x.exponent > 20
    BigMath.__exp(x, digits + BigDecimal::Internal::GUARD).mult(1, digits)
  end

  # The natural logarithm.
  def log(x, digits)
    digits = BigDecimal::Internal.digits(digits, :log)
    raise Math::DomainError, "Complex argument for BigMath.log" if x.is_a?(Complex)
    x = BigDecimal::Internal.number(x, digits)
    return BigDecimal::Internal.nan if x.nan?
    raise Math::DomainError, "Negative argument for log" if x < 0
    return BigDecimal::Internal.infinity(-1) if x.zero?
    return BigDecimal::Internal.infinity if x.infinite?
    BigMath.__log(x, digits + BigDecimal::Internal::GUARD).mult(1, digits)
  end

  class << self
    # Without the tens that a number is e to the power of, the series is short.
    def __exp(x, digits)
      fixed = BigDecimal::FixedPoint
      exponent = x.exponent
      return BigDecimal(1).add(x, digits) if exponent < -digits
      bits = fixed.bits(digits + exponent.clamp(0..))
      tens, rest = 0, fixed.of(x, bits)
      tens, rest = rest.divmod(fixed.log_of_ten(bits)) if exponent > 0
      fixed.to_decimal(fixed.exp(rest, bits), bits)._decimal_shift(tens)
    end

    # Close to 1 the logarithm has fewer digits in front of those that are asked for.
    def __log(x, digits)
      return __log_of_small(x, digits) unless x.between?(BigDecimal("0.5"), 2)
      distance = BigDecimal::Internal.unlimited { x - 1 }
      return distance if distance.zero?
      lost = -distance.exponent
      return distance.sub(distance.mult(distance, digits).div(2, digits), digits) if 2 * lost > digits
      bits = BigDecimal::FixedPoint.bits(digits + lost.clamp(0..))
      BigDecimal::FixedPoint.to_decimal(BigDecimal::FixedPoint.log(BigDecimal::FixedPoint.of(x, bits), bits), bits)
    end

    def __overflow = BigDecimal.__of(1, 2**63 - 1)

    def __underflow = BigDecimal.__of(1, -2**63)._decimal_shift(-2)

    private

    # The logarithm of the digits and that of the power of ten.
    def __log_of_small(x, digits)
      fixed = BigDecimal::FixedPoint
      tens = x.exponent
      bits = fixed.bits(digits) + tens.bit_length
      log = fixed.log(fixed.of(x._decimal_shift(-tens), bits), bits)
      log += tens * fixed.log_of_ten(bits) if tens != 0
      fixed.to_decimal(log, bits)
    end
  end
end
