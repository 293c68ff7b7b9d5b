# Comparable: everything that follows from <=>.
module Comparable
  # Whether <=> gives 0, or self and other are one object.
  #   "a" == "a" #=> true
  def ==(other)
    return true if Primitive.same(self, other)
    sign = Core.recursive(self, :==, other) { self <=> other }
    return false if sign.nil? || Primitive.undef?(sign)
    Primitive.cmpint(sign, self, other) == 0
  end

  # Whether self comes after +other+.
  #   "b" > "a" #=> true
  def >(other)
    sign = self <=> other
    Primitive.cmp_failed(self, other) if sign.nil?
    Primitive.cmpint(sign, self, other) > 0
  end

  # Whether self comes after +other+ or is equal to it.
  #   "b" >= "b" #=> true
  def >=(other)
    sign = self <=> other
    Primitive.cmp_failed(self, other) if sign.nil?
    Primitive.cmpint(sign, self, other) >= 0
  end

  # Whether self comes before +other+.
  #   "a" < "b" #=> true
  def <(other)
    sign = self <=> other
    Primitive.cmp_failed(self, other) if sign.nil?
    Primitive.cmpint(sign, self, other) < 0
  end

  # Whether self comes before +other+ or is equal to it.
  #   "a" <= "a" #=> true
  def <=(other)
    sign = self <=> other
    Primitive.cmp_failed(self, other) if sign.nil?
    Primitive.cmpint(sign, self, other) <= 0
  end

  # Whether self is neither before +min+ nor after +max+.
  #   2.between?(1, 3) #=> true
  def between?(min, max)
    return false if Core.compare(self, min) < 0
    Core.compare(self, max) <= 0
  end

  # Returns the nearest of self, +min+ and +max+; a range gives both limits, and nil is no limit.
  #   5.clamp(1, 3) #=> 3
  def clamp(min, max = (no_max = true; nil))
    if no_max
      Core.check_clamp_range(min)
      max = Primitive.range_end(min)
      min = Primitive.range_begin(min)
    end
    if Primitive.fixnum?(self) && Primitive.fixnum?(min) && Primitive.fixnum?(max) && min <= max
      return self < min ? min : self > max ? max : self
    end
    if !min.nil? && !max.nil? && Core.compare(min, max) > 0
      raise ArgumentError, "min argument must be less than or equal to max argument"
    end
    unless min.nil?
      sign = Core.compare(self, min)
      return self if sign == 0
      return min if sign < 0
    end
    return max if !max.nil? && Core.compare(self, max) > 0
    self
  end
end

module Core
  # The sign of a <=> b; raises when there is none.
  def self.compare(a, b) = Primitive.cmpint(a <=> b, a, b)

  # Raises unless clamp takes the limits of a range.
  def self.check_clamp_range(range)
    unless Primitive.kind_of(range, Range)
      raise TypeError, "wrong argument type #{range.nil? ? "nil" : Primitive.class_of(range)} (expected Range)"
    end
    if Primitive.range_excl?(range) && !Primitive.range_end(range).nil?
      raise ArgumentError, "cannot clamp with an exclusive range"
    end
  end
end
