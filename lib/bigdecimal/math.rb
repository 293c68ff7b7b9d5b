require "bigdecimal"
require "bigdecimal/angles"
require "bigdecimal/hyperbolic"
require "bigdecimal/error_function"
require "bigdecimal/gamma"

# Functions of BigDecimals, to so many digits.
module BigMath
  module_function

  def sqrt(x, digits)
    digits = BigDecimal::Internal.digits(digits, :sqrt)
    BigDecimal::Internal.number(x, digits).sqrt(digits)
  end

  def cbrt(x, digits)
    digits = BigDecimal::Internal.digits(digits, :cbrt)
    x = BigDecimal::Internal.number(x, digits)
    return BigDecimal::Internal.nan if x.nan?
    return BigDecimal::Internal.infinity(x.infinite?) if x.infinite?
    return BigDecimal(0) if x.zero?
    x.__root(3, digits) { |integer| BigDecimal::FixedPoint.cube_root(integer) }
  end

  # The root of the sum of two squares.
  def hypot(x, y, digits)
    digits = BigDecimal::Internal.digits(digits, :hypot)
    x = BigDecimal::Internal.number(x, digits)
    y = BigDecimal::Internal.number(y, digits)
    return BigDecimal::Internal.nan if x.nan? || y.nan?
    return BigDecimal::Internal.infinity if x.infinite? || y.infinite?
    wide = digits + BigDecimal::Internal::GUARD
    x.mult(x, wide).add(y.mult(y, wide), wide).sqrt(digits)
  end

  # The circle's circumference by its diameter.
  def PI(digits)
    digits = BigDecimal::Internal.digits(digits, :PI)
    BigMath.__pi(digits + BigDecimal::Internal::GUARD).mult(1, digits)
  end

  # The base of natural logarithms.
  def E(digits) = exp(1, BigDecimal::Internal.digits(digits, :E))

  def log2(x, digits) = BigMath.__function(:log2, x, digits) { |x, wide| BigMath.__log_to(2, x, wide) }

  def log10(x, digits) = BigMath.__function(:log10, x, digits) { |x, wide| BigMath.__log_to(10, x, wide) }

  # The logarithm of 1 + x.
  def log1p(x, digits)
    BigMath.__function(:log1p, x, digits) do |x, wide|
      raise Math::DomainError, "Out of domain argument for log1p" if x < -1
      next x.sub(x.mult(x, wide).div(2, wide), wide) if -2 * x.exponent > wide
      log(x.exponent > 1 ? x.add(1, wide) : x + 1, wide)
    end
  end

  # The exponential less 1.
  def expm1(x, digits)
    BigMath.__function(:expm1, x, digits) do |x, wide|
      next BigDecimal(-1) if x.infinite? == -1
      next x.add(x.mult(x, wide).div(2, wide), wide) if -2 * x.exponent > wide
      exp(x, wide + (-x.exponent).clamp(0..)).sub(1, wide)
    end
  end

  # The digits, with their point in front of them, and the power of ten.
  def frexp(x)
    x = BigDecimal::Internal.number(x, 0)
    return [x, 0] unless x.finite?
    [x._decimal_shift(-x.exponent), x.exponent]
  end

  # The number times a power of ten.
  def ldexp(x, exponent)
    x = BigDecimal::Internal.number(x, 0)
    x.finite? ? x._decimal_shift(exponent) : x
  end

  class << self
    # The frame of a function: its block gets the number and how many digits to compute with, and no limit applies.
    def __function(name, x, digits)
      digits = BigDecimal::Internal.digits(digits, name)
      x = BigDecimal::Internal.number(x, digits)
      return BigDecimal::Internal.nan if x.nan?
      result = BigDecimal::Internal.unlimited { yield x, digits + BigDecimal::Internal::GUARD }
      result.finite? ? result.mult(1, digits) : result
    end

    # A function that is +x+ and a part of its cube, for a number so small that the fifth power has no digit in the result.
    # Otherwise nil.
    def __cubic(x, part, digits)
      return x if x.zero?
      return unless -4 * x.exponent > digits
      return x if x.exponent < -2**60
      x.add(x.mult(x, digits).mult(x, digits).mult(part, digits), digits)
    end

    def __pi(digits)
      bits = BigDecimal::FixedPoint.bits(digits)
      BigDecimal::FixedPoint.to_decimal(BigDecimal::FixedPoint.pi(bits), bits)
    end

    # The digits that are wanted decide about powers of the base, which are to be exact in every rounding mode.
    def __log_to(base, x, digits)
      return BigDecimal::Internal.infinity if x.infinite? == 1
      wide = digits + 8
      log(x, wide).div(log(base, wide), wide).__significant(digits, BigDecimal::ROUND_HALF_UP)
    end
  end
end
