# Sums, products, quotients and comparisons.
class BigDecimal
  include Comparable

  def coerce(other)
    number = BigDecimal.__try(other, other.is_a?(Rational) ? [n_significant_digits, DOUBLE_FIGURES].max : 0)
    number ? [number, self] : raise(TypeError, "#{BigDecimal.__named(other)} can't be coerced into BigDecimal")
  end

  # How a message names an operand.
  def self.__named(value) = value.nil? || true == value || false == value ? value.inspect : value.class

  def +@ = self

  def -@
    return self if nan?
    return BigDecimal.__zero(@integer > 0) if zero?
    infinite? ? BigDecimal.__infinity(@integer > 0) : BigDecimal.__new(-@integer, @exponent, nil)
  end

  def abs = @integer < 0 ? -self : self

  def +(other)
    other = operand(other) { |a, b| return a + b }
    return special_sum(other) if @kind || other.__kind
    low = @exponent < other.__exponent ? @exponent : other.__exponent
    integer = shifted(@integer, @exponent - low) + shifted(other.__integer, other.__exponent - low)
    return BigDecimal.__zero(BigDecimal.__rounding == ROUND_FLOOR) if integer.zero?
    BigDecimal.__limited(integer, low)
  end

  def -(other)
    other = operand(other) { |a, b| return a - b }
    self + -other
  end

  def *(other)
    other = operand(other) { |a, b| return a * b }
    return special_product(other) if @kind || other.__kind
    BigDecimal.__limited(@integer * other.__integer, @exponent + other.__exponent)
  end

  def /(other)
    other = operand(other) { |a, b| return a / b }
    quotient(other, BigDecimal.limit)
  end

  def quo(other, digits = 0)
    digits = check_digits(digits)
    digits.zero? ? self / other : div(other, digits)
  end

  # The quotient of so many digits; an Integer, rounded down, without their number.
  def div(other, digits = nil)
    if digits.nil?
      operand(other) { |a, b| return a.div(b) }
      return divmod(other)[0].to_i
    end
    digits = check_digits(digits)
    quotient(operand(other, digits) { |a, b| return a.div(b, digits) }, digits.zero? ? BigDecimal.limit : digits)
  end

  def add(other, digits) = rounded_to(digits) { self + other }

  def sub(other, digits) = rounded_to(digits) { self - other }

  def mult(other, digits) = rounded_to(digits) { self * other }

  # The quotient rounded down, and what is left.
  def divmod(other)
    other = operand(other) { |a, b| return a.divmod(b) }
    return [BigDecimal.__nan, BigDecimal.__nan] if nan? || other.nan? || (infinite? && other.infinite?)
    raise ZeroDivisionError, "divided by 0" if other.zero?
    return [BigDecimal.__infinity(@integer * other.__integer < 0), BigDecimal.__nan] if infinite?
    return [ZERO, ZERO] if zero?
    if other.infinite?
      return (@integer < 0) == other.negative? ? [ZERO, self] : [BigDecimal.__of(-1, 0), other]
    end
    low = @exponent < other.__exponent ? @exponent : other.__exponent
    div, mod = shifted(@integer, @exponent - low).divmod(shifted(other.__integer, other.__exponent - low))
    [BigDecimal.__of(div, 0), BigDecimal.__of(mod, low)]
  end

  def %(other)
    other = operand(other) { |a, b| return a % b }
    divmod(other)[1]
  end
  alias modulo %

  # What is left of a division that is rounded towards zero.
  def remainder(other)
    other = operand(other) { |a, b| return a.remainder(b) }
    return BigDecimal.__nan if nan? || other.nan? || infinite?
    return self if other.infinite?
    return BigDecimal.__nan if other.zero?
    return self if zero?
    low = @exponent < other.__exponent ? @exponent : other.__exponent
    rest = shifted(@integer, @exponent - low).remainder(shifted(other.__integer, other.__exponent - low))
    BigDecimal.__of(rest, low)
  end

  # ---- comparisons ----

  def <=>(other)
    number = BigDecimal.__try(other, exact_digits(other))
    return compare(number) if number
    return if other.nil? || !other.respond_to?(:coerce)
    begin
      a, b = other.coerce(self)
    rescue StandardError
      return
    end
    a <=> b
  end

  def ==(other)
    number = BigDecimal.__try(other, exact_digits(other))
    return compare(number) == 0 if number
    other.is_a?(Numeric) ? other == self : false
  end
  alias === ==
  alias eql? ==

  def <(other) = order(other, :<) { |comparison| comparison < 0 }

  def <=(other) = order(other, :<=) { |comparison| comparison <= 0 }

  def >(other) = order(other, :>) { |comparison| comparison > 0 }

  def >=(other) = order(other, :>=) { |comparison| comparison >= 0 }

  private

  def shifted(integer, digits) = digits.zero? ? integer : integer * 10**digits

  # The other operand as a BigDecimal. What knows how to meet one is given to the block with it.
  def operand(other, digits = 0)
    digits = [n_significant_digits, DOUBLE_FIGURES].max * 2 if digits.zero? && other.is_a?(Rational)
    number = BigDecimal.__try(other, digits)
    return number if number
    unless other.respond_to?(:coerce)
      raise TypeError, "#{BigDecimal.__named(other)} can't be coerced into BigDecimal"
    end
    yield other.coerce(self)
  end

  def exact_digits(other) = other.is_a?(Rational) ? [n_significant_digits, DOUBLE_FIGURES].max + DOUBLE_FIGURES : 0

  def check_digits(digits)
    digits = Integer(digits)
    raise ArgumentError, "negative precision" if digits < 0
    digits
  end

  def rounded_to(digits)
    digits = check_digits(digits)
    return yield if digits.zero?
    BigDecimal.save_limit do
      BigDecimal.limit(0)
      yield.__significant(digits, BigDecimal.__rounding)
    end
  end

  def special_sum(other)
    return BigDecimal.__nan if nan? || other.nan?
    if infinite?
      return BigDecimal.__nan if other.infinite? && @integer != other.__integer
      return BigDecimal.__infinity(@integer < 0)
    end
    return BigDecimal.__infinity(other.__integer < 0) if other.infinite?
    return BigDecimal.__zero(@integer < 0 && other.__integer < 0) if zero? && other.zero?
    number = zero? ? other : self
    BigDecimal.__limited(number.__integer, number.__exponent)
  end

  def special_product(other)
    return BigDecimal.__nan if nan? || other.nan?
    is_negative = @integer * other.__integer < 0
    if infinite? || other.infinite?
      return zero? || other.zero? ? BigDecimal.__nan : BigDecimal.__infinity(is_negative)
    end
    BigDecimal.__zero(is_negative)
  end

  # With 0 digits: as many as both have, and then as a Float has, but at least twice as many as that.
  def quotient(other, digits)
    return special_quotient(other) if @kind || other.__kind
    if digits.zero?
      digits = [[n_significant_digits, other.n_significant_digits].max + DOUBLE_FIGURES, DOUBLE_FIGURES * 2].max
    end
    numerator, denominator = @integer.abs, other.__integer.abs
    # One digit more than is wanted, or none: the rounding looks at all that is left.
    shift = [digits - n_significant_digits + other.n_significant_digits, 0].max
    numerator *= 10**shift
    extra = (numerator / denominator).to_s.size - digits
    if extra > 0
      denominator *= 10**extra
      shift -= extra
    end
    is_negative = @integer * other.__integer < 0
    integer = BigDecimal.__divide(numerator, denominator, BigDecimal.__rounding, is_negative)
    BigDecimal.__of(is_negative ? -integer : integer, @exponent - other.__exponent - shift)
  end

  def special_quotient(other)
    return BigDecimal.__nan if nan? || other.nan? || (infinite? && other.infinite?)
    is_negative = @integer * other.__integer < 0
    return BigDecimal.__infinity(is_negative) if infinite?
    return BigDecimal.__zero(is_negative) if other.infinite? || (zero? && !other.zero?)
    if BigDecimal.__exceptions & EXCEPTION_ZERODIVIDE != 0
      raise ZeroDivisionError, "divided by 0"
    end
    zero? ? BigDecimal.__nan : BigDecimal.__infinity(is_negative)
  end

  # nil if one of them is no number.
  def compare(other)
    return if nan? || other.nan?
    return weight <=> other.__send__(:weight) if @kind || other.__kind
    return @integer <=> other.__integer if @exponent == other.__exponent
    return @integer <=> 0 if (@integer < 0) != (other.__integer < 0)
    return (exponent <=> other.exponent) * (@integer <=> 0) if exponent != other.exponent
    low = @exponent < other.__exponent ? @exponent : other.__exponent
    shifted(@integer, @exponent - low) <=> shifted(other.__integer, other.__exponent - low)
  end

  # Where a number stands beside zero and the infinite.
  def weight
    case @kind
    when nil then @integer <=> 0
    when :zero then 0
    else @integer * 2
    end
  end

  def order(other, operator)
    number = BigDecimal.__try(other, exact_digits(other))
    if number
      comparison = compare(number)
      return comparison ? yield(comparison) : false
    end
    unless other.respond_to?(:coerce)
      raise ArgumentError, "comparison of BigDecimal with #{BigDecimal.__named(other)} failed"
    end
    a, b = other.coerce(self)
    a.__send__(operator, b)
  end
end
