# Powers and roots.
class BigDecimal
  def **(other)
    raise TypeError, "wrong argument type NilClass" if other.nil?
    return __exact_power(other) if __simple_power?(other)
    return power(other) if BigDecimal.__try(other, 1)
    a, b = other.coerce(self)
    a**b
  end

  # The power, exact for an Integer unless +digits+ or a limit are given.
  def power(other, digits = 0)
    digits = Internal.digits(digits, :power, zero: true)
    other = Internal.number(other, digits.nonzero? || n_significant_digits)
    return Internal.nan if nan? || other.nan?
    return BigDecimal(1) if other.zero?
    return __power_of_infinite(other) if other.infinite?
    is_whole = other.frac.zero?
    is_odd = is_whole && other.__exponent == 0 && other.__integer.odd?
    if self < 0 && !is_whole && !(infinite? && other.negative?)
      raise Math::DomainError, "Computation results in complex number"
    end
    return __special_power(other, is_odd) unless __ordinary?
    result = abs.__send__(:__power, other, digits, is_whole)
    is_odd && __integer < 0 ? -result : result
  end

  # The square root. With 0: sixteen digits more than the number has.
  def sqrt(digits)
    digits = Internal.digits(digits, :sqrt, zero: true)
    return Internal.infinity if infinite? == 1
    raise FloatDomainError, "sqrt of negative value" if self < 0
    raise FloatDomainError, "sqrt of 'NaN'(Not a Number)" if nan?
    return self if zero?
    digits = __within_limit(n_significant_digits + Internal::GUARD) if digits == 0
    __root(2, digits) { |integer| Integer.sqrt(integer) }
  end

  # A root rounded to so many digits; the block answers that of an Integer, rounded down.
  def __root(degree, digits)
    Internal.check_room(digits)
    zeros = [degree * (digits + 1) - n_significant_digits, 0].max
    zeros += (__exponent - zeros) % degree
    integer = __integer.abs * 10**zeros
    root = yield integer
    exponent = (__exponent - zeros) / degree
    # One digit more says that the root is a little larger.
    root, exponent = root * 10 + 1, exponent - 1 if root**degree != integer
    BigDecimal.__of(__integer < 0 ? -root : root, exponent).mult(1, digits)
  end

  private

  # Whether a power is exact and cannot be out of range.
  def __simple_power?(other)
    other.is_a?(Integer) && other.between?(1, 0xffff) && __ordinary? && __exponent.abs < 2**40 && BigDecimal.limit == 0
  end

  def __within_limit(digits) = [digits, BigDecimal.limit.nonzero?].compact.min

  def __power_of_infinite(exponent)
    grows = self > 1 || self < -1
    if self < 0
      return BigDecimal(0) if self != -1 && grows == exponent.negative?
      raise Math::DomainError, "Result undefined for negative base raised to infinite power"
    end
    return BigDecimal(1) if self == 1
    grows == exponent.positive? ? Internal.infinity : BigDecimal(0)
  end

  # Of zero and of the infinite.
  def __special_power(exponent, is_odd)
    is_negative = is_odd && __integer < 0
    return Internal.infinity(is_negative ? -1 : 1) if zero? == exponent.negative?
    is_negative && !zero? ? -BigDecimal(0) : BigDecimal(0)
  end

  # Of a positive number.
  def __power(exponent, digits, is_whole)
    return BigDecimal(1) if self == 1
    tens = __tens_of_power(exponent)
    return tens > 0 ? Internal.infinity : BigDecimal(0) if tens.abs > 9.3e18
    return __exact_power(exponent.to_i) if is_whole && digits == 0 && BigDecimal.limit == 0
    longer = [n_significant_digits, exponent.n_significant_digits, DOUBLE_FIGURES].max
    digits = __within_limit(longer + DOUBLE_FIGURES) if digits == 0
    return __real_power(exponent, digits) unless is_whole && exponent.exponent <= 10
    number = exponent.to_i
    return __whole_power(number, digits) if number > 0
    BigDecimal(1).div(__whole_power(-number, digits + DOUBLE_FIGURES), digits)
  end

  # About the decimal logarithm of the power. It matters only where the power could be out of range.
  def __tens_of_power(exponent)
    return 0 if exponent.exponent + self.exponent.abs.to_s.size < 18
    BigMath.__log(self, DOUBLE_FIGURES).mult(exponent, DOUBLE_FIGURES).mult(Math.log10(Math::E), DOUBLE_FIGURES)
  end

  def __exact_power(number)
    Internal.check_room(number.abs * n_significant_digits) if __integer > 1
    power = BigDecimal.__of(__integer**number.abs, 0)._decimal_shift(__exponent * number.abs)
    number < 0 ? BigDecimal(1) / power : power
  end

  def __whole_power(number, digits)
    return __exact_power(number).mult(1, digits) if number * n_significant_digits < 4 * digits
    wide = digits + DOUBLE_FIGURES + number.to_s.size
    result = self
    (number.bit_length - 2).downto(0) do |bit|
      result = result.mult(result, wide)
      result = result.mult(self, wide) if number[bit] == 1
    end
    result.mult(1, digits)
  end

  # Each digit in front of the point of an exponential's argument is one less behind it.
  def __real_power(exponent, digits)
    digits_of_log = (self.exponent.abs + 1).to_s.size + 1
    wide = digits + DOUBLE_FIGURES + (exponent.exponent + digits_of_log).clamp(0..)
    BigMath.exp(BigMath.__log(self, wide).mult(exponent, wide), digits)
  end
end
