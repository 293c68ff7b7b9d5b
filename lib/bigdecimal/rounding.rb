# Fewer digits.
class BigDecimal
  # The quotient of two positive Integers, rounded.
  def self.__divide(numerator, denominator, mode, is_negative)
    quotient, rest = numerator.divmod(denominator)
    return quotient if rest.zero?
    rounds_up =
      case mode
      when ROUND_UP then true
      when ROUND_DOWN then false
      when ROUND_CEILING then !is_negative
      when ROUND_FLOOR then is_negative
      else
        half = rest * 2 <=> denominator
        half > 0 || half == 0 && (mode == ROUND_HALF_UP || mode == ROUND_HALF_EVEN && quotient.odd?)
      end
    rounds_up ? quotient + 1 : quotient
  end

  # Rounded to so many significant digits.
  def __significant(digits, mode)
    extra = n_significant_digits - digits
    @kind || extra <= 0 ? self : __drop(extra, mode)
  end

  # Without the last +count+ digits of the integer.
  def __drop(count, mode)
    is_negative = @integer < 0
    # Beyond its digits only the sign and the half matter.
    divisor = 10**(count > n_significant_digits ? n_significant_digits + 1 : count)
    integer = BigDecimal.__divide(@integer.abs, divisor, mode, is_negative)
    return BigDecimal.__zero(is_negative) if integer.zero?
    BigDecimal.__of(is_negative ? -integer : integer, @exponent + count)
  end

  # Rounded to so many digits behind the point.
  def __behind_point(digits, mode)
    count = -@exponent - digits
    @kind || count <= 0 ? self : __drop(count, mode)
  end

  # An Integer, unless digits behind the point or a mode are given.
  def round(digits = (is_without = true; 0), mode = (has_no_mode = true; nil))
    if digits.is_a?(Hash)
      mode, digits, has_no_mode = digits, 0, false
    end
    mode = BigDecimal.__rounding_mode(mode)
    digits = int(digits)
    return __behind_point(digits, mode) unless is_without || has_no_mode && digits < 1
    __check_finite
    __behind_point(digits, mode).to_i
  end

  def truncate(digits = (is_without = true; 0)) = cut(digits, is_without, ROUND_DOWN)

  def floor(digits = (is_without = true; 0)) = cut(digits, is_without, ROUND_FLOOR)

  def ceil(digits = (is_without = true; 0)) = cut(digits, is_without, ROUND_CEILING)

  # What stands before the point.
  def fix = __behind_point(0, ROUND_DOWN)

  # What stands behind the point.
  def frac
    return self if @kind
    return BigDecimal.__zero(@integer < 0) if @exponent >= 0
    return self if -@exponent >= n_significant_digits
    rest = @integer.abs % 10**-@exponent
    BigDecimal.__of(@integer < 0 ? -rest : rest, @exponent)
  end

  private

  def cut(digits, is_without, mode)
    digits = int(digits)
    return __behind_point(digits, mode) unless is_without
    __check_finite
    __behind_point(0, mode).to_i
  end

  def int(digits)
    return digits if digits.is_a?(Integer)
    raise TypeError, "no implicit conversion from nil to integer" if digits.nil?
    raise TypeError, "no implicit conversion of #{digits.class} into Integer" unless digits.respond_to?(:to_int)
    digits.to_int
  end
end
