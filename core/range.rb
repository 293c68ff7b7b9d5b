# Range: iteration, membership and search. The three fields are native:
#   range_begin(r)  range_end(r)  range_excl?(r)
#   range_core_each?(r)       whether its each is the original one
#   range_last(o)             the last Integer that o gives, if it is a range of small ones with the original each, or nil
#   range_holds(r, v)         whether v lies between two others, all small Integers or all Floats; nil for other limits and values
#   range_covers(r, v)        the same, and for Strings by their order
#   range_integers(a, b)      an array of the small Integers from a to b
#   float_middle(a, b)        the Float with as many Floats between it and a as between it and b
#   float_neighbour(f, n)     the next Float (1) or the one before (-1)
#   range_init(r, first, last, exclude)       sets the fields; raises FrozenError/NameError when they are set
class Range
  include Enumerable

  # Makes a range. The limits have to be comparable, or nil.
  #   Range.new(1, 3, true) #=> 1...3
  def initialize(first, last, exclude_end = false)
    Core.range_check(first, last)
    Primitive.range_init(self, first, last, exclude_end ? true : false)
    nil
  end

  # Returns the first limit, or nil.
  #   (1..3).begin #=> 1
  def begin = Primitive.range_begin(self)

  # Returns the last limit, or nil.
  #   (1..3).end #=> 3
  def end = Primitive.range_end(self)

  # Whether the last limit is left out.
  #   (1...3).exclude_end? #=> true
  def exclude_end? = Primitive.range_excl?(self)

  # Calls the block with each value.
  #   (1..3).each { |x| p x }
  def each
    unless block_given?
      return Core.enumerator(self, :each, Core::NO_ARGUMENTS) { Core.range_size(self) }
    end
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    if Primitive.fixnum?(first) && Primitive.fixnum?(last)
      last -= 1 if Primitive.range_excl?(self)
      while first <= last
        yield first
        first += 1
      end
    else
      Core.range_each(first, last, Primitive.range_excl?(self)) { |value| yield value }
    end
    self
  end

  # Calls the block with each value, last first.
  #   (1..3).reverse_each.to_a #=> [3, 2, 1]
  def reverse_each
    unless block_given?
      return Core.enumerator(self, :reverse_each, Core::NO_ARGUMENTS) { Core.range_reverse_size(self) }
    end
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    raise TypeError, "can't iterate from #{Primitive.class_of(last)}" if last.nil?
    return super unless Primitive.kind_of(last, Integer) && (first.nil? || Primitive.kind_of(first, Integer))
    last -= 1 if Primitive.range_excl?(self)
    while first.nil? || last >= first
      yield last
      last -= 1
    end
    self
  end

  # Calls the block with every value that +step+ leads to; without a block returns an enumerator.
  #   (1..10).step(4).to_a #=> [1, 5, 9]
  def step(step = (no_step = true; nil), &block)
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    if block_given? && Primitive.fixnum?(first) && Primitive.fixnum?(last) && Primitive.fixnum?(step) && step > 0
      last -= 1 if Primitive.range_excl?(self)
      while first <= last
        yield first
        first += step
      end
      return self
    end
    exclude = Primitive.range_excl?(self)
    numeric = Core.range_numeric?(first, last)
    if no_step
      unless numeric || Primitive.kind_of(first, Numeric) || Core.stringy?(first)
        raise ArgumentError, "step is required for non-numeric ranges"
      end
      step = 1
    end
    if Primitive.kind_of(step, Numeric) && Primitive.kind_of(first, Numeric) && step == 0
      raise ArgumentError, "step can't be 0"
    end
    unless block
      args = no_step ? [] : [step]
      if numeric && Primitive.kind_of(step, Numeric)
        return Core.sequence(self, :step, args, nil, first, last, step, exclude)
      end
      raise ArgumentError, "#step for non-numeric beginless ranges is meaningless" if first.nil?
      return Core.enumerator(self, :step, args)
    end
    raise ArgumentError, "#step iteration for beginless ranges is meaningless" if first.nil?
    Core.range_step(self, first, last, exclude, step, &block)
    self
  end

  # The same as +step+.
  #   ((1..10) % 4).to_a #=> [1, 5, 9]
  def %(step, &block)
    return self.step(step, &block) if block
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    if Core.range_numeric?(first, last) && !(Primitive.kind_of(step, Numeric) && step == 0)
      return Core.sequence(self, :%, [step], nil, first, last, step, Primitive.range_excl?(self))
    end
    self.step(step)
  end

  # Returns the number of values of an Integer range; nil when the values cannot be counted ahead.
  #   (1..3).size #=> 3
  def size
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    if Primitive.fixnum?(first) && Primitive.fixnum?(last)
      size = last - first
      size += 1 unless Primitive.range_excl?(self)
      return size < 0 ? 0 : size
    end
    if Primitive.kind_of(first, Integer)
      return Float::INFINITY if last.nil?
      if Primitive.kind_of(last, Numeric)
        return Core.sequence_size(first, last, 1, Primitive.range_excl?(self)) if Primitive.kind_of(last, Integer)
        return last > 0 ? Float::INFINITY : 0 if Primitive.kind_of(last, Float) && last.infinite?
        limit = last.floor
        return Core.sequence_size(first, limit, 1, Primitive.range_excl?(self) && limit == last)
      end
    end
    unless Primitive.responds?(first, :succ)
      raise TypeError, "can't iterate from #{Primitive.class_of(first)}"
    end
    nil
  end

  # Counts the values, those that equal +object+, or those that satisfy the block.
  #   (1..3).count #=> 3
  def count(object = (no_object = true; nil), &block)
    return no_object ? super(&block) : super(object) if !no_object || block
    return Float::INFINITY if Primitive.range_begin(self).nil? || Primitive.range_end(self).nil?
    return size if Primitive.kind_of(Primitive.range_begin(self), Integer) &&
                   Primitive.kind_of(Primitive.range_end(self), Integer)
    super()
  end

  # Returns the least value: without a block that is the first limit.
  #   (1..3).min #=> 1
  def min(n = (no_count = true; nil), &block)
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    if no_count && !block_given? && Primitive.fixnum?(first) && Primitive.fixnum?(last)
      return first < last || (first == last && !Primitive.range_excl?(self)) ? first : nil
    end
    raise RangeError, "cannot get the minimum of beginless range" if first.nil?
    if last.nil?
      raise RangeError, "cannot get the minimum of endless range with custom comparison method" if block
      return n.nil? ? first : first(n)
    end
    if !block && !no_count && Primitive.kind_of(first, Integer) && Primitive.kind_of(last, Integer)
      return Core.enum_take(self, Core.range_count(n))
    end
    return super(n, &block) if block || !n.nil?
    sign = first <=> last
    return nil if sign.nil? || sign > 0 || (sign == 0 && Primitive.range_excl?(self))
    first
  end

  # Returns the greatest value: without a block that follows from the last limit.
  #   (1...3).max #=> 2
  def max(n = (no_count = true; nil), &block)
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    exclude = Primitive.range_excl?(self)
    if no_count && !block_given? && Primitive.fixnum?(first) && Primitive.fixnum?(last)
      last -= 1 if exclude
      return first > last ? nil : last
    end
    raise RangeError, "cannot get the maximum of endless range" if last.nil?
    if block || (exclude && !Primitive.kind_of(last, Numeric))
      raise RangeError, "cannot get the maximum of beginless range with custom comparison method" if first.nil?
      return super(n, &block)
    end
    unless no_count
      return super(n) unless Primitive.kind_of(last, Integer) && (first.nil? || Primitive.kind_of(first, Integer))
      return Core.enum_take(to_enum(:reverse_each), Core.range_count(n))
    end
    sign = first.nil? ? -1 : first <=> last
    return nil if sign.nil? || sign > 0
    return last unless exclude
    raise TypeError, "cannot exclude non Integer end value" unless Primitive.kind_of(last, Integer)
    return nil if sign == 0
    raise TypeError, "cannot exclude end value with non Integer begin value" unless first.nil? || Primitive.kind_of(first, Integer)
    last - 1
  end

  # Returns the least and the greatest value.
  #   (1..3).minmax #=> [1, 3]
  def minmax(&block)
    return super if block
    low = Primitive.range_begin(self)
    raise RangeError, "cannot get the minimum of beginless range" if low.nil? && !Primitive.range_end(self).nil?
    [min, max]
  end

  # Returns the first limit, or the first +n+ values.
  #   (1..3).first(2) #=> [1, 2]
  def first(n = (no_n = true; nil))
    first = Primitive.range_begin(self)
    raise RangeError, "cannot get the first element of beginless range" if first.nil?
    return first if no_n
    n = Primitive.to_long(n)
    raise ArgumentError, "negative array size (or size too big)" if n < 0
    Core.enum_take(self, n)
  end

  # Returns the last limit, or the last +n+ values.
  #   (1..3).last(2) #=> [2, 3]
  def last(n = (no_n = true; nil))
    last = Primitive.range_end(self)
    raise RangeError, "cannot get the last element of endless range" if last.nil?
    return last if no_n
    first = Primitive.range_begin(self)
    are_integers = (first.nil? || Primitive.kind_of(first, Integer)) && Primitive.kind_of(last, Integer)
    return to_a.last(n) unless are_integers && Primitive.range_core_each?(self)
    last -= 1 if Primitive.range_excl?(self)
    return [] if first && first > last
    n = Primitive.to_long(n)
    raise ArgumentError, "negative array size" if n < 0
    first = last - n + 1 if first.nil? || last - n + 1 > first
    return Primitive.range_integers(first, last) if Primitive.fixnum?(first) && Primitive.fixnum?(last)
    Core.enum_values(Range.new(first, last))
  end

  # Returns the values.
  #   (1..3).to_a #=> [1, 2, 3]
  def to_a
    raise RangeError, "cannot convert endless range to an array" if Primitive.range_end(self).nil?
    last = Primitive.range_last(self)
    last ? Primitive.range_integers(Primitive.range_begin(self), last) : super
  end
  alias entries to_a

  # Returns the Set of the values.
  #   (1..3).to_set #=> Set[1, 2, 3]
  def to_set(*args, &block)
    raise RangeError, "cannot convert endless range to a set" if Primitive.range_end(self).nil?
    super
  end

  # Whether +value+ lies between the limits.
  #   (1..3) === 2.5 #=> true
  def ===(value)
    covers = Primitive.range_covers(self, value)
    covers.nil? ? Core.range_cover?(self, value) : covers
  end

  # Whether a value, or every value of a range, lies between the limits.
  #   (1..3).cover?(2..3) #=> true
  def cover?(value)
    covers = Primitive.range_covers(self, value)
    return covers unless covers.nil?
    return Core.range_cover_range?(self, value) if Primitive.kind_of(value, Range)
    Core.range_cover?(self, value)
  end

  # Whether +value+ is one of the values; numbers are compared with the limits.
  #   ("a".."z").include?("bb") #=> false
  def include?(value)
    covers = Primitive.range_holds(self, value)
    return covers unless covers.nil?
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    if Primitive.kind_of(first, Numeric) || Primitive.kind_of(last, Numeric) || Core.linear?(first) || Core.linear?(last)
      return Core.range_cover?(self, value)
    end
    if Primitive.kind_of(first, String) || Primitive.kind_of(last, String)
      if Primitive.kind_of(first, String) && Primitive.kind_of(last, String)
        value = Primitive.check_string(value)
        return false unless value
        return Core.range_string_include?(self, first, last, value)
      end
      raise TypeError, "cannot determine inclusion in beginless/endless ranges" if first.nil? || last.nil?
    end
    if first.nil? || last.nil?
      return true if first.nil? && last.nil? && (Primitive.kind_of(value, Numeric) || Core.linear?(value))
      raise TypeError, "cannot determine inclusion in beginless/endless ranges"
    end
    super
  end
  alias member? include?

  # Whether the two ranges have a value in common.
  #   (1..3).overlap?(3..4) #=> true
  def overlap?(other)
    unless Primitive.kind_of(other, Range)
      raise TypeError, "wrong argument type #{Primitive.class_of(other)} (expected Range)"
    end
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    their_first = Primitive.range_begin(other)
    their_last = Primitive.range_end(other)
    return false if Core.nothing_within?(first, their_last, Primitive.range_excl?(other))
    return false if Core.nothing_within?(their_first, last, Primitive.range_excl?(self))
    if first.nil? || their_first.nil?
      return !(last <=> their_last).nil? unless first || their_first || last.nil? || their_last.nil?
    else
      sign = first <=> their_first
      return false if sign.nil?
      return true if Primitive.cmpint(sign, first, their_first) == 0
    end
    !Core.nothing_within?(first, last, Primitive.range_excl?(self)) &&
      !Core.nothing_within?(their_first, their_last, Primitive.range_excl?(other))
  end

  # Binary search between numeric limits. The block returns true from the wanted value on, or a number that tells
  # where to go.
  #   (0..100).bsearch { |x| x * x >= 50 } #=> 8
  def bsearch(&block)
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    if Primitive.kind_of(first, Float) || Primitive.kind_of(last, Float)
      kind = :float
    elsif Primitive.kind_of(first, Integer) && (last.nil? || Primitive.kind_of(last, Integer))
      kind = :integer
    elsif first.nil? && Primitive.kind_of(last, Integer)
      kind = :integer
    else
      raise TypeError, "can't do binary search for #{Primitive.class_of(first)}"
    end
    return Core.enumerator(self, :bsearch, Core::NO_ARGUMENTS) unless block
    exclude = Primitive.range_excl?(self)
    return Core.bsearch_floats(first, last, exclude, &block) if kind == :float
    return Core.bsearch_up(first, &block) if last.nil?
    return Core.bsearch_down(exclude ? last - 1 : last, &block) if first.nil?
    Core.bsearch_integers(first, exclude ? last - 1 : last, &block)
  end

  # Whether +other+ is a range with equal limits.
  #   (1..3) == (1..3) #=> true
  def ==(other)
    return true if Primitive.same(self, other)
    return false unless Primitive.kind_of(other, Range)
    answer = Core.recursive(self, :==, other) do
      Primitive.equal(Primitive.range_begin(self), Primitive.range_begin(other)) &&
        Primitive.equal(Primitive.range_end(self), Primitive.range_end(other)) &&
        Primitive.range_excl?(self) == Primitive.range_excl?(other)
    end
    Primitive.undef?(answer) ? true : answer
  end

  # Whether +other+ is a range whose limits are eql?.
  #   (1..3).eql?(1.0..3.0) #=> false
  def eql?(other)
    return true if Primitive.same(self, other)
    return false unless Primitive.kind_of(other, Range)
    answer = Core.recursive(self, :eql?, other) do
      Primitive.eql(Primitive.range_begin(self), Primitive.range_begin(other)) &&
        Primitive.eql(Primitive.range_end(self), Primitive.range_end(other)) &&
        Primitive.range_excl?(self) == Primitive.range_excl?(other)
    end
    Primitive.undef?(answer) ? true : answer
  end

  # Ranges that are eql? have equal hashes.
  #   (1..3).hash == (1..3).hash #=> true
  def hash
    h = Primitive.range_excl?(self) ? 1 : 0
    h = Primitive.hash_mix(h, Primitive.hash_of(Primitive.range_begin(self)))
    Primitive.hash_mix(h, Primitive.hash_of(Primitive.range_end(self)))
  end

  # Joins the limits with dots.
  #   ("a".."b").to_s #=> "a..b"
  def to_s
    first = Primitive.range_begin(self).to_s
    first = "#{Primitive.range_begin(self)}" unless Primitive.kind_of(first, String)
    Core.range_text(first, Primitive.range_excl?(self), Primitive.range_end(self))
  end

  # Joins the inspected limits with dots; an absent one is left out.
  #   (1..).inspect #=> "1.."
  def inspect
    text = Core.recursive(self, :inspect) do
      first = Primitive.range_begin(self)
      last = Primitive.range_end(self)
      left = first.nil? && !last.nil? ? "".b : Primitive.inspect(first)
      right = last.nil? && !first.nil? ? "" : Primitive.inspect(last)
      Core.range_text(left, Primitive.range_excl?(self), right)
    end
    dots = Primitive.range_excl?(self) ? "..." : ".."
    Primitive.undef?(text) ? "(... #{dots} ...)" : text
  end
end

# The shared halves of the methods above.
module Core
  # Both limits as text with dots between; ASCII has the encoding of the left one.
  def self.range_text(left, exclusive, right)
    text = "#{left}#{exclusive ? "..." : ".."}#{right}"
    text.ascii_only? && Primitive.kind_of(left, String) ? text.force_encoding(left.encoding) : text
  end

  # Raises unless the limits can be compared.
  def self.range_check(first, last)
    return if Primitive.fixnum?(first) && Primitive.fixnum?(last)
    return if first.nil? || last.nil?
    raise ArgumentError, "bad value for range" if (first <=> last).nil?
  end

  # A number of elements as an Integer.
  def self.range_count(n)
    n = Primitive.to_long(n)
    raise ArgumentError, "negative array size (or size too big)" if n < 0
    n
  end

  # The size that each's enumerator reports: unlike Range#size, never an error.
  def self.range_size(range)
    first = Primitive.range_begin(range)
    first.respond_to?(:succ) || Primitive.kind_of(first, Numeric) ? range.size : nil
  end

  def self.range_reverse_size(range)
    first = Primitive.range_begin(range)
    last = Primitive.range_end(range)
    raise TypeError, "can't iterate from #{Primitive.class_of(last)}" if last.nil?
    return Float::INFINITY if first.nil? && Primitive.kind_of(last, Integer)
    unless Primitive.responds?(first, :succ)
      raise TypeError, "can't iterate from #{Primitive.class_of(last)}"
    end
    range.size
  end

  # Iteration over anything that is not a small Integer range.
  def self.range_each(first, last, exclude, &block)
    if Primitive.kind_of(first, Integer)
      if last.nil?
        while true
          yield first
          first += 1
        end
      elsif Primitive.kind_of(last, Numeric)
        while exclude ? first < last : first <= last
          yield first
          first += 1
        end
      end
      return
    end
    if Primitive.kind_of(first, Symbol) && (last.nil? || Primitive.kind_of(last, Symbol))
      Core.range_each(first.name, last&.name, exclude) { |name| yield name.to_sym }
      return
    end
    if (text = Primitive.check_string(first))
      return Core.string_upto(text, last, exclude, &block) unless last.nil?
      text = text.dup
      while true
        yield text
        text = text.succ
      end
    end
    raise TypeError, "can't iterate from #{Primitive.class_of(first)}" unless first.respond_to?(:succ)
    if last.nil?
      while true
        yield first
        first = first.succ
      end
    end
    while (sign = first <=> last)
      sign = Primitive.cmpint(sign, first, last)
      break if sign > 0 || (sign == 0 && exclude)
      yield first
      break if sign == 0
      first = first.succ
    end
  end

  # The sum of an Integer range, or nil for any other.
  def self.range_sum(range)
    first = Primitive.range_begin(range)
    last = Primitive.range_end(range)
    return nil unless Primitive.kind_of(first, Integer) && Primitive.kind_of(last, Integer)
    last -= 1 if Primitive.range_excl?(range)
    last < first ? 0 : (last - first + 1) * (last + first) / 2
  end

  # Whether the limits make an arithmetic sequence: numbers, one of which may be absent.
  def self.range_numeric?(first, last)
    return last.nil? || Primitive.kind_of(last, Numeric) if Primitive.kind_of(first, Numeric)
    first.nil? && Primitive.kind_of(last, Numeric)
  end

  # Whether Integer steps count values instead of being added.
  def self.stringy?(value) = Primitive.kind_of(value, Symbol) || !Primitive.check_string(value).nil?

  # Range#step with a block.
  def self.range_step(range, first, last, exclude, step, &block)
    if Core.range_numeric?(first, last) && Primitive.kind_of(step, Numeric)
      return Core.sequence_each(first, last, step, exclude, &block)
    end
    if Primitive.kind_of(step, Integer) && Core.stringy?(first)
      # Counts down to the next value; a step below 1 never gets there again.
      left = 1
      return range.each do |value|
        left -= 1
        next unless left == 0
        left = step
        yield value
      end
    end
    Core.range_step_by_plus(first, last, exclude, step, &block)
  end

  # Steps with + until the limit is passed, in whichever direction the first step goes.
  def self.range_step_by_plus(first, last, exclude, step)
    value = first
    if last.nil?
      while true
        yield value
        value += step
      end
    end
    direction = Core.compare(first, last)
    if direction == 0
      yield value unless exclude
      return
    end
    return unless Core.compare(first, first + step) == direction
    while (sign = Core.compare(value, last)) == direction
      yield value
      value += step
    end
    yield value if sign == 0 && !exclude
  end

  # Whether first <= value, and value <= last or, excluding, value < last.
  def self.range_cover?(range, value)
    first = Primitive.range_begin(range)
    last = Primitive.range_end(range)
    unless first.nil?
      sign = first <=> value
      return false if sign.nil? || Primitive.cmpint(sign, first, value) > 0
    end
    return true if last.nil?
    sign = value <=> last
    return false if sign.nil?
    sign = Primitive.cmpint(sign, value, last)
    Primitive.range_excl?(range) ? sign < 0 : sign <= 0
  end

  # Whether every value of +inner+ is covered by +outer+.
  def self.range_cover_range?(outer, inner)
    outer_end = Primitive.range_end(outer)
    inner_end = Primitive.range_end(inner)
    outer_begin = Primitive.range_begin(outer)
    inner_begin = Primitive.range_begin(inner)
    return false if !outer_end.nil? && inner_end.nil?
    return false if !outer_begin.nil? && inner_begin.nil?
    unless inner_begin.nil? || inner_end.nil?
      sign = inner_begin <=> inner_end
      return false if sign.nil? || (Primitive.range_excl?(inner) ? sign >= 0 : sign > 0)
    end
    return false unless inner_begin.nil? || Core.range_cover?(outer, inner_begin)
    if outer_end.nil?
      return !inner_end.nil? || !Primitive.range_excl?(outer) || Primitive.range_excl?(inner)
    end
    sign = outer_end <=> inner_end
    return false if sign.nil?
    return sign >= 0 if Primitive.range_excl?(outer) == Primitive.range_excl?(inner)
    return sign > 0 if Primitive.range_excl?(outer)
    return true if sign >= 0
    # The inner end is excluded: what counts is the last value before it.
    greatest = Core.range_max_or_nil(inner)
    return false if greatest.nil?
    sign = outer_end <=> greatest
    !sign.nil? && sign >= 0
  end

  # The greatest value, or nil when the range cannot be iterated.
  def self.range_max_or_nil(range)
    range.max
  rescue TypeError
    nil
  end

  # Whether the values lie so that comparing with the limits decides membership.
  def self.linear?(value) = Primitive.kind_of(value, Time)

  def self.range_string_include?(range, first, last, value)
    # Between single characters comparing is enough.
    if first.bytesize == 1 && last.bytesize == 1 && first.ascii_only? && last.ascii_only?
      return false unless value.bytesize == 1 && value.ascii_only?
      return first <= value && (Primitive.range_excl?(range) ? value < last : value <= last)
    end
    Core.string_upto(first, last, Primitive.range_excl?(range)) { |text| return true if text == value }
    false
  end

  # Calls the block with the strings that String#upto gives.
  def self.string_upto(first, last, exclude, &block) = first.upto(last, exclude, &block)

  # Whether nothing can lie between the limits of the range.
  def self.range_empty?(range)
    Core.nothing_within?(Primitive.range_begin(range), Primitive.range_end(range), Primitive.range_excl?(range))
  end

  # Whether nothing can lie between two limits, each of which may be missing.
  def self.nothing_within?(first, last, exclude)
    return false if first.nil? || last.nil?
    sign = first <=> last
    return true if sign.nil?
    sign = Primitive.cmpint(sign, first, last)
    sign > 0 || (sign == 0 && exclude)
  end

  # Binary search over low..high.
  def self.bsearch_integers(low, high)
    found = nil
    while low <= high
      middle = low + ((high - low) >> 1)
      case Core.bsearch_step(yield(middle))
      when 0 then return middle
      when 1 then low = middle + 1
      when -1
        found = middle
        high = middle - 1
      else high = middle - 1
      end
    end
    found
  end

  # Widens the search upwards from +first+ until the value is enclosed.
  def self.bsearch_up(first, &block)
    distance = 1
    while true
      case Core.bsearch_step(yield(first + distance))
      when 0 then return first + distance
      when 1 then distance *= 2
      else return Core.bsearch_integers(first, first + distance, &block)
      end
    end
  end

  # Widens the search downwards from +last+ until the value is enclosed.
  def self.bsearch_down(last, &block)
    distance = 1
    while true
      case Core.bsearch_step(yield(last - distance))
      when 0 then return last - distance
      when 1 then return Core.bsearch_integers(last - distance, last, &block)
      else distance *= 2
      end
    end
  end

  # Binary search over Floats, by halves of the number of Floats between the limits.
  def self.bsearch_floats(first, last, exclude)
    low = first.nil? ? -Float::INFINITY : Core.bsearch_limit(first)
    high = last.nil? ? Float::INFINITY : Core.bsearch_limit(last)
    high = Primitive.float_neighbour(high, -1) if exclude
    found = nil
    while low <= high
      middle = Primitive.float_middle(low, high)
      case Core.bsearch_step(yield(middle))
      when 0 then return middle
      when 1 then low = Primitive.float_neighbour(middle, 1)
      when -1
        found = middle
        high = Primitive.float_neighbour(middle, -1)
      else high = Primitive.float_neighbour(middle, -1)
      end
    end
    found
  end

  def self.bsearch_limit(limit)
    raise TypeError, "can't do binary search for #{Primitive.class_of(limit)}" unless Primitive.kind_of(limit, Numeric)
    limit.to_f
  end
end
