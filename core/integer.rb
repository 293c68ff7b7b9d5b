# Integer: loops and what other operations give for free. Arithmetic, comparison, bits, rounding, gcd, pow, to_s and
# Integer.sqrt are native.
class Integer
  # Calls the block with 0 up to self - 1.
  #   3.times { |i| print i } # prints 012
  def times
    return Core.enumerator_of(self, :times, :times) unless block_given?
    i = 0
    while i < self
      yield i
      i += 1
    end
    self
  end

  # Calls the block with self up to +limit+.
  #   1.upto(3).to_a #=> [1, 2, 3]
  def upto(limit)
    return Core.enumerator_counted(self, :upto, [limit], :up) unless block_given?
    Primitive.cmp_failed(self, limit) unless Primitive.fixnum?(limit) || Primitive.responds?(limit, :coerce)
    i = self
    while i <= limit
      yield i
      i += 1
    end
    self
  end

  # Calls the block with self down to +limit+.
  #   3.downto(1).to_a #=> [3, 2, 1]
  def downto(limit)
    return Core.enumerator_counted(self, :downto, [limit], :down) unless block_given?
    Primitive.cmp_failed(self, limit) unless Primitive.fixnum?(limit) || Primitive.responds?(limit, :coerce)
    i = self
    while i >= limit
      yield i
      i -= 1
    end
    self
  end

  # Returns the digits to a base, lowest first.
  #   123.digits #=> [3, 2, 1]
  def digits(base = 10)
    raise Math::DomainError, "out of domain" if self < 0
    base = Primitive.to_int(base)
    raise ArgumentError, "negative radix" if base < 0
    raise ArgumentError, "invalid radix #{base}" if base < 2
    return [0] if self == 0
    return Primitive.integer_digits(self, base) if Primitive.fixnum?(self) && Primitive.fixnum?(base)
    return Primitive.integer_large_digits(self, base) if Primitive.fixnum?(base) && base <= 36
    result = []
    rest = self
    while rest > 0
      rest, digit = rest.divmod(base)
      Primitive.array_push(result, digit)
    end
    result
  end

  # Returns what is left of dividing and cutting off: it has the sign of self.
  #   -7.remainder(2) #=> -1
  def remainder(other)
    return Primitive.integer_remainder(self, other) if Primitive.kind_of(other, Integer)
    Primitive.fixnum?(self) ? super : Core.coerced(self, other, :remainder)
  end

  # Returns the quotient rounded up.
  #   7.ceildiv(3) #=> 3
  def ceildiv(other) = -div(0 - other)

  # Whether all bits of +mask+ are set.
  #   6.allbits?(4) #=> true
  def allbits?(mask)
    mask = Primitive.to_int(mask)
    (self & mask) == mask
  end

  # Whether some bit of +mask+ is set.
  #   6.anybits?(5) #=> true
  def anybits?(mask) = (self & Primitive.to_int(mask)) != 0

  # Whether no bit of +mask+ is set.
  #   6.nobits?(1) #=> true
  def nobits?(mask) = (self & Primitive.to_int(mask)) == 0

  # Returns greatest common divisor and least common multiple.
  #   4.gcdlcm(6) #=> [2, 12]
  def gcdlcm(other) = [gcd(other), lcm(other)]

  # Returns self: an Integer is its own numerator.
  #   3.numerator #=> 3
  def numerator = self

  # Returns 1.
  #   3.denominator #=> 1
  def denominator = 1

  # Returns the equal Rational.
  #   3.to_r #=> (3/1)
  def to_r = Primitive.rational_new(self, 1)

  # Returns the equal Rational; the precision does not matter.
  #   3.rationalize #=> (3/1)
  def rationalize(_precision = nil) = Primitive.rational_new(self, 1)
end
