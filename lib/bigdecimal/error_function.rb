# The error function: the integral of the normal distribution.
module BigMath
  module_function

  def erf(x, digits)
    BigMath.__function(:erf, x, digits) do |x, wide|
      next BigDecimal(x.infinite?) if x.infinite?
      next BigDecimal(0) if x.zero?
      next BigMath.__erf(x, wide) unless BigMath.__large?(x, wide)
      BigDecimal(x <=> 0).sub(BigMath.__erfc_of_large(x.abs, wide).mult(x <=> 0, wide), wide)
    end
  end

  # 1 less the error function.
  def erfc(x, digits)
    BigMath.__function(:erfc, x, digits) do |x, wide|
      next BigDecimal(1 - x.infinite?) if x.infinite?
      next BigMath.__erfc_of_large(x, wide) if x.positive? && BigMath.__large?(x, wide)
      next BigDecimal(1).sub(erf(x, wide), wide) unless x.positive?
      # As many digits are lost as erfc has zeros behind its point.
      wide += BigMath.__tens_of_normal(x).ceil + 2
      BigDecimal(1).sub(BigMath.__erf(x, wide), wide)
    end
  end

  class << self
    # All terms of this series have one sign: 2x / sqrt(pi) * exp(-x**2) * (1 + 2x**2/3 + (2x**2)**2/(3*5) ...)
    def __erf(x, digits)
      fixed = BigDecimal::FixedPoint
      square = x.mult(x, digits)
      bits = fixed.bits(digits)
      sum = fixed.to_decimal(fixed.odd_factorials(fixed.of(square, bits) * 2, bits), bits)
      factor = x.mult(2, digits).div(__pi(digits).sqrt(digits), digits)
      factor.mult(exp(-square, digits), digits).mult(sum, digits)
    end

    # Whether the smallest term of the asymptotic series is so small, which is about exp(-x**2).
    def __large?(x, digits) = x.exponent > 10 || __tens_of_normal(x) > digits + 4

    # How many zeros are behind the point of exp(-x**2).
    def __tens_of_normal(x) = x.exponent > 0 ? x.to_f**2 * Math.log10(Math::E) : 0

    # exp(-x**2) / (x * sqrt(pi)) * (1 - 1/(2x**2) + 1*3/(2x**2)**2 ...), whose terms become smaller and then larger.
    def __erfc_of_large(x, digits)
      return BigDecimal(0) if x.exponent > 10
      square = x.mult(x, digits + 2 * x.exponent)
      sum = term = BigDecimal(1)
      index = -1
      until term.exponent < -digits
        term = term.mult(-(index += 2), digits).div(square, digits).div(2, digits)
        sum = sum.add(term, digits)
      end
      sum.mult(exp(-square, digits), digits).div(__pi(digits).sqrt(digits).mult(x, digits), digits)
    end
  end
end
