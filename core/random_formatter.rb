# Random::Formatter: random values in various shapes, for anything that has +bytes+ or +gen_random+. The methods of
# the standard library's random/formatter (hex, uuid, ...) are in lib/random/formatter.rb.
module Random::Formatter
  # Returns a random number: see Random.rand. Anything but a positive limit means a Float below 1.
  #   Random.random_number(10) #=> 7, for example
  def random_number(limit = nil)
    return Core.formatter_float(self) if limit.nil?
    Core.formatter_number(self, limit, false)
  end

  # Returns a random number: see Random.rand. A limit that is not positive is an error.
  #   Random.new.rand(1.5) #=> 0.6, for example
  def rand(limit = (no_limit = true; nil))
    return Core.formatter_float(self) if no_limit
    Core.formatter_number(self, limit, true)
  end
end

module Core
  # Random bytes as an Integer.
  def self.formatter_bits(source, count)
    size = (count + 7) / 8
    bytes = source.bytes(size)
    value = 0
    i = 0
    while i < size
      value = value << 8 | bytes.getbyte(i)
      i += 1
    end
    value >> (size * 8 - count)
  end

  # A Float in 0.0...1.0 with 53 random bits.
  def self.formatter_float(source) = Core.formatter_bits(source, 53).to_f / (1 << 53)

  # An Integer in 0...limit, by drawing until one is small enough.
  def self.formatter_integer(source, limit)
    count = (limit - 1).bit_length
    while true
      value = count == 0 ? 0 : Core.formatter_bits(source, count)
      return value if value < limit
    end
  end

  # A number below a limit or in a range.
  def self.formatter_number(source, limit, strict)
    return Core.formatter_in_range(source, limit, strict) if Primitive.kind_of(limit, Range)
    if Primitive.kind_of(limit, Float)
      raise Errno::EDOM if limit.nan? || limit.infinite?
      return Core.formatter_float(source) * limit if limit > 0
    else
      integer = limit.nil? ? 0 : Primitive.to_int(limit)
      return Core.formatter_integer(source, integer) if integer > 0
    end
    raise ArgumentError, "invalid argument - #{limit.inspect}" if strict
    Core.formatter_float(source)
  end

  def self.formatter_in_range(source, range, strict)
    first = Primitive.range_begin(range)
    last = Primitive.range_end(range)
    raise Errno::EDOM if first.nil? || last.nil?
    exclude = Primitive.range_excl?(range)
    span = last - first
    if Primitive.kind_of(span, Integer)
      span += 1 unless exclude
      return first + Core.formatter_integer(source, span) if span > 0
    elsif span > 0 || (span == 0 && !exclude)
      # An included end is reached by drawing from one step more.
      steps = 1 << 53
      bits = Core.formatter_integer(source, exclude ? steps : steps + 1)
      return first + span.to_f * (bits.to_f / steps)
    end
    raise ArgumentError, "invalid argument - #{range.inspect}" if strict
    Core.formatter_float(source)
  end
end
