# Rational: exact fractions in lowest terms, the sign in the numerator.
#
# Primitives:
#   rational_new(num, den)        den > 0 and no common factor: nothing is checked
#   rational_num(r)  rational_den(r)
#   rational_plus(r, o)  rational_minus(r, o)  rational_times(r, o)     nil unless both consist of small Integers
#   rational_of(a, b)             a/b of small Integers, nil of others and for b = 0
#   rational_round(r, n, mode)    r rounded to n decimals, nil unless it consists of small Integers; modes: 0 down, 1 up,
#                                 2 towards zero, 3 to the nearest and from the middle away from zero
#   rational_simplest(r, m)       the simplest Rational no further than m from r > 0, nil unless both consist of small Integers
#   rational_parse(s, strict)     the Rational that a String begins with (strict: is), or nil
#   float_rationalize(f)          the simplest Rational that reads as the same Float
#   rounding_mode(half)           :up, :even or :down
class Rational < Numeric
  # Returns the numerator.
  #   Rational(2, 4).numerator #=> 1
  def numerator = Primitive.rational_num(self)

  # Returns the denominator.
  #   Rational(2, 4).denominator #=> 2
  def denominator = Primitive.rational_den(self)

  # Returns the negative.
  #   -1r #=> (-1/1)
  def -@ = Primitive.rational_new(-Primitive.rational_num(self), Primitive.rational_den(self))

  # Returns the sum.
  #   1/2r + 1 #=> (3/2)
  def +(other)
    small = Primitive.rational_plus(self, other)
    return small if small
    num = Primitive.rational_num(self)
    den = Primitive.rational_den(self)
    if Primitive.kind_of(other, Integer)
      Primitive.rational_new(num + other * den, den)
    elsif Primitive.kind_of(other, Rational)
      other_den = Primitive.rational_den(other)
      Core.rational_reduce(num * other_den + Primitive.rational_num(other) * den, den * other_den)
    elsif Primitive.kind_of(other, Float)
      to_f + other
    else
      Core.coerced(self, other, :+)
    end
  end

  # Returns the difference.
  #   1/2r - 1 #=> (-1/2)
  def -(other)
    small = Primitive.rational_minus(self, other)
    return small if small
    num = Primitive.rational_num(self)
    den = Primitive.rational_den(self)
    if Primitive.kind_of(other, Integer)
      Primitive.rational_new(num - other * den, den)
    elsif Primitive.kind_of(other, Rational)
      other_den = Primitive.rational_den(other)
      Core.rational_reduce(num * other_den - Primitive.rational_num(other) * den, den * other_den)
    elsif Primitive.kind_of(other, Float)
      to_f - other
    else
      Core.coerced(self, other, :-)
    end
  end

  # Returns the product.
  #   2/3r * 3 #=> (2/1)
  def *(other)
    small = Primitive.rational_times(self, other)
    return small if small
    num = Primitive.rational_num(self)
    den = Primitive.rational_den(self)
    if Primitive.kind_of(other, Integer)
      Core.rational_reduce(num * other, den)
    elsif Primitive.kind_of(other, Rational)
      Core.rational_reduce(num * Primitive.rational_num(other), den * Primitive.rational_den(other))
    elsif Primitive.kind_of(other, Float)
      to_f * other
    else
      Core.coerced(self, other, :*)
    end
  end

  # Returns the quotient.
  #   1r / 3 #=> (1/3)
  def /(other)
    num = Primitive.rational_num(self)
    den = Primitive.rational_den(self)
    if Primitive.kind_of(other, Integer)
      Core.rational_divide(num, den * other)
    elsif Primitive.kind_of(other, Rational)
      Core.rational_divide(num * Primitive.rational_den(other), den * Primitive.rational_num(other))
    elsif Primitive.kind_of(other, Float)
      to_f / other
    else
      Core.coerced(self, other, :/)
    end
  end
  alias quo /

  # Returns the quotient as a Float.
  #   (1/2r).fdiv(2) #=> 0.25
  def fdiv(other)
    quotient = self / (other == 0 ? 0.0 : other)
    quotient.to_f
  end

  # Returns the power: exact for an Integer exponent.
  #   (1/2r)**-2 #=> (4/1)
  def **(other)
    return Primitive.rational_new(1, 1) if Primitive.kind_of(other, Numeric) && !Primitive.kind_of(other, Float) && other == 0
    if Primitive.kind_of(other, Rational) && Primitive.rational_den(other) == 1
      other = Primitive.rational_num(other)
    end
    return Core.rational_power(self, other) if Primitive.kind_of(other, Integer)
    return self if Primitive.kind_of(other, Rational) && self == 1
    return to_f**other if Primitive.kind_of(other, Float)
    if Primitive.kind_of(other, Rational)
      if Primitive.rational_num(self) == 0
        raise ZeroDivisionError, "divided by 0" if other < 0
        return self
      end
      return to_f**other.to_f
    end
    Core.coerced(self, other, :**)
  end

  # Compares; nil when +other+ is no number.
  #   1/2r <=> 1/3r #=> 1
  def <=>(other)
    if Primitive.kind_of(other, Integer)
      return Primitive.rational_num(self) <=> other * Primitive.rational_den(self)
    elsif Primitive.kind_of(other, Rational)
      return Primitive.rational_num(self) * Primitive.rational_den(other) <=>
        Primitive.rational_num(other) * Primitive.rational_den(self)
    elsif Primitive.kind_of(other, Float)
      return other.finite? ? self <=> other.to_r : to_f <=> other
    end
    Core.coerced_compare(self, other)
  end

  # Whether the numbers are equal.
  #   1/2r == 0.5 #=> true
  def ==(other)
    if Primitive.kind_of(other, Integer)
      Primitive.rational_den(self) == 1 && Primitive.rational_num(self) == other
    elsif Primitive.kind_of(other, Rational)
      Primitive.rational_num(self) == Primitive.rational_num(other) &&
        Primitive.rational_den(self) == Primitive.rational_den(other)
    elsif Primitive.kind_of(other, Float)
      to_f == other
    else
      other == self ? true : false
    end
  end

  # Returns [other, self] as numbers of one class.
  #   (1/2r).coerce(1) #=> [(1/1), (1/2)]
  def coerce(other)
    if Primitive.kind_of(other, Integer)
      [Primitive.rational_new(other, 1), self]
    elsif Primitive.kind_of(other, Float)
      [other, to_f]
    elsif Primitive.kind_of(other, Rational)
      [other, self]
    elsif Primitive.kind_of(other, Complex)
      return [Core.rational_from(other.real), self] if Core.exact_zero?(other.imaginary)
      [other, Primitive.complex_new(self, 0)]
    else
      raise TypeError, "#{Primitive.class_of(other)} can't be coerced into Rational"
    end
  end

  # Equal Rationals have equal hashes.
  #   (1/2r).hash == (2/4r).hash #=> true
  def hash
    Primitive.hash_mix(Primitive.hash_of(Primitive.rational_num(self)), Primitive.hash_of(Primitive.rational_den(self)))
  end

  # Whether self is greater than 0.
  #   1r.positive? #=> true
  def positive? = Primitive.rational_num(self) > 0

  # Whether self is less than 0.
  #   -1r.negative? #=> true
  def negative? = Primitive.rational_num(self) < 0

  # Returns the distance from 0.
  #   -1r.abs #=> (1/1)
  def abs = Primitive.rational_new(Primitive.rational_num(self).abs, Primitive.rational_den(self))
  alias magnitude abs

  # Cuts the fraction off.
  #   (-3/2r).to_i #=> -1
  def to_i
    small = Primitive.rational_round(self, 0, 2)
    return small if small
    num = Primitive.rational_num(self)
    num < 0 ? -(-num).div(Primitive.rational_den(self)) : num.div(Primitive.rational_den(self))
  end

  # Rounds down, to +digits+ decimals.
  #   (-3/2r).floor #=> -2
  def floor(digits = (no_digits = true; 0))
    small = Core.rational_round_small(self, digits, no_digits, 0)
    return small if small
    Core.rational_round(self, digits, no_digits) { |r| Primitive.rational_num(r).div(Primitive.rational_den(r)) }
  end

  # Rounds up, to +digits+ decimals.
  #   (3/2r).ceil #=> 2
  def ceil(digits = (no_digits = true; 0))
    small = Core.rational_round_small(self, digits, no_digits, 1)
    return small if small
    Core.rational_round(self, digits, no_digits) { |r| -(-Primitive.rational_num(r)).div(Primitive.rational_den(r)) }
  end

  # Cuts off, after +digits+ decimals.
  #   (-3/2r).truncate #=> -1
  def truncate(digits = (no_digits = true; 0))
    small = Core.rational_round_small(self, digits, no_digits, 2)
    return small if small
    Core.rational_round(self, digits, no_digits) { |r| r.to_i }
  end

  # Rounds to the nearest, to +digits+ decimals; +half+ tells where a value in the middle goes.
  #   (5/2r).round(half: :even) #=> 2
  def round(digits = (no_digits = true; 0), half: nil)
    small = Core.rational_round_small(self, digits, no_digits, 3) if half.nil?
    return small if small
    half = Primitive.rounding_mode(half)
    Core.rational_round(self, digits, no_digits) { |r| Core.rational_nearest(r, half) }
  end

  # Returns the nearest Float.
  #   (1/2r).to_f #=> 0.5
  def to_f = Primitive.rational_num(self).fdiv(Primitive.rational_den(self))

  # Returns self.
  #   1r.to_r #=> (1/1)
  def to_r = self

  # Returns the simplest Rational within +precision+ of self.
  #   (311/100r).rationalize(1/100r) #=> (28/9)
  def rationalize(precision = (no_precision = true; nil))
    return self if no_precision
    margin = precision.abs
    return -(-self).rationalize(precision) if negative?
    small = Primitive.rational_simplest(self, margin)
    return small if small
    low = self - margin
    high = self + margin
    return self if low == high
    Core.rational_simplest(low, high)
  end

  # Returns numerator and denominator with a slash.
  #   (1/2r).to_s #=> "1/2"
  def to_s = "#{Primitive.rational_num(self)}/#{Primitive.rational_den(self)}".force_encoding(Encoding::US_ASCII)

  # Returns to_s in parentheses.
  #   (1/2r).inspect #=> "(1/2)"
  def inspect = "(#{Primitive.rational_num(self)}/#{Primitive.rational_den(self)})".force_encoding(Encoding::US_ASCII)
end

module Kernel
  # Converts to a Rational, or divides two numbers.
  #   Rational("1/3") #=> (1/3)
  def Rational(a, b = (no_b = true; 1), exception: true)
    small = Primitive.rational_of(a, b) if true == exception
    return small if small
    Core.check_exception_option(exception)
    return Core.to_rational(a, b, no_b) if exception
    begin
      Core.to_rational(a, b, no_b)
    rescue ZeroDivisionError
      raise unless Core.text_over_zero?(a) || Core.text_over_zero?(b)
    rescue FloatDomainError
      raise if Core.not_finite?(a) || Core.not_finite?(b)
    rescue StandardError
      nil
    end
  end
  module_function :Rational
end

class Rational
  class << self
    private def convert(...) = Kernel.Rational(...)
  end
end

class NilClass
  # Returns zero.
  #   nil.to_r #=> (0/1)
  def to_r = Primitive.rational_new(0, 1)

  # Returns zero.
  #   nil.rationalize #=> (0/1)
  def rationalize(_precision = nil) = Primitive.rational_new(0, 1)
end

class String
  # Returns the Rational at the front, or zero.
  #   "1/3 of it".to_r #=> (1/3)
  def to_r = Primitive.rational_parse(self, false)
end

class Float
  # Returns the simplest Rational within +precision+, or the simplest that reads as the same Float.
  #   0.3.rationalize #=> (3/10)
  def rationalize(precision = (no_precision = true; nil))
    return Primitive.float_rationalize(self) if no_precision
    return -(-self).rationalize(precision) if self < 0
    margin = precision.abs
    # Float arithmetic gives the limits, so that a large margin swallows the number.
    low = self - margin
    high = self + margin
    return to_r if low == high
    Core.rational_simplest(low, high)
  end
end

# The shared halves of the methods above.
module Core
  # The Rational num/den for den > 0.
  def self.rational_reduce(num, den)
    divisor = num.gcd(den)
    return Primitive.rational_new(num, den) if divisor == 1
    Primitive.rational_new(num.div(divisor), den.div(divisor))
  end

  # The Rational num/den for any den.
  def self.rational_divide(num, den)
    raise ZeroDivisionError, "divided by 0" if den == 0
    den < 0 ? Core.rational_reduce(-num, -den) : Core.rational_reduce(num, den)
  end

  # base ** exponent for an Integer exponent other than 0.
  def self.rational_power(base, exponent)
    num = Primitive.rational_num(base)
    den = Primitive.rational_den(base)
    return Primitive.rational_new(num**exponent, den**exponent) if exponent > 0 && (num.abs != 1 || den != 1)
    return Primitive.rational_new(exponent.odd? ? num : 1, 1) if num.abs == 1 && den == 1
    raise ZeroDivisionError, "divided by 0" if num == 0
    num, den = -num, -den if num < 0
    Primitive.rational_new(den**-exponent, num**-exponent)
  end

  # Rounds small numbers; nil where the way below has to be taken.
  def self.rational_round_small(rational, digits, no_digits, mode)
    return nil unless no_digits || (Primitive.fixnum?(digits) && digits > 0)
    Primitive.rational_round(rational, digits, mode)
  end

  # Rounds with the block, after shifting by +digits+ decimals. Without digits, or with none to keep, the result is
  # an Integer.
  def self.rational_round(rational, digits, no_digits)
    return yield(rational) if no_digits
    raise TypeError, "not an integer" unless Primitive.kind_of(digits, Integer)
    return rational if rational_short_decimal?(rational, digits)
    scale = 10**digits
    result = Core.rational_from(yield(rational * scale)) / scale
    digits < 1 ? result.to_i : result
  end

  # Whether +digits+ decimals write the number in full for certain: its denominator has no other factors than 2 and 5.
  # Saves a power of ten of absurd size.
  def self.rational_short_decimal?(rational, digits)
    den = Primitive.rational_den(rational)
    bits = den.bit_length
    digits > bits && (10**bits % den).zero?
  end

  # The nearest Integer.
  def self.rational_nearest(rational, half)
    num = Primitive.rational_num(rational)
    den = Primitive.rational_den(rational)
    negative = num < 0
    quotient, rest = num.abs.divmod(den)
    middle = rest * 2 <=> den
    quotient += 1 if middle > 0 || (middle == 0 && (half == :up || (half == :even && quotient.odd?)))
    negative ? -quotient : quotient
  end

  # The Rational with the least denominator in low..high, for 0 < high; found by following the continued fraction
  # that both ends share. Where 0 is among several Integers, it is the least of these.
  def self.rational_simplest(low, high)
    whole = low.ceil
    return Primitive.rational_new(whole, 1) if whole <= high
    whole -= 1
    inner = Core.rational_simplest(1 / (high - whole), 1 / (low - whole))
    whole + 1 / inner
  end

  # An Integer or Rational as a Rational.
  def self.rational_from(number)
    Primitive.kind_of(number, Integer) ? Primitive.rational_new(number, 1) : number.to_r
  end

  # Whether this is a Float that no Rational equals.
  def self.not_finite?(number) = Primitive.kind_of(number, Float) && !number.finite?

  def self.exact_zero?(number) = !Primitive.kind_of(number, Float) && number == 0

  # Kernel#Rational.
  def self.to_rational(a, b, no_b)
    raise TypeError, "can't convert nil into Rational" if Primitive.same(a, nil) || Primitive.same(b, nil)
    a = Core.rational_operand(a)
    a = a.to_r if Primitive.kind_of(a, Complex) && a.imaginary == 0
    return Core.rational_single(a) if no_b
    a = a.to_r if Primitive.kind_of(a, Float)
    b = Core.rational_operand(b)
    b = b.to_r if Primitive.kind_of(b, Float)
    if Primitive.kind_of(a, Integer) && Primitive.kind_of(b, Integer)
      return Core.rational_divide(a, b)
    end
    a = Core.rational_part(a)
    b = Core.rational_part(b)
    # Numbers of a program's own.
    unless Primitive.kind_of(a, Integer) || Primitive.kind_of(a, Rational) || Primitive.kind_of(a, Complex)
      a = a.to_r if Primitive.responds?(a, :to_r)
    end
    a = a.to_r if Primitive.kind_of(a, Complex) && a.imaginary == 0
    return Core.rational_single(a) if Primitive.kind_of(b, Integer) && b == 1 && !Primitive.kind_of(a, Complex)
    a = Core.rational_from(a) if Primitive.kind_of(a, Integer)
    a / b
  end

  # A number as Rational divides it: strings are read, a Complex without imaginary part is its real part.
  def self.rational_operand(value)
    if Primitive.kind_of(value, String)
      parsed = Primitive.rational_parse(value, true)
      raise ArgumentError, "invalid value for convert(): #{value.inspect}" unless parsed
      return parsed
    end
    return value.real if Primitive.kind_of(value, Complex) && Core.exact_zero?(value.imaginary)
    value
  end

  # Whether this is a String such as "1/0".
  def self.text_over_zero?(value)
    Primitive.kind_of(value, String) && !Core.rational_operand(value)
  rescue ZeroDivisionError
    true
  end

  # One of two operands that may be no number.
  def self.rational_part(value)
    return value if Primitive.kind_of(value, Numeric)
    if Primitive.responds?(value, :to_r)
      fraction = value.to_r
      return fraction if Primitive.kind_of(fraction, Numeric)
    else
      text = Primitive.check_string(value)
      return Core.rational_operand(text) if text
      int = Core.check_int_or_nil(value)
      return int if int
    end
    raise TypeError, "not an integer"
  end

  def self.rational_single(value)
    return value if Primitive.kind_of(value, Rational)
    return Primitive.rational_new(value, 1) if Primitive.kind_of(value, Integer)
    unless Primitive.kind_of(value, Numeric) || Primitive.responds?(value, :to_r)
      text = Primitive.check_string(value)
      return Core.to_rational(text, 1, true) if text
      int = Core.check_int_or_nil(value)
      return Primitive.rational_new(int, 1) if int
      raise TypeError, "can't convert #{Primitive.describe(value)} into Rational"
    end
    fraction = value.to_r
    return fraction if Primitive.kind_of(fraction, Rational)
    name = Primitive.class_of(value)
    raise TypeError, "can't convert #{name} to Rational (#{name}#to_r gives #{Primitive.class_of(fraction)})"
  end

  # What to_int gives, or nil also when it raises.
  def self.check_int_or_nil(value)
    Primitive.check_int(value)
  rescue StandardError
    nil
  end

  # The exception: keyword of conversions.
  def self.check_exception_option(exception)
    return if true == exception || false == exception
    raise ArgumentError, "expected true or false as exception: #{exception.inspect}"
  end
end
