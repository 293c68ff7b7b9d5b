# Powers and roots, and the two functions that powers need.
class BigDecimal
  def **(other)
    raise TypeError, "wrong argument type NilClass (expected scalar Numeric)" if other.nil?
    number = BigDecimal.__try(other, __digits_of_rational)
    return power(number) if number
    a, b = __met(other)
    a**b
  end

  # The power, exact for an Integer unless +digits+ are given.
  def power(other, digits = nil)
    raise ArgumentError, "Zero or negative precision for exponential" if digits && digits < 0
    digits = nil if digits == 0
    unless other.is_a?(Numeric)
      raise TypeError, "wrong argument type #{BigDecimal.__named(other)} (expected scalar Numeric)"
    end
    unless (exponent = BigDecimal.__try(other, __digits_of_rational))
      a, b = __met(other)
      return a**b
    end
    return BigDecimal.__nan if nan? || exponent.nan?
    return power_of_infinite_exponent(exponent) if exponent.infinite?
    is_whole = exponent.frac.zero?
    return special_power(exponent, is_whole) unless __ordinary?
    return real_power(exponent, digits) unless is_whole
    number = exponent.to_i
    limit = digits || BigDecimal.limit.nonzero?
    return number < 0 ? BigDecimal.__of(1, 0).quo(power(-number, limit && limit + DOUBLE_FIGURES), limit || 0) : exact_power(number) unless limit
    wide = limited_power(number.abs, limit + DOUBLE_FIGURES + number.abs.to_s.size)
    number < 0 ? BigDecimal.__of(1, 0).div(wide, limit) : wide.__significant(limit, BigDecimal.__rounding)
  end

  # The square root, with at least so many digits.
  def sqrt(digits = 0)
    digits = Integer(digits)
    raise ArgumentError, "negative precision" if digits < 0
    raise FloatDomainError, "sqrt of 'NaN'(Not a Number)" if nan?
    return self if zero?
    raise FloatDomainError, "sqrt of negative value" if __integer < 0
    return self if infinite?
    wanted = [digits, n_significant_digits + DOUBLE_FIGURES, DOUBLE_FIGURES * 2].max + 2
    shift = [2 * wanted - n_significant_digits, 0].max
    shift += 1 if (__exponent - shift).odd?
    root = Integer.sqrt(__integer * 10**shift)
    BigDecimal.__of(root, (__exponent - shift) / 2).__significant(wanted - 2, ROUND_DOWN)
  end

  private

  def __digits_of_rational = [n_significant_digits, DOUBLE_FIGURES].max * 2

  # This and what is no BigDecimal, as that one coerces them.
  def __met(other)
    return other.coerce(self) if other.respond_to?(:coerce)
    raise TypeError, "#{BigDecimal.__named(other)} can't be coerced into BigDecimal"
  end

  def exact_power(number) = BigDecimal.__of(__integer**number, __exponent * number)

  def limited_power(number, digits)
    result = BigDecimal.__of(1, 0)
    factor = self
    while number > 0
      result = result.mult(factor, digits) if number.odd?
      number >>= 1
      factor = factor.mult(factor, digits) if number > 0
    end
    result
  end

  def power_of_infinite_exponent(exponent)
    size = abs <=> BigDecimal.__of(1, 0)
    raise Math::DomainError, "Result undefined for negative base raised to infinite power" if negative? && size >= 0
    return BigDecimal.__of(1, 0) if size == 0
    (size > 0) == exponent.positive? ? BigDecimal.__infinity(false) : ZERO
  end

  # Of zero and of the infinite.
  def special_power(exponent, is_whole)
    return BigDecimal.__of(1, 0) if exponent.zero?
    is_negative = __integer < 0 && is_whole && exponent.to_i.odd?
    zero? == exponent.positive? ? BigDecimal.__zero(is_negative) : BigDecimal.__infinity(is_negative)
  end

  def real_power(exponent, digits)
    raise Math::DomainError, "a non-integral exponent for a negative base" if __integer < 0
    digits ||= BigDecimal.limit.nonzero? || [n_significant_digits, exponent.n_significant_digits, DOUBLE_FIGURES].max + DOUBLE_FIGURES
    wide = digits + DOUBLE_FIGURES
    BigMath.exp(BigMath.log(self, wide).mult(exponent, wide), digits)
  end
end

module BigMath
  module_function

  # e to the power of a number.
  def exp(x, digits)
    raise ArgumentError, "Zero or negative precision for exponential" if digits <= 0
    x = BigMath.__number(x, digits)
    return x if x.nan?
    return x.positive? ? x : BigDecimal(0) if x.infinite?
    return BigDecimal(1) if x.zero?
    return BigDecimal(1).div(exp(-x, digits + 2), digits) if x.negative?
    # The series is for numbers that are small: what was divided by 2**halvings is squared so often.
    halvings = [(x.exponent * 3.33).ceil + 4, 0].max
    wide = digits + 8 + halvings
    small = x.div(BigDecimal(2**halvings), wide)
    sum = term = BigDecimal(1)
    1.step do |number|
      term = term.mult(small, wide).div(number, wide)
      break if term.zero? || term.exponent < sum.exponent - wide
      sum = sum.add(term, wide)
    end
    halvings.times { sum = sum.mult(sum, wide) }
    sum.mult(1, digits)
  end

  # The natural logarithm.
  def log(x, digits)
    raise ArgumentError, "Zero or negative precision for exponential" if digits <= 0
    raise Math::DomainError, "Complex argument for BigMath.log" if x.is_a?(Complex)
    x = BigMath.__number(x, digits)
    return x if x.nan?
    raise Math::DomainError, "Zero or negative argument for log" unless x.positive?
    return x if x.infinite?
    return BigDecimal(0) if x == 1
    wide = digits + 16
    exponent = x.exponent
    return BigMath.__log_of_small(x, wide).mult(1, digits) if exponent.between?(0, 1)
    mantissa = BigDecimal.__of(x.__integer, x.__exponent - exponent)
    sum = BigMath.__log_of_small(mantissa, wide).add(BigMath.__log_of_small(BigDecimal(10), wide).mult(exponent, wide), wide)
    sum.mult(1, digits)
  end

  # By the series of the inverse hyperbolic tangent, after square roots that bring the number near to 1.
  def self.__log_of_small(x, digits)
    roots = 0
    until (x - 1).abs < BigDecimal("0.05")
      x = x.sqrt(digits + 8)
      x = x.mult(1, digits + 8)
      roots += 1
    end
    digits += -(x - 1).exponent if x != 1
    ratio = (x - 1).div(x + 1, digits)
    square = ratio.mult(ratio, digits)
    sum = power = ratio
    3.step(by: 2) do |number|
      power = power.mult(square, digits)
      term = power.div(number, digits)
      break if term.zero? || term.exponent < sum.exponent - digits
      sum = sum.add(term, digits)
    end
    sum * 2**(roots + 1)
  end

  def self.__number(x, digits)
    BigDecimal.__try(x, digits) or raise ArgumentError, "#{x.inspect} can't be coerced into BigDecimal"
  end
end
