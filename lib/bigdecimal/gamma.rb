# The gamma function and its logarithm, by Stirling's series.
#
# The series is for large numbers: gamma(x) = gamma(x + n) / (x * (x + 1) ... (x + n - 1)).
module BigMath
  module_function

  def gamma(x, digits)
    BigMath.__function(:gamma, x, digits) do |x, wide|
      next BigDecimal::Internal.infinity if x.infinite? == 1
      next BigMath.__overflow if x.positive? && x.exponent > 20
      next BigMath.__gamma(x, wide) if x >= BigDecimal("0.5")
      # Close to 0 it is 1/x less about 0.6.
      next BigDecimal(1).div(x, wide) if x.nonzero? && -x.exponent > wide
      raise Math::DomainError, "Numerical argument is out of domain - gamma" if x.infinite? || x.frac.zero?
      # The reflection: gamma(x) * gamma(1 - x) = pi / sin(pi * x)
      BigMath.__pi(wide).div(BigMath.__gamma(1 - x, wide).mult(BigMath.__sin_of_half_turns(x, wide), wide), wide)
    end
  end

  # The logarithm of the gamma function's magnitude, and its sign.
  def lgamma(x, digits)
    digits = BigDecimal::Internal.digits(digits, :lgamma)
    x = BigDecimal::Internal.number(x, digits)
    return [BigDecimal::Internal.nan, 1] if x.nan?
    return [BigDecimal::INFINITY, 1] if x.infinite? || x <= 0 && x.frac.zero?
    log, sign = BigDecimal::Internal.unlimited { BigMath.__lgamma(x, digits + BigDecimal::Internal::GUARD) }
    [log.mult(1, digits), sign]
  end

  class << self
    def __gamma(x, digits)
      return __factorial(x.to_i - 1).mult(1, digits) if x.frac.zero? && x < 1000 + digits
      # The logarithm is the argument of an exponential: its digits in front of the point are lost.
      wide = digits + 2 * x.exponent.clamp(1..) + 2
      far, product = __far(x, wide)
      exp(__stirling(far, wide), digits).div(product, digits)
    end

    def __lgamma(x, digits)
      return [__lgamma_of_positive(x, digits), 1] if x >= BigDecimal("0.5")
      return [-log(x.abs, digits), x <=> 0] if -x.exponent > digits
      wide = digits
      loop do
        sine = __sin_of_half_turns(x, wide)
        log = log(__pi(wide).div(sine.abs, wide), wide).sub(__lgamma_of_positive(1 - x, wide), wide)
        # Where the magnitude is about 1 the difference has lost digits.
        return [log, sine.positive? ? 1 : -1] if log.nonzero? && wide + log.exponent.clamp(..0) >= digits
        wide = wide * 3 / 2
      end
    end

    private

    def __factorial(number) = BigDecimal((1..number).inject(1, :*))

    # The logarithm is 0 at 1 and at 2; so close to them that all digits would be lost it is a straight line.
    def __lgamma_of_positive(x, digits)
      zero = x < BigDecimal("1.5") ? 1 : 2
      distance = x.exponent > 1 ? x : x - zero
      return distance if distance.zero?
      lost = (-distance.exponent).clamp(0..)
      if lost > digits
        step = BigDecimal.__of(1, -digits)
        return __lgamma_of_positive(zero + step, digits).mult(distance, digits).div(step, digits)
      end
      wide = digits + lost + 2
      far, product = __far(x, wide)
      __stirling(far, wide).sub(log(product, wide), wide)
    end

    # A larger number, for which the series gives so many digits, and the product of those on the way.
    def __far(x, digits)
      least = digits * 6 / 10 + 8
      product = BigDecimal(1)
      while x < least
        product = product.mult(x, digits)
        x += 1
      end
      [x, product]
    end

    # (x - 1/2) * log(x) - x + log(2 * pi) / 2 + B2 / (1 * 2 * x) + B4 / (3 * 4 * x**3) ...
    def __stirling(x, digits)
      wide = digits + 4
      half = BigDecimal("0.5")
      sum = x.sub(half, wide).mult(log(x, wide), wide).sub(x, wide)
      sum = sum.add(log(__pi(wide).mult(2, wide), wide).mult(half, wide), wide)
      square, power = x.mult(x, wide), x
      __bernoulli_numbers(__stirling_terms(x, wide)).each.with_index(1) do |number, index|
        term = BigDecimal(number.numerator).div(power.mult(number.denominator * 2 * index * (2 * index - 1), wide), wide)
        sum = sum.add(term, wide)
        power = power.mult(square, wide)
      end
      sum
    end

    # The first term that is too small to matter: its logarithm is about 2k * log(k / (pi * e * x)).
    def __stirling_terms(x, digits)
      size = x.exponent > 300 ? x.exponent : Math.log10(x.to_f)
      size += Math.log10(Math::PI * Math::E)
      (1..).find { |index| 2 * index * (size - Math.log10(index)) > digits + size + 2 }
    end

    # B2, B4 ..., from the coefficients of the tangent's series (R. P. Brent and D. Harvey, Fast computation of Bernoulli,
    # Tangent and Secant numbers, 2011).
    def __bernoulli_numbers(count)
      tangents = [0, 1]
      (2..count).each { |index| tangents << tangents.last * (index - 1) }
      (2..count).each do |first|
        first.upto(count) do |index|
          tangents[index] = tangents[index - 1] * (index - first) + tangents[index] * (index - first + 2)
        end
      end
      (1..count).map do |index|
        power = 4**index
        Rational(tangents[index] * (index.odd? ? 2 : -2) * index, power * (power - 1))
      end
    end

    public

    # sin(pi * x)
    def __sin_of_half_turns(x, digits)
      rest = x % 2
      sign = rest > 1 ? -1 : 1
      rest %= 1
      rest = 1 - rest if rest > BigDecimal("0.5")
      sin(rest.mult(__pi(digits), digits), digits).mult(sign, digits)
    end
  end
end
