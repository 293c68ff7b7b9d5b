# Numeric: what follows for any number from the few operations its class defines.
class Numeric
  include Comparable

  # Numbers have no methods of their own.
  def singleton_method_added(name)
    singleton_class.__send__(:remove_method, name)
    raise TypeError, "can't define singleton method \"#{name}\" for #{Primitive.class_of(self)}"
  end

  # Returns self.
  #   +1 #=> 1
  def +@ = self

  # Returns 0 - self, by way of +coerce+.
  #   -Rational(1, 2) #=> (-1/2)
  def -@
    pair = coerce(0)
    unless Primitive.kind_of(pair, Array) && Primitive.array_size(pair) == 2
      raise TypeError, "coerce must return [x, y]"
    end
    Primitive.array_at(pair, 0) - Primitive.array_at(pair, 1)
  end

  # Returns 0 for self and equal numbers, otherwise nil.
  #   Numeric.new <=> 1 #=> nil
  def <=>(other)
    Primitive.same(self, other) || Primitive.equal(self, other) ? 0 : nil
  end

  # Whether +other+ is of the same class and equal.
  #   1.eql?(1.0) #=> false
  def eql?(other)
    Primitive.same(Primitive.class_of(self), Primitive.class_of(other)) && Primitive.equal(self, other)
  end

  # Returns [other, self], both as Floats unless they are of one class.
  #   1.coerce(2.5) #=> [2.5, 1.0]
  def coerce(other)
    return [other, self] if Primitive.same(Primitive.class_of(self), Primitive.class_of(other))
    [Float(other), Float(self)]
  end

  # Returns self: numbers are immutable.
  #   1.clone #=> 1
  def clone(freeze: true)
    return self if true == freeze || nil == freeze
    raise ArgumentError, "can't unfreeze #{Primitive.class_of(self)}" if false == freeze
    raise ArgumentError, "unexpected value for freeze: #{Primitive.class_of(freeze)}"
  end

  # Returns self: numbers are immutable.
  #   1.dup #=> 1
  def dup = self

  # Whether this is an Integer.
  #   1.0.integer? #=> false
  def integer? = false

  # Whether this is no Complex.
  #   1.real? #=> true
  def real? = true

  # Whether self is neither infinite nor not a number.
  #   1.finite? #=> true
  def finite? = true

  # Returns -1 or 1 for an infinite number, otherwise nil.
  #   1.infinite? #=> nil
  def infinite? = nil

  # Whether self equals 0.
  #   0.0.zero? #=> true
  def zero? = Primitive.equal(self, 0)

  # Returns self, or nil for zero.
  #   0.nonzero? #=> nil
  def nonzero? = zero? ? nil : self

  # Whether self is greater than 0.
  #   1.positive? #=> true
  def positive? = self > 0

  # Whether self is less than 0.
  #   -1.negative? #=> true
  def negative? = self < 0

  # Returns the distance from 0.
  #   -1r.abs #=> (1/1)
  def abs = self < 0 ? -self : self
  alias magnitude abs

  # Returns the quotient rounded down.
  #   7.5.div(2) #=> 3
  def div(other)
    raise ZeroDivisionError, "divided by 0" if Primitive.same(other, 0) || other == 0
    (self / other).floor
  end

  # Returns what div leaves.
  #   7.5 % 2 #=> 1.5
  def %(other) = self - other * div(other)
  alias modulo %

  # Returns the results of div and %.
  #   7.5.divmod(2) #=> [3, 1.5]
  def divmod(other) = [div(other), self % other]

  # Returns what is left of dividing and cutting off: it has the sign of self.
  #   -7.remainder(2) #=> -1
  def remainder(other)
    number = self
    number, other = Core.coerce_pair(self, other) unless Primitive.kind_of(other, Numeric)
    rest = number % other
    if rest != 0 && ((Core.below_zero?(number) && Core.above_zero?(other)) || (Core.above_zero?(number) && Core.below_zero?(other)))
      return number if Primitive.kind_of(other, Float) && other.infinite?
      return rest - other
    end
    rest
  end

  # Returns the quotient as a Float.
  #   1.fdiv(2) #=> 0.5
  def fdiv(other) = Float(self) / other

  # Returns the most exact quotient: a Rational, or a Float when one is involved.
  #   1.quo(2) #=> (1/2)
  def quo(other)
    return Float(self) / other if Primitive.kind_of(other, Float)
    name = Primitive.class_of(self)
    fraction = Primitive.check_funcall(self, :to_r)
    raise TypeError, "can't convert #{name} into Rational" if Primitive.undef?(fraction)
    return fraction / other if Primitive.kind_of(fraction, Rational)
    raise TypeError, "can't convert #{name} to Rational (#{name}#to_r gives #{Primitive.class_of(fraction)})"
  end

  # Rounds down, to +digits+ decimals.
  #   Rational(-7, 2).floor #=> -4
  def floor(digits = 0) = Float(self).floor(digits)

  # Rounds up, to +digits+ decimals.
  #   Rational(7, 2).ceil #=> 4
  def ceil(digits = 0) = Float(self).ceil(digits)

  # Rounds to the nearest, to +digits+ decimals.
  #   Rational(7, 3).round #=> 2
  def round(digits = 0) = Float(self).round(digits)

  # Cuts off, after +digits+ decimals.
  #   Rational(-7, 2).truncate #=> -3
  def truncate(digits = 0) = Float(self).truncate(digits)

  # Returns to_i.
  #   1.5.to_int #=> 1
  def to_int = to_i

  # Returns the numerator of the equal Rational.
  #   0.5.numerator #=> 1
  def numerator = to_r.numerator

  # Returns the denominator of the equal Rational.
  #   0.5.denominator #=> 2
  def denominator = to_r.denominator

  # Returns self as a Complex.
  #   1.to_c #=> (1+0i)
  def to_c = Primitive.complex_new(self, 0)

  # Returns self times the imaginary unit.
  #   2.i #=> (0+2i)
  def i = Primitive.complex_new(0, self)

  # Returns self.
  #   1.real #=> 1
  def real = self

  # Returns 0.
  #   1.imaginary #=> 0
  def imaginary = 0
  alias_method :imag, :imaginary

  # Returns the square.
  #   -3.abs2 #=> 9
  def abs2 = self * self

  # Returns 0, or pi for a negative number.
  #   -1.arg #=> 3.141592653589793
  def arg = self < 0 ? Math::PI : 0
  alias angle arg
  alias phase arg

  # Returns [self, 0].
  #   1.rect #=> [1, 0]
  def rect = [self, 0]
  alias rectangular rect

  # Returns distance from 0 and angle.
  #   -1.polar #=> [1, 3.141592653589793]
  def polar = [abs, arg]

  # Returns self.
  #   1.conjugate #=> 1
  def conjugate = self
  alias_method :conj, :conjugate

  # Calls the block with self, self + step and so on up to +limit+; without a block returns the sequence.
  #   1.step(10, 4).to_a #=> [1, 5, 9]
  def step(limit = (no_limit = true; nil), step = (no_step = true; 1), by: (no_by = true; nil), to: (no_to = true; nil), &block)
    raise ArgumentError, "to is given twice" unless no_to || no_limit
    raise ArgumentError, "step is given twice" unless no_by || no_step
    limit = to unless no_to
    step = by.nil? ? 1 : by unless no_by
    if block
      raise ArgumentError, "step can't be 0" if step == 0
      Core.numeric_step(self, limit, step, &block)
      return self
    end
    given = no_limit ? [] : (no_step ? [limit] : [limit, step])
    options = Core.step_options(by, no_by, to, no_to)
    raise ArgumentError, "step can't be 0" if step == 0
    if (limit.nil? || Primitive.kind_of(limit, Numeric)) && (step.nil? || Primitive.kind_of(step, Numeric))
      return Core.sequence(self, :step, given, options, self, limit, step.nil? ? 1 : step, false)
    end
    enum = Core.enumerator(self, :step, given) { Core.sequence_size(self, limit, Core.step_number(self, step), false) }
    Core.enumerator_set_kwargs(enum, options) if options
    enum
  end
end

module Core
  # The keywords of Numeric#step, for inspect.
  def self.step_options(by, no_by, to, no_to)
    return nil if no_by && no_to
    options = {}
    Primitive.hash_set(options, :by, by) unless no_by
    Primitive.hash_set(options, :to, to) unless no_to
    options
  end

  # A step that is no number has to be comparable with 0: this raises where it is not.
  def self.step_number(number, step)
    step > 0 unless Primitive.kind_of(step, Numeric)
    step
  end

  # Numeric#step with a block.
  def self.numeric_step(number, limit, step, &block)
    if Primitive.fixnum?(number) && Primitive.fixnum?(step) && Primitive.fixnum?(limit)
      if step > 0
        while number <= limit
          yield number
          number += step
        end
      else
        while number >= limit
          yield number
          number += step
        end
      end
      return
    end
    raise TypeError, "step must be numeric" if step.nil?
    if Primitive.kind_of(step, Numeric)
      Core.compare(step, 0)
    else
      raise TypeError, "0 can't be coerced into #{Primitive.class_of(step)}" unless Primitive.responds?(step, :>)
      step > 0
    end
    Core.sequence_each(number, limit, step, false, &block)
  end

  # Whether an object that may be no number is less than 0; what cannot tell is an error.
  def self.below_zero?(object)
    Primitive.cmp_failed(object, 0) unless Primitive.responds?(object, :<)
    object < 0
  end

  def self.above_zero?(object)
    Primitive.cmp_failed(object, 0) unless Primitive.responds?(object, :>)
    object > 0
  end

  # Lets +b+ decide how a number operates with it.
  def self.coerced(a, b, operation)
    x, y = Core.coerce_pair(a, b)
    x.__send__(operation, y)
  end

  # [a, b] as b.coerce(a) gives them.
  def self.coerce_pair(a, b)
    unless Primitive.responds?(b, :coerce)
      text = case b
             when nil, true, false, Symbol then b.inspect
             else Primitive.class_of(b)
             end
      raise TypeError, "#{text} can't be coerced into #{Primitive.class_of(a)}"
    end
    pair = b.coerce(a)
    unless Primitive.kind_of(pair, Array) && Primitive.array_size(pair) == 2
      raise TypeError, "coerce must return [x, y]"
    end
    pair
  end

  # a <=> b by way of b.coerce(a), or nil.
  def self.coerced_compare(a, b)
    return nil unless Primitive.responds?(b, :coerce)
    pair = b.coerce(a)
    return nil if pair.nil?
    unless Primitive.kind_of(pair, Array) && Primitive.array_size(pair) == 2
      raise TypeError, "coerce must return [x, y]"
    end
    Primitive.array_at(pair, 0) <=> Primitive.array_at(pair, 1)
  end
end
