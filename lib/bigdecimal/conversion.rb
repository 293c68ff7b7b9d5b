# Making BigDecimals, and other numbers of them.
class BigDecimal
  class << self
    alias __new new
    undef_method :new
    undef_method :allocate

    # +integer+ * 10**+exponent+, without zeros at the end of the integer.
    def __of(integer, exponent)
      return ZERO if integer == 0
      while integer % 10 == 0
        if integer.abs >= 1 << 62
          zeros = integer.to_s[/0*\z/].size
          integer /= 10**zeros
          exponent += zeros
        else
          integer /= 10
          exponent += 1
        end
      end
      __new(integer, exponent, nil)
    end

    # As #__of, within the limit of digits.
    def __limited(integer, exponent)
      digits = limit
      number = __of(integer, exponent)
      digits.zero? ? number : number.__significant(digits, __rounding)
    end

    def __nan
      raise FloatDomainError, "Computation results in 'NaN' (Not a Number)" if __exceptions & EXCEPTION_NaN != 0
      NAN
    end

    def __infinity(is_negative)
      if __exceptions & EXCEPTION_INFINITY != 0
        raise FloatDomainError, "Computation results in '#{"-" if is_negative}Infinity'"
      end
      is_negative ? NEGATIVE_INFINITY : INFINITY
    end

    def __zero(is_negative) = is_negative ? NEGATIVE_ZERO : ZERO

    # The number of a Numeric; nil for what is none. +digits+ are for a Rational.
    def __try(value, digits = DOUBLE_FIGURES * 2)
      case value
      when BigDecimal then value
      when Integer then __of(value, 0)
      when Float then __of_float(value, 0)
      when Rational then __of_rational(value, digits)
      end
    end

    def __of_float(float, digits)
      return __nan if float.nan?
      return __infinity(float < 0) if float.infinite?
      return __zero(1 / float < 0) if float.zero?
      raise ArgumentError, "precision too large." if digits > DOUBLE_FIGURES
      return __of_rational(float.to_r, digits) if digits > 0
      __parse(float.to_s)
    end

    def __of_rational(rational, digits)
      __of(rational.numerator, 0).div(__of(rational.denominator, 0), digits)
    end

    NUMBER = /\A\s*+(?:(?<special>[+-]?Infinity|NaN)|(?<sign>[+-]?)(?<whole>\d+(?:_\d+)*)?(?:\.(?<fraction>\d+(?:_\d+)*))?(?:[eEdD](?<exponent>[+-]?\d+(?:_\d+)*))?)\s*\z/
    SPECIAL = {"NaN" => :__nan, "Infinity" => :__infinity, "+Infinity" => :__infinity, "-Infinity" => :__infinity}.freeze
    private_constant :NUMBER, :SPECIAL

    # The number that a text is; nil for one that is none.
    def __parse(text)
      match = NUMBER.match(text) or return
      if (special = match[:special])
        return special == "NaN" ? __nan : __infinity(special.start_with?("-"))
      end
      whole, fraction = match[:whole], match[:fraction]
      return unless whole || fraction
      fraction = fraction ? fraction.delete("_") : ""
      digits = whole ? whole.delete("_") + fraction : fraction
      integer = digits.to_i
      is_negative = match[:sign] == "-"
      return __zero(is_negative) if integer.zero?
      exponent = match[:exponent].to_i
      return exponent < 0 ? __zero(is_negative) : __infinity(is_negative) if exponent.abs >= MAX_EXPONENT
      __of(is_negative ? -integer : integer, exponent - fraction.size)
    end

    def _load(text) = __parse(text[/:(.*)\z/m, 1] || text) || raise(TypeError, "marshaled bigdecimal format differed")

    # A text as far as it is a number, as String#to_f reads one.
    def interpret_loosely(text)
      text = text.to_str
      prefix = text[/\A\s*[+-]?(?:Infinity|(?:\d+(?:_\d+)*)?(?:\.\d+(?:_\d+)*)?(?:[eEdD][+-]?\d+)?|NaN)/] || ""
      __parse(prefix) || __parse(text[/\A\s*[+-]?(?:\d+(?:_\d+)*)?(?:\.\d+)?/] || "") || ZERO
    end
  end

  # Beyond this a number is infinite, or nothing.
  MAX_EXPONENT = 1 << 62
  private_constant :MAX_EXPONENT

  # +kind+ is nil for a number, and :nan, :infinite or :zero otherwise: then the integer is its sign.
  def initialize(integer, exponent, kind)
    @integer = integer
    @exponent = exponent
    @kind = kind
    freeze
  end

  ZERO = __new(1, 0, :zero)
  NEGATIVE_ZERO = __new(-1, 0, :zero)
  private_constant :ZERO, :NEGATIVE_ZERO
  INFINITY = __new(1, 0, :infinite)
  NEGATIVE_INFINITY = __new(-1, 0, :infinite)
  private_constant :NEGATIVE_INFINITY
  NAN = __new(0, 0, :nan)

  def __integer = @integer

  def __exponent = @exponent

  def __kind = @kind

  def nan? = @kind == :nan

  def infinite? = @kind == :infinite ? @integer : nil

  def finite? = @kind.nil? || @kind == :zero

  def zero? = @kind == :zero

  def nonzero? = zero? ? nil : self

  def negative? = @kind == :zero ? false : @integer < 0

  def positive? = @kind == :zero ? false : @integer > 0

  def sign
    case @kind
    when nil then @integer < 0 ? SIGN_NEGATIVE_FINITE : SIGN_POSITIVE_FINITE
    when :zero then @integer
    when :infinite then @integer * 3
    else SIGN_NaN
    end
  end

  # How many digits the integer has.
  def n_significant_digits = @kind ? 0 : @integer.abs.to_s.size

  # Where the point is: the number is 0.DIGITS * 10**exponent.
  def exponent = @kind ? 0 : n_significant_digits + @exponent

  # How many digits it takes to write the number without an exponent; zeros in front count behind the point.
  def precision
    return 0 if @kind
    @exponent > 0 ? n_significant_digits + @exponent : [n_significant_digits, -@exponent].max
  end

  # Digits behind the point.
  def scale = @kind || @exponent >= 0 ? 0 : -@exponent

  def precision_scale = [precision, scale]

  def split
    case @kind
    when nil then [@integer <=> 0, @integer.abs.to_s, 10, exponent]
    when :zero then [@integer, "0", 10, 0]
    when :infinite then [@integer, "Infinity", 10, 0]
    else [0, "NaN", 10, 0]
    end
  end

  def clone = self

  def dup = self

  def hash = [BigDecimal, @integer, @exponent, @kind].hash

  def to_i
    __check_finite
    return 0 if @kind
    return @integer * 10**@exponent if @exponent >= 0
    -@exponent > n_significant_digits ? 0 : @integer.abs / 10**-@exponent * (@integer <=> 0)
  end
  alias to_int to_i

  def to_f
    case @kind
    when :zero then return @integer < 0 ? -0.0 : 0.0
    when :infinite then return @integer * Float::INFINITY
    when :nan then return Float::NAN
    end
    return @integer * Float::INFINITY if exponent > Float::MAX_10_EXP + 1
    return @integer < 0 ? -0.0 : 0.0 if exponent < Float::MIN_10_EXP - 20
    "#{@integer}e#{@exponent}".to_f
  end

  def to_r
    __check_finite
    return 0r if @kind
    @exponent < 0 ? Rational(@integer, 10**-@exponent) : Rational(@integer * 10**@exponent, 1)
  end

  def __check_finite
    return unless @kind == :nan || @kind == :infinite
    raise FloatDomainError, nan? ? "Computation results in 'NaN' (Not a Number)" : "Computation results in '#{"-" if @integer < 0}Infinity'"
  end

  def _dump(_level = nil) = "#{(n_significant_digits + 8) / 9 * 9 + 9}:#{self}"
end

module Kernel
  # The decimal number of a number or a text. A Float or a Rational needs the number of +digits+ to round to.
  def BigDecimal(value, digits = (is_without = true; 0), exception: true)
    raise ArgumentError, "negative precision" if digits < 0
    case value
    when BigDecimal
      return digits.zero? ? value : value.mult(1, digits)
    when Integer
      return BigDecimal.__of(value, 0)
    when Float
      return BigDecimal.__of_float(value, digits) unless is_without && value.finite? && !value.zero?
      raise ArgumentError, "can't omit precision for a Float."
    when Rational
      raise ArgumentError, "can't omit precision for a Rational." if is_without
      return BigDecimal.__of_rational(value, digits)
    when Complex
      raise ArgumentError, "Unable to make a BigDecimal from non-zero imaginary number" unless value.imaginary.zero?
      return is_without ? BigDecimal(value.real, exception:) : BigDecimal(value.real, digits, exception:)
    when nil
      raise TypeError, "can't convert nil into BigDecimal"
    end
    text = String.try_convert(value) or raise TypeError, "can't convert #{value.class} into BigDecimal"
    raise ArgumentError, "string contains null byte" if text.include?("\0")
    BigDecimal.__parse(text) or raise ArgumentError, "invalid value for BigDecimal(): #{text.inspect}"
  rescue ArgumentError, TypeError
    raise if exception
  end
  module_function :BigDecimal
end
