# Complex: numbers with a real and an imaginary part, each any real number.
#
# Primitives:
#   complex_new(real, imaginary)      nothing is checked
#   complex_of(class, c)              c as an instance of a derived class
#   complex_like(n, real, imaginary)  nothing is checked; of the class of the Complex n
#   complex_as(n, c)                  c as an instance of the class of the Complex n
#   complex_real(c)  complex_imag(c)
#   complex_plain(a, b)               the Complex of two Integers or Floats, nil of other parts
#   complex_plus(c, d)  complex_minus(c, d)
#                                     the sum and the difference if all parts are small Integers, or all are finite Floats,
#                                     and nobody redefined the operators; else nil
#   complex_times(c, d)               the product, likewise
#   complex_divide(c, d)              the quotient if all parts are finite Floats; else nil
#   complex_parse(s, strict)          the Complex that a String begins with (strict: is), or nil
#   float_negative?(f)                the sign bit
class Complex < Numeric
  class << self
    # Makes a Complex of real and imaginary part.
    #   Complex.rect(1, 2) #=> (1+2i)
    def rect(real, imaginary = 0)
      plain = Primitive.complex_plain(real, imaginary) ||
        Primitive.complex_new(Core.complex_part(real), Core.complex_part(imaginary))
      Primitive.same(self, Complex) ? plain : Primitive.complex_of(self, plain)
    end
    alias rectangular rect

    # Makes a Complex of distance from 0 and angle.
    #   Complex.polar(1, Math::PI / 2) #=> (0.0+1i)
    def polar(distance, angle = 0)
      plain = Core.complex_polar(Core.complex_part(distance), Core.complex_part(angle))
      Primitive.same(self, Complex) ? plain : Primitive.complex_of(self, plain)
    end

    private def convert(number, *rest, **options)
      made = Kernel.Complex(number, *rest, **options)
      is_of_parts = Primitive.kind_of(made, Complex) && Core.real?(number) && (rest.empty? || Core.real?(rest[0]))
      is_of_parts && !Primitive.same(self, Complex) ? Primitive.complex_of(self, made) : made
    end
  end

  undef_method :%, :<, :<=, :>, :>=, :between?, :clamp, :div, :divmod, :floor, :ceil, :modulo, :remainder, :round,
               :step, :truncate, :i, :positive?, :negative?

  # Returns the real part.
  #   Complex(1, 2).real #=> 1
  def real = Primitive.complex_real(self)

  # Returns the imaginary part.
  #   Complex(1, 2).imaginary #=> 2
  def imaginary = Primitive.complex_imag(self)
  alias imag imaginary

  # Returns the negative.
  #   -Complex(1, 2) #=> (-1-2i)
  def -@ = Primitive.complex_like(self, -real, -imaginary)

  # Returns the sum.
  #   Complex(1, 2) + 1 #=> (2+2i)
  def +(other)
    if Primitive.kind_of(other, Complex)
      plain = Primitive.complex_plus(self, other)
      return plain if plain
      return Primitive.complex_like(self, real.__send__(:+, other.real), imaginary.__send__(:+, other.imaginary))
    end
    return Primitive.complex_like(self, real.__send__(:+, other), imaginary) if Core.real?(other)
    Core.coerced(self, other, :+)
  end

  # Returns the difference.
  #   Complex(1, 2) - 1 #=> (0+2i)
  def -(other)
    if Primitive.kind_of(other, Complex)
      plain = Primitive.complex_minus(self, other)
      return plain if plain
      return Primitive.complex_like(self, real.__send__(:-, other.real), imaginary.__send__(:-, other.imaginary))
    end
    return Primitive.complex_like(self, real.__send__(:-, other), imaginary) if Core.real?(other)
    Core.coerced(self, other, :-)
  end

  # Returns the product.
  #   Complex(1, 2) * Complex(0, 1) #=> (-2+1i)
  def *(other)
    if Primitive.kind_of(other, Complex)
      plain = Primitive.complex_times(self, other)
      return plain if plain
      a = real
      b = imaginary
      c = other.real
      d = other.imaginary
      return Primitive.complex_like(self, Core.safe_mul(a, c).__send__(:-, Core.safe_mul(b, d)),
                                   Core.safe_mul(a, d).__send__(:+, Core.safe_mul(b, c)))
    end
    return Primitive.complex_like(self, real.__send__(:*, other), imaginary.__send__(:*, other)) if Core.real?(other)
    Core.coerced(self, other, :*)
  end

  # Returns the quotient: exact for exact parts.
  #   Complex(1, 2) / 2 #=> ((1/2)+1i)
  def /(other)
    return Core.complex_divide(self, other) if Primitive.kind_of(other, Complex)
    if Core.real?(other)
      return Primitive.complex_like(self, Core.quotient(real, other), Core.quotient(imaginary, other))
    end
    Core.coerced(self, other, :/)
  end
  alias quo /

  # Returns the quotient with Float parts.
  #   Complex(1, 2).fdiv(2) #=> (0.5+1.0i)
  def fdiv(other)
    return Core.complex_fdivide(self, other) if Primitive.kind_of(other, Complex)
    return Core.coerced(self, other, :fdiv) unless Primitive.kind_of(other, Numeric)
    Primitive.complex_like(self, real.fdiv(other), imaginary.fdiv(other))
  end

  # Returns the power.
  #   Complex(0, 1)**2 #=> (-1+0i)
  def **(other)
    return Primitive.complex_like(self, 1, 0) if Primitive.kind_of(other, Numeric) && Core.exact_zero?(other)
    other = other.numerator if Primitive.kind_of(other, Rational) && other.denominator == 1
    other = other.real if Primitive.kind_of(other, Complex) && Core.exact_zero?(other.imaginary)
    return Primitive.complex_like(self, real, imaginary) if Primitive.same(other, 1)
    turn = Core.complex_turn(self) if Primitive.kind_of(other, Integer)
    return Primitive.complex_as(self, Core.complex_power_turn(self, turn, other)) if turn
    return Primitive.complex_as(self, Core.complex_power_complex(self, other)) if Primitive.kind_of(other, Complex)
    if Primitive.kind_of(other, Integer)
      return Core.complex_power_integer(self, other) if Primitive.fixnum?(other)
      warn("in a**b, b may be too big", uplevel: 0)
    end
    if Core.real?(other)
      distance, angle = polar
      return Primitive.complex_as(self, Core.complex_polar(distance**other, angle * other))
    end
    Core.coerced(self, other, :**)
  end

  # Whether both parts are equal.
  #   Complex(1, 0) == 1 #=> true
  def ==(other)
    return real == other.real && imaginary == other.imaginary if Primitive.kind_of(other, Complex)
    return real == other && imaginary == 0 if Core.real?(other)
    other == self ? true : false
  end

  # Compares the real parts of numbers without imaginary parts; otherwise nil.
  #   Complex(1) <=> 2 #=> -1
  def <=>(other)
    return nil unless imaginary == 0
    return other.imaginary == 0 ? real <=> other.real : nil if Primitive.kind_of(other, Complex)
    return real <=> other if Core.real?(other)
    Primitive.kind_of(other, Numeric) ? Core.coerced_compare(self, other) : nil
  end

  # Returns [other, self] as Complexes.
  #   Complex(1, 2).coerce(3) #=> [(3+0i), (1+2i)]
  def coerce(other)
    return [other, self] if Primitive.kind_of(other, Complex)
    return [Primitive.complex_like(self, other, 0), self] if Core.real?(other)
    raise TypeError, "#{Primitive.class_of(other)} can't be coerced into Complex"
  end

  # Whether +other+ is a Complex with parts of the same classes and equal.
  #   Complex(1, 2).eql?(Complex(1, 2.0)) #=> false
  def eql?(other)
    Primitive.kind_of(other, Complex) &&
      Primitive.same(Primitive.class_of(real), Primitive.class_of(other.real)) &&
      Primitive.same(Primitive.class_of(imaginary), Primitive.class_of(other.imaginary)) && self == other
  end

  # Complexes that are eql? have equal hashes.
  #   Complex(1, 2).hash == Complex(1, 2).hash #=> true
  def hash = Primitive.hash_mix(Primitive.hash_of(real), Primitive.hash_of(imaginary))

  # Returns the distance from 0.
  #   Complex(3, 4).abs #=> 5.0
  def abs
    x = real
    y = imaginary
    return Primitive.kind_of(x, Float) && !Primitive.kind_of(y, Float) ? y.abs.to_f : y.abs if x == 0
    return Primitive.kind_of(y, Float) && !Primitive.kind_of(x, Float) ? x.abs.to_f : x.abs if y == 0
    Math.hypot(x, y)
  end
  alias magnitude abs

  # Returns the square of the distance from 0.
  #   Complex(3, 4).abs2 #=> 25
  def abs2 = real * real + imaginary * imaginary

  # Returns the angle.
  #   Complex(0, 1).arg #=> 1.5707963267948966
  def arg = Math.atan2(imaginary, real)
  alias angle arg
  alias phase arg

  # Returns [abs, arg].
  #   Complex(0, 1).polar #=> [1.0, 1.5707963267948966]
  def polar = [abs, arg]

  # Returns [real, imaginary].
  #   Complex(1, 2).rect #=> [1, 2]
  def rect = [real, imaginary]
  alias rectangular rect

  # Returns the conjugate.
  #   Complex(1, 2).conj #=> (1-2i)
  def conj = Primitive.complex_like(self, real, -imaginary)
  alias conjugate conj

  # Returns false: see Numeric#real?.
  #   Complex(1).real? #=> false
  def real? = false

  # Whether both parts are finite.
  #   Complex(1, 2).finite? #=> true
  def finite? = real.finite? && imaginary.finite?

  # Returns 1 when a part is infinite, otherwise nil.
  #   Complex(1, 2).infinite? #=> nil
  def infinite? = real.infinite? || imaginary.infinite? ? 1 : nil

  # Returns the least common denominator of the parts.
  #   Complex(1/2r, 1/3r).denominator #=> 6
  def denominator = real.denominator.lcm(imaginary.denominator)

  # Returns self times the denominator.
  #   Complex(1/2r, 1/3r).numerator #=> (3+2i)
  def numerator
    common = denominator
    Primitive.complex_like(self, real.numerator * (common / real.denominator),
                          imaginary.numerator * (common / imaginary.denominator))
  end

  # Returns self.
  #   Complex(1).to_c #=> (1+0i)
  def to_c = self

  # Returns the real part as an Integer; the imaginary part has to be an exact 0.
  #   Complex(1).to_i #=> 1
  def to_i = Core.complex_to_real(self, "Integer").to_i

  # Returns the real part as a Float; the imaginary part has to be an exact 0.
  #   Complex(1).to_f #=> 1.0
  def to_f = Core.complex_to_real(self, "Float").to_f

  # Returns the real part as a Rational; the imaginary part has to be 0.
  #   Complex(1).to_r #=> (1/1)
  def to_r
    unless Core.exact_zero?(imaginary) || imaginary == 0
      part = imaginary.to_r if Primitive.responds?(imaginary, :to_r)
      raise RangeError, "can't convert #{self} into Rational" unless Primitive.kind_of(part, Rational) && part == 0
    end
    real.to_r
  end

  # Returns the real part as a simple Rational; the imaginary part has to be an exact 0.
  #   Complex(0.3).rationalize #=> (3/10)
  def rationalize(*precision)
    Core.arity_error(Primitive.array_size(precision), "0..1") if Primitive.array_size(precision) > 1
    Core.complex_to_real(self, "Rational").rationalize(*precision)
  end

  # Returns both parts.
  #   Complex(1, -2).to_s #=> "1-2i"
  def to_s = Core.complex_text(real.to_s, imaginary, Core.part_abs(imaginary).to_s)

  # Returns both parts in parentheses.
  #   Complex(1/2r, 2).inspect #=> "((1/2)+2i)"
  def inspect
    "(#{Core.complex_text(real.inspect, imaginary, Core.part_abs(imaginary).inspect)})".force_encoding(Encoding::US_ASCII)
  end

  # The imaginary unit.
  I = Primitive.complex_new(0, 1)
end

module Kernel
  # Converts to a Complex, or joins two parts.
  #   Complex("1+2i") #=> (1+2i)
  def Complex(a, b = (no_b = true; nil), exception: true)
    plain = Primitive.complex_plain(a, b) if true == exception
    return plain if plain
    Core.check_exception_option(exception)
    return Core.to_complex(a, b, no_b) if exception
    begin
      joined = Core.to_complex(a, b, no_b)
      is_plain = no_b || !Core.real_part?(a) || !Core.real_part?(b) || Core.plain_part?(b)
      is_plain ? joined : nil
    rescue StandardError => error
      raise if Primitive.kind_of(error, EncodingError)
      raise if Primitive.kind_of(error, TypeError) && !Primitive.same(a, nil) && Core.plain_part?(b)
      nil
    end
  end
  module_function :Complex
end

class NilClass
  # Returns zero.
  #   nil.to_c #=> (0+0i)
  def to_c = Primitive.complex_new(0, 0)
end

class String
  # Returns the Complex at the front, or zero.
  #   "1+2i and more".to_c #=> (1+2i)
  def to_c = Primitive.complex_parse(self, false)
end

# The shared halves of the methods above.
module Core
  # Whether this is a number other than Complex.
  def self.real?(value) = Primitive.kind_of(value, Numeric) && value.real?

  # Whether this is a number that has no imaginary part, or 0 for one.
  def self.real_part?(value) = Primitive.kind_of(value, Complex) ? value.imaginary == 0 : Core.real?(value)

  # A part has to be a real number.
  def self.complex_part(value)
    return value if Primitive.kind_of(value, Integer) || Primitive.kind_of(value, Float)
    return value if Core.real?(value)
    return value.real if Primitive.kind_of(value, Complex) && value.imaginary == 0
    raise TypeError, "not a real"
  end

  # The Complex at a distance and angle, exact for the angles 0, pi and pi/2.
  def self.complex_polar(distance, angle)
    return Primitive.complex_new(distance, 0.0) if angle == 0 || distance == 0
    if Primitive.kind_of(angle, Float)
      return Primitive.complex_new(-distance, 0.0) if angle == Math::PI
      return Primitive.complex_new(0.0, distance) if angle == Math::PI / 2
    end
    Primitive.complex_new(distance * Math.cos(angle), distance * Math.sin(angle))
  end

  # A product in which an infinite factor meets a Float zero as a signed unit, so that no NaN arises from it.
  def self.safe_mul(a, b)
    if a != 0
      a = a < 0 ? -1.0 : 1.0 if b == 0 && Primitive.kind_of(a, Float) && !a.nan?
    elsif b != 0
      b = b < 0 ? -1.0 : 1.0 if Primitive.kind_of(b, Float) && !b.nan?
    end
    a.__send__(:*, b)
  end

  # The exact quotient of exact numbers, an Integer when it is one.
  def self.quotient(a, b)
    result = a.quo(b)
    Primitive.kind_of(result, Rational) && result.denominator == 1 ? result.numerator : result
  end

  # Complex division by the smaller part's ratio to the larger, which avoids overflow.
  def self.complex_divide(a, b)
    plain = Primitive.complex_divide(a, b)
    return plain if plain
    c = b.real
    d = b.imaginary
    if c.abs > d.abs
      ratio = Core.quotient(d, c)
      n = c * (1 + ratio * ratio)
      x = Core.quotient(a.real + a.imaginary * ratio, n)
      y = Core.quotient(a.imaginary - a.real * ratio, n)
    else
      ratio = Core.quotient(c, d)
      n = d * (1 + ratio * ratio)
      x = Core.quotient(a.real * ratio + a.imaginary, n)
      y = Core.quotient(a.imaginary * ratio - a.real, n)
    end
    Primitive.complex_like(a, x, y)
  end

  # The same in Floats.
  def self.complex_fdivide(a, b)
    c = b.real
    d = b.imaginary
    if c.abs > d.abs
      ratio = d.fdiv(c)
      n = c * (1 + ratio * ratio)
      x = (a.real + a.imaginary * ratio).fdiv(n)
      y = (a.imaginary - a.real * ratio).fdiv(n)
    else
      ratio = c.fdiv(d)
      n = d * (1 + ratio * ratio)
      x = (a.real * ratio + a.imaginary).fdiv(n)
      y = (a.imaginary * ratio - a.real).fdiv(n)
    end
    Primitive.complex_like(a, x, y)
  end

  def self.complex_power_complex(base, other)
    distance, angle = base.polar
    log = Math.log(distance)
    Core.complex_polar(Math.exp(other.real * log - other.imaginary * angle),
                            angle * other.real + other.imaginary * log)
  end

  # Repeated squaring; a negative exponent takes the reciprocal.
  def self.complex_power_integer(base, exponent)
    return Core.complex_power_integer(Core.complex_divide(Primitive.complex_like(base, 1, 0), base), -exponent) if exponent < 0
    result = nil
    while exponent > 0
      result = result ? result * base : base if exponent.odd?
      exponent >>= 1
      base *= base if exponent > 0
    end
    result
  end

  # The angle in eighths of a turn, if it is a number of them; otherwise nil.
  def self.complex_turn(base)
    x = base.real
    y = base.imaginary
    return x.negative? ? 4 : 0 if y == 0
    return y.negative? ? 6 : 2 if x == 0
    return nil unless x.abs == y.abs
    y.negative? ? (x.negative? ? 5 : 7) : (x.negative? ? 3 : 1)
  end

  # A power whose angle is a number of eighths as well: one power of a real number.
  def self.complex_power_turn(base, turn, exponent)
    part = turn == 2 || turn == 6 ? base.imaginary : base.real
    part = -part if part.negative?
    if turn.even?
      size = part**exponent
    else
      size = (2 * part * part)**(exponent / 2)
      size *= part if exponent.odd?
    end
    turn = turn * exponent % 8
    zero = Primitive.kind_of(size, Float) ? 0.0 : size * 0
    real = turn == 2 || turn == 6 ? zero : (turn > 2 && turn < 6 ? -size : size)
    imaginary = turn == 0 || turn == 4 ? zero : (turn < 4 ? size : -size)
    Primitive.complex_new(real, imaginary)
  end

  # The real part of a Complex without imaginary part.
  def self.complex_to_real(complex, name)
    return complex.real if Core.exact_zero?(complex.imaginary)
    raise RangeError, "can't convert #{complex} into #{name}"
  end

  # The absolute value; -0.0 becomes 0.0.
  def self.part_abs(part) = part.abs

  # "1+2i" from the texts of the parts. NaN and Infinity are set off by a star.
  def self.complex_text(real, imaginary, text)
    negative = Primitive.kind_of(imaginary, Float) ? !imaginary.nan? && Primitive.float_negative?(imaginary) : imaginary < 0
    star = (48..57).include?(text.getbyte(-1)) ? "" : "*"
    "#{real}#{negative ? "-" : "+"}#{text}#{star}i".force_encoding(Encoding::US_ASCII)
  end

  # A Complex whose imaginary part is exactly 0 is its real part.
  def self.complex_real_part(value)
    is_real = Primitive.kind_of(value, Complex) && Primitive.kind_of(value.imaginary, Integer) && value.imaginary == 0
    is_real ? value.real : value
  end

  # Whether the second argument of Complex is an Integer, Float or Rational, or a Complex or String that is one.
  def self.plain_part?(value)
    value = Primitive.complex_parse(value, true) if Primitive.kind_of(value, String)
    value = Core.complex_real_part(value)
    Primitive.kind_of(value, Integer) || Primitive.kind_of(value, Float) || Primitive.kind_of(value, Rational)
  end

  # Kernel#Complex.
  def self.to_complex(a, b, no_b)
    raise TypeError, "can't convert nil into Complex" if Primitive.same(a, nil) || (!no_b && Primitive.same(b, nil))
    a = Core.complex_operand(a)
    b = Core.complex_operand(b) unless no_b
    if no_b
      return a if Primitive.kind_of(a, Numeric) && !a.real?
      return Primitive.complex_new(a, 0) if Core.real?(a)
      return a.to_c if Primitive.responds?(a, :to_c)
      raise TypeError, "can't convert #{Primitive.describe(a)} into Complex"
    end
    unless Primitive.kind_of(a, Numeric) && Primitive.kind_of(b, Numeric)
      raise TypeError, "not a real"
    end
    return Primitive.complex_new(Core.complex_part(a), Core.complex_part(b)) if Core.real_part?(a) && Core.real_part?(b)
    a + b * Primitive.complex_new(0, 1)
  end

  # An argument of Complex: strings are read.
  def self.complex_operand(value)
    return value unless Primitive.kind_of(value, String)
    parsed = Primitive.complex_parse(value, true)
    raise ArgumentError, "invalid value for convert(): #{value.inspect}" unless parsed
    parsed
  end
end
