# Array: what yields, compares or searches. Element access and everything that only moves elements is native:
# [] []= at push pop shift unshift insert concat first last take drop + - * & | reverse rotate compact flatten
# join inspect hash == eql? replace clear slice! values_at delete_at pack union difference intersection.
#
# Primitives on an array's layout:
#   array_size(a)                 its length, whatever Array#size has become
#   array_at(a, i)                element i >= 0, nil outside
#   array_set(a, i, v)            stores without checks; grows as []= does
#   array_push(a, v)              appends without checks
#   array_new(capacity)           a new empty Array
#   array_next(a, i, x)           the condition of a loop: while i is the number of an element, puts that into the local x and
#                                 adds one to the local i
#   array_fill(a, n, v)           makes an array n times v
#   array_fill_between(a, i, j, v)  stores v in the elements from i to before j
#   array_fill_plain(a, list)     fill with a value and numbers that need no conversion; false, having touched nothing, otherwise
#   array_arrays?(a)              whether all elements are arrays
#   array_copy(a, start, len)     as array_slice, sharing nothing
#   array_slide(a, n, v)          appends v, and drops the first element if there were n
#   array_resize(a, n)            cuts to, or fills with nil up to, n elements
#   array_reserve(a, n)           room for n elements; ArgumentError for impossible n
#   array_ensure(n)               NoMemoryError if n elements would not fit into memory
#   array_slice(a, start, len)    a new Array that shares the elements
#   array_replace(a, b)           a takes b's elements
#   array_sort!(a)                sorts when every element is a number or every one a string and their <=> is the
#                                 original one, and returns true; else returns false, having touched nothing
#   array_sort_at_once!(a)        the same for few small integers or few strings only, in an array that others know
#   array_sort_keys!(keys, vals)  the same for two parallel arrays, ordered by keys
#   array_narrow(keys, values, n, downwards)   moves the n least keys, or the greatest, to the front, each with its value: the place
#                              of a key that none of them is behind; nil if there is anything but Integers, Floats or Strings
#   array_rindex(a, v)         the position of the last element that equals v, or nil
#   array_least(a, n, downwards)  the n least in order, or the greatest; nil if there is anything but small Integers
#   array_float_sum(a, f)         the plain sum of a Float and all elements; nil if there is anything but numbers of the machine
#   array_delete(a, v)            removes the elements that equal v, the last of which it returns; undef if there is none
#   array_assoc(a, key, i)        the first element that is an array and has the key as its element i, or nil
#   array_combination(a, c), array_repeated_combination, array_permutation, array_repeated_permutation, array_choice(arrays, c)
#                                 the elements of the choice c (Core.first_choice), which becomes the next one; nil behind the last
#   array_choices(arrays)         all choices of one element of each, which becomes an array if it is none
#   array_each?(o)                whether o is an Array whose +each+ is the one below, so that a loop over the
#                                 elements is indistinguishable from calling it
class Array
  # Fills a new array: with +size+ times +value+, with the block's results, or with another array's elements.
  # With +capacity+ there is room for that many from the start.
  #   Array.new(3) { |i| i * i } #=> [0, 1, 4]
  def initialize(size = (no_size = true; 0), value = (no_value = true; nil), capacity: nil)
    Primitive.frozen_check(self)
    Primitive.array_reserve(self, Primitive.to_long(capacity)) unless capacity.nil?
    if no_size
      Primitive.array_resize(self, 0)
      Primitive.warn_verbose("given block not used") if block_given?
      return self
    end
    if no_value && !Primitive.kind_of(size, Integer) && (other = Primitive.check_array(size))
      return Primitive.array_replace(self, other)
    end
    size = Primitive.to_long(size)
    raise ArgumentError, "negative array size" if size < 0
    raise ArgumentError, "array size too big" if size > 0xfff_ffff_ffff_ffff
    Primitive.array_resize(self, 0)
    unless block_given?
      return Primitive.array_fill(self, size, value)
    end
    Primitive.warn("block supersedes default value argument") unless no_value
    i = 0
    while i < size
      Primitive.array_set(self, i, yield(i))
      i += 1
    end
    self
  end

  # Calls the block with each element, including those appended meanwhile.
  #   [1, 2].each { |x| puts x }
  def each
    return Core.enumerator_of(self, :each, :length) unless block_given?
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      yield value
    end
    self
  end

  # Calls the block with each index.
  #   [:a, :b].each_index { |i| print i } # prints 01
  def each_index
    return Core.enumerator_of(self, :each_index, :length) unless block_given?
    i = 0
    while i < Primitive.array_size(self)
      yield i
      i += 1
    end
    self
  end

  # Calls the block with each element, last first.
  #   [1, 2].reverse_each.to_a #=> [2, 1]
  def reverse_each
    return Core.enumerator_of(self, :reverse_each, :length) unless block_given?
    i = Primitive.array_size(self) - 1
    while i >= 0
      size = Primitive.array_size(self)
      i = size - 1 if i >= size
      break if i < 0
      yield Primitive.array_at(self, i)
      i -= 1
    end
    self
  end

  # Returns the block's results.
  #   [1, 2].map { |x| x * 2 } #=> [2, 4]
  def map
    return Core.enumerator_of(self, Primitive.callee, :length) unless block_given?
    result = Primitive.array_new(Primitive.array_size(self))
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      Primitive.array_push(result, yield(value))
    end
    result
  end
  alias collect map

  # Replaces each element by the block's result.
  #   a = [1, 2]; a.map! { |x| x + 1 } #=> [2, 3]
  def map!
    return Core.enumerator_of(self, Primitive.callee, :length) unless block_given?
    Primitive.frozen_check(self)
    i = 0
    while i < Primitive.array_size(self)
      value = yield(Primitive.array_at(self, i))
      Primitive.frozen_check(self)
      Primitive.array_set(self, i, value)
      i += 1
    end
    self
  end
  alias collect! map!

  # Returns the elements for which the block is true.
  #   [1, 2, 3].select { |x| x.odd? } #=> [1, 3]
  def select
    return Core.enumerator_of(self, Primitive.callee, :length) unless block_given?
    result = Primitive.array_new(0)
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      Primitive.array_push(result, value) if yield value
    end
    result
  end
  alias filter select

  # Returns the elements for which the block is false.
  #   [1, 2, 3].reject { |x| x.odd? } #=> [2]
  def reject
    return Core.enumerator_of(self, :reject, :length) unless block_given?
    result = Primitive.array_new(0)
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      Primitive.array_push(result, value) unless yield value
    end
    result
  end

  # Keeps the elements for which the block is true; nil when nothing changed.
  #   a = [1, 2]; a.select! { |x| x > 1 } #=> [2]
  def select!(&block)
    return Core.enumerator_of(self, Primitive.callee, :length) unless block_given?
    Primitive.frozen_check(self)
    before = Primitive.array_size(self)
    Core.array_keep(self, true, &block)
    before == Primitive.array_size(self) ? nil : self
  end
  alias filter! select!

  # Keeps the elements for which the block is true.
  #   [1, 2, 3].keep_if { |x| x > 1 } #=> [2, 3]
  def keep_if(&block)
    return Core.enumerator_of(self, :keep_if, :length) unless block_given?
    Primitive.frozen_check(self)
    Core.array_keep(self, true, &block)
    self
  end

  # Removes the elements for which the block is true; nil when nothing changed.
  #   [1, 2, 3].reject! { |x| x > 5 } #=> nil
  def reject!(&block)
    return Core.enumerator_of(self, :reject!, :length) unless block_given?
    Primitive.frozen_check(self)
    before = Primitive.array_size(self)
    Core.array_keep(self, false, &block)
    before == Primitive.array_size(self) ? nil : self
  end

  # Removes the elements for which the block is true.
  #   [1, 2, 3].delete_if { |x| x > 1 } #=> [1]
  def delete_if(&block)
    return Core.enumerator_of(self, :delete_if, :length) unless block_given?
    Primitive.frozen_check(self)
    Core.array_keep(self, false, &block)
    self
  end

  # Returns the first element for which the block is true; calls +if_none+ when there is none.
  #   [1, 2, 3].find { |x| x > 1 } #=> 2
  def find(if_none = nil)
    return Core.enumerator(self, Primitive.callee, if_none.nil? ? [] : [if_none]) unless block_given?
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      return value if yield value
    end
    if_none&.call
  end
  alias detect find

  # Returns the last element for which the block is true; calls +if_none+ when there is none.
  #   [1, 2, 3].rfind { |x| x < 3 } #=> 2
  def rfind(if_none = nil)
    return Core.enumerator(self, :rfind, if_none.nil? ? [] : [if_none]) unless block_given?
    i = Primitive.array_size(self) - 1
    while i >= 0
      value = Primitive.array_at(self, i)
      return value if yield value
      i -= 1
      i = Primitive.array_size(self) - 1 if i >= Primitive.array_size(self)
    end
    if_none&.call
  end

  # Returns the index of the first element that equals +object+ or satisfies the block.
  #   [:a, :b].index(:b) #=> 1
  def index(object = (no_object = true; nil))
    if no_object
      return Core.enumerator(self, Primitive.callee, Core::NO_ARGUMENTS) unless block_given?
      i = 0
      while i < Primitive.array_size(self)
        return i if yield Primitive.array_at(self, i)
        i += 1
      end
      return nil
    end
    Primitive.warn("given block not used") if block_given?
    Primitive.array_index(self, object, 0)
  end
  alias find_index index

  # Returns the index of the last element that equals +object+ or satisfies the block.
  #   [1, 2, 1].rindex(1) #=> 2
  def rindex(object = (no_object = true; nil))
    return Core.enumerator(self, :rindex, Core::NO_ARGUMENTS) if no_object && !block_given?
    unless no_object
      Primitive.warn("given block not used") if block_given?
      return Primitive.array_rindex(self, object)
    end
    i = Primitive.array_size(self) - 1
    while i >= 0
      return i if yield Primitive.array_at(self, i)
      i -= 1
      size = Primitive.array_size(self)
      i = size - 1 if i >= size
    end
    nil
  end

  # Counts all elements, those that equal +object+, or those that satisfy the block.
  #   [1, 2, 1].count(1) #=> 2
  def count(object = (no_object = true; nil))
    return Primitive.array_size(self) if no_object && !block_given?
    unless no_object
      Primitive.warn("given block not used") if block_given?
      return Primitive.array_count(self, object)
    end
    n = i = 0
    value = nil
    while Primitive.array_next(self, i, value)
      n += 1 if yield(value)
    end
    n
  end

  # Whether some element is true, satisfies the block, or matches +pattern+.
  #   [1, "a"].any?(String) #=> true
  def any?(pattern = (no_pattern = true; nil))
    Primitive.warn("given block not used") if block_given? && !no_pattern
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      return true if no_pattern ? (block_given? ? yield(value) : value) : pattern === value
    end
    false
  end

  # Whether every element is true, satisfies the block, or matches +pattern+.
  #   [1, 2].all?(Integer) #=> true
  def all?(pattern = (no_pattern = true; nil))
    Primitive.warn("given block not used") if block_given? && !no_pattern
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      return false unless no_pattern ? (block_given? ? yield(value) : value) : pattern === value
    end
    true
  end

  # Whether no element is true, satisfies the block, or matches +pattern+.
  #   [nil, false].none? #=> true
  def none?(pattern = (no_pattern = true; nil))
    Primitive.warn("given block not used") if block_given? && !no_pattern
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      return false if no_pattern ? (block_given? ? yield(value) : value) : pattern === value
    end
    true
  end

  # Whether exactly one element is true, satisfies the block, or matches +pattern+.
  #   [1, 2, 3].one? { |x| x > 2 } #=> true
  def one?(pattern = (no_pattern = true; nil))
    Primitive.warn("given block not used") if block_given? && !no_pattern
    found = false
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      if no_pattern ? (block_given? ? yield(value) : value) : pattern === value
        return false if found
        found = true
      end
    end
    found
  end

  # Returns the leading elements for which the block is true.
  #   [1, 2, 5, 1].take_while { |x| x < 3 } #=> [1, 2]
  def take_while
    return Core.enumerator(self, :take_while, Core::NO_ARGUMENTS) unless block_given?
    i = 0
    i += 1 while i < Primitive.array_size(self) && yield(Primitive.array_at(self, i))
    Primitive.array_slice(self, 0, i)
  end

  # Returns the elements from the first one for which the block is false.
  #   [1, 2, 5, 1].drop_while { |x| x < 3 } #=> [5, 1]
  def drop_while
    return Core.enumerator(self, :drop_while, Core::NO_ARGUMENTS) unless block_given?
    i = 0
    i += 1 while i < Primitive.array_size(self) && yield(Primitive.array_at(self, i))
    Primitive.array_slice(self, i, Primitive.array_size(self) - i)
  end

  # Returns the element at +index+; an absent one is the block's result, +default+, or an IndexError.
  #   [1].fetch(5) { |i| -i } #=> -5
  def fetch(index, default = (no_default = true; nil))
    Primitive.warn("block supersedes default value argument") if !no_default && block_given?
    position = Primitive.to_long(index)
    size = Primitive.array_size(self)
    position += size if position < 0
    return Primitive.array_at(self, position) if position >= 0 && position < size
    return yield(index) if block_given?
    return default unless no_default
    given = position < 0 ? position - size : position
    raise IndexError, "index #{given} outside of array bounds: #{-size}...#{size}"
  end

  # Returns the elements at the indexes; an absent one is the block's result or an IndexError.
  #   [:a, :b].fetch_values(1, 0) #=> [:b, :a]
  def fetch_values(*indexes, &block)
    Core.array_map!(indexes) { |index| Core.array_fetch(self, index, &block) }
  end

  # Removes every element that equals +object+ and returns the last of them; else the block's result or nil.
  #   [1, 2, 1].delete(1) #=> 1
  def delete(object)
    found = Primitive.array_delete(self, object)
    return found unless Primitive.undef?(found)
    block_given? ? yield(object) : nil
  end

  # Stores +value+, or the block's results, in all elements, from a start, or in a range.
  #   [1, 2, 3].fill(0, 1) #=> [1, 0, 0]
  def fill(*args)
    given = Primitive.array_size(args)
    if block_given?
      Core.arity_error(given, "0..2") if given > 2
    else
      Core.arity_error(given, "1..3") if given < 1 || given > 3
      return self if Primitive.array_fill_plain(self, args)
      value = Primitive.array_at(args, 0)
      args = Primitive.array_slice(args, 1, given - 1)
    end
    start, finish = Core.array_fill_bounds(self, Primitive.array_at(args, 0), Primitive.array_at(args, 1))
    Primitive.frozen_check(self)
    raise ArgumentError, "argument too big" if finish >= 0xfff_ffff_ffff_ffff
    Primitive.array_ensure(finish)
    return Primitive.array_fill_between(self, start, finish, value) unless block_given?
    Primitive.array_set(self, finish - 1, nil) if start < finish && Primitive.array_size(self) < finish
    while start < finish
      value = yield(start)
      # The block may have cut the array short, and that ends it.
      break if Primitive.array_size(self) <= start
      Primitive.array_set(self, start, value)
      start += 1
    end
    self
  end

  # Returns a sorted copy, by <=> or by the block.
  #   [2, 1].sort #=> [1, 2]
  def sort(&block)
    Core.array_sort(Primitive.array_slice(self, 0, Primitive.array_size(self)), &block)
  end

  # Sorts in place, by <=> or by the block.
  #   [1, 2].sort! { |a, b| b <=> a } #=> [2, 1]
  def sort!(&block)
    Primitive.frozen_check(self)
    return self if Primitive.array_size(self) < 2
    return self if !block && Primitive.array_sort_at_once!(self)
    copy = Primitive.array_slice(self, 0, Primitive.array_size(self))
    Core.array_sort(copy, &block)
    raise FrozenError, "array frozen during sort" if frozen?
    Primitive.array_replace(self, copy)
  end

  # Sorts in place by the block's results.
  #   ["bb", "a"].sort_by! { |s| s.size } #=> ["a", "bb"]
  def sort_by!
    return Core.enumerator_of(self, :sort_by!, :length) unless block_given?
    Primitive.frozen_check(self)
    return self if Primitive.array_size(self) <= 1
    values = Primitive.array_new(Primitive.array_size(self))
    keys = Primitive.array_new(Primitive.array_size(self))
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      Primitive.array_push(values, value)
      Primitive.array_push(keys, yield(value))
    end
    Core.sort_by_keys(keys, values) if i > 1
    Primitive.frozen_check(self)
    Primitive.array_replace(self, values)
  end

  # Returns the least element, or the +n+ least in order.
  #   [3, 1, 2].min(2) #=> [1, 2]
  def min(n = nil, &block)
    return Core.array_selection(self, n, false, &block) unless n.nil?
    unless block_given?
      result = Primitive.array_extreme(self, false)
      return result unless Primitive.undef?(result)
    end
    result = Primitive.array_at(self, 0)
    i = 1
    while i < Primitive.array_size(self)
      value = Primitive.array_at(self, i)
      if block_given?
        result = value if Primitive.cmpint(yield(value, result), value, result) < 0
      else
        sign = result <=> value
        sign = Primitive.cmpint(sign, result, value) unless Primitive.fixnum?(sign)
        result = value if sign > 0
      end
      i += 1
    end
    result
  end

  # Returns the greatest element, or the +n+ greatest, greatest first.
  #   [3, 1, 2].max #=> 3
  def max(n = nil, &block)
    return Core.array_selection(self, n, true, &block) unless n.nil?
    unless block_given?
      result = Primitive.array_extreme(self, true)
      return result unless Primitive.undef?(result)
    end
    result = Primitive.array_at(self, 0)
    i = 1
    while i < Primitive.array_size(self)
      value = Primitive.array_at(self, i)
      if block_given?
        result = value if Primitive.cmpint(yield(value, result), value, result) > 0
      else
        sign = result <=> value
        sign = Primitive.cmpint(sign, result, value) unless Primitive.fixnum?(sign)
        result = value if sign < 0
      end
      i += 1
    end
    result
  end

  # Returns the least and the greatest element.
  #   [3, 1, 2].minmax #=> [1, 3]
  def minmax(&block) = block_given? ? super : [min, max]

  # Adds all elements, or the block's results, to +init+.
  #   [0.1, 0.2, 0.3].sum #=> 0.6
  def sum(init = 0)
    unless block_given?
      total = Primitive.array_sum(self, init)
      return total if total
    end
    i = 0
    unless Primitive.kind_of(init, Integer) || Primitive.kind_of(init, Rational)
      unless block_given?
        total = Primitive.array_float_sum(self, init)
        return total if total
      end
      while i < Primitive.array_size(self)
        value = Primitive.array_at(self, i)
        init += block_given? ? yield(value) : value
        i += 1
      end
      return init
    end
    while i < Primitive.array_size(self) && Primitive.fixnum?(init)
      value = Primitive.array_at(self, i)
      value = yield(value) if block_given?
      i += 1
      unless Primitive.fixnum?(value) || Primitive.kind_of(value, Integer)
        total = Core::Sum.new(init)
        total.add(value)
        break
      end
      init += value
    end
    return init unless total || i < Primitive.array_size(self)
    total ||= Core::Sum.new(init)
    floats = total.floats
    while i < Primitive.array_size(self)
      value = Primitive.array_at(self, i)
      value = yield(value) if block_given?
      i += 1
      next if floats && Primitive.float_sum_add(floats, value)
      total.add(value)
      floats = total.floats
    end
    total.result
  end

  # Builds a Hash from [key, value] pairs, or from the pairs the block returns.
  #   [[1, 2]].to_h #=> {1 => 2}
  def to_h
    return Primitive.hash_of_pairs(self) unless block_given?
    hash = {}
    spreads = Primitive.block_spreads?
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      values = spreads ? Primitive.check_array(value) : nil
      Primitive.hash_set_pair(hash, values ? yield(*values) : yield(value), i - 1)
    end
    hash
  end

  # Returns the elements without repetitions, as told by hash and eql? of them or of the block's results.
  #   [1, 2, 1].uniq #=> [1, 2]
  def uniq
    return Primitive.array_slice(self, 0, Primitive.array_size(self)) if Primitive.array_size(self) < 2
    return Primitive.array_distinct(self) unless block_given?
    seen = {}
    result = Primitive.array_new(0)
    value = nil
    i = 0
    while Primitive.array_next(self, i, value)
      Primitive.array_push(result, value) if Primitive.hash_add(seen, yield(value))
    end
    result
  end

  # Removes repetitions; nil when there was none.
  #   [1, 2].uniq! #=> nil
  def uniq!(&block)
    Primitive.frozen_check(self)
    return nil if Primitive.array_size(self) <= 1
    result = block ? Core.array_uniq(self, &block) : Primitive.array_distinct(self)
    return nil if Primitive.array_size(result) == Primitive.array_size(self)
    Primitive.frozen_check(self)
    Primitive.array_replace(self, result)
  end

  # Calls the block with every element, +n+ times or for ever.
  #   [1, 2].cycle(2).to_a #=> [1, 2, 1, 2]
  def cycle(n = nil)
    unless block_given?
      # Of no elements it is not asked how often.
      return Core.enumerator(self, :cycle, n.nil? ? [] : [n]) do
        Primitive.array_size(self) == 0 ? 0 : Core.cycle_size(Primitive.array_size(self), n)
      end
    end
    left = n.nil? ? 1 : Primitive.to_long(n)
    while left > 0 && Primitive.array_size(self) > 0
      value = nil
      i = 0
      while Primitive.array_next(self, i, value)
        yield value
      end
      left -= 1 unless n.nil?
    end
    nil
  end

  # Returns arrays of the elements at equal positions of self and the others.
  #   [1, 2].zip([3, 4]) #=> [[1, 3], [2, 4]]
  def zip(*others)
    result = Primitive.array_zip(self, others) unless block_given?
    return result if result
    size = Primitive.array_size(self)
    # A block of several parameters is given the elements, be there but one.
    spreads = block_given? && (Primitive.block_spreads? || Primitive.block_pairs?)
    if spreads && Primitive.array_size(others) == 1 && Primitive.array_arrays?(others)
      other = Primitive.array_slice(Primitive.array_at(others, 0), 0, size)
      value = nil
      i = 0
      while Primitive.array_next(self, i, value)
        yield value, Primitive.array_at(other, i - 1)
      end
      return nil
    end
    others = Core.array_map!(others) { |other| Core.zip_items(other, size) }
    result = Primitive.array_zip(self, others) unless block_given?
    return result if result
    result = block_given? ? nil : Primitive.array_new(size)
    i = 0
    while i < Primitive.array_size(self)
      tuple = Primitive.array_tuple(self, others, i) || Core.zip_tuple(Primitive.array_at(self, i), others, i)
      if result
        Primitive.array_push(result, tuple)
      else
        spreads ? yield(*tuple) : yield(tuple)
      end
      i += 1
    end
    result
  end

  # Returns the first element array whose first element equals +key+.
  #   [[1, :a], [2, :b]].assoc(2) #=> [2, :b]
  def assoc(key) = Primitive.array_assoc(self, key, 0)

  # Returns the first element array whose second element equals +value+.
  #   [[1, :a], [2, :b]].rassoc(:b) #=> [2, :b]
  def rassoc(value) = Primitive.array_assoc(self, value, 1)

  # Compares element by element, then by length; nil when the other is no array.
  #   [1, 2] <=> [1, 3] #=> -1
  def <=>(other)
    sign = Primitive.array_order(self, other)
    return sign unless Primitive.undef?(sign)
    other = Primitive.check_array(other)
    return nil unless other
    return 0 if Primitive.same(self, other)
    sign = Core.recursive(self, :<=>, other) { Core.array_compare(self, other) }
    Primitive.undef?(sign) ? Primitive.array_size(self) <=> Primitive.array_size(other) : sign
  end

  # Finds an element of an array that is ordered with respect to the block: see +bsearch_index+.
  #   [1, 3, 5].bsearch { |x| x >= 2 } #=> 3
  def bsearch(&block)
    return Core.enumerator(self, :bsearch, Core::NO_ARGUMENTS) unless block_given?
    index = Core.array_bsearch(self, &block)
    index && Primitive.array_at(self, index)
  end

  # Binary search. The block returns true from the wanted element on, or a number that tells where to go.
  #   [1, 3, 5].bsearch_index { |x| x >= 2 } #=> 1
  def bsearch_index(&block)
    return Core.enumerator(self, :bsearch_index, Core::NO_ARGUMENTS) unless block_given?
    Core.array_bsearch(self, &block)
  end

  # Calls the block with every choice of +n+ elements, in order of index.
  #   [1, 2, 3].combination(2).to_a #=> [[1, 2], [1, 3], [2, 3]]
  def combination(n)
    Primitive.to_long(n)
    unless block_given?
      return Core.enumerator(self, :combination, [n]) do
        Core.binomial(Primitive.array_size(self), Primitive.to_long(n))
      end
    end
    n = Primitive.to_long(n)
    pool = Primitive.array_slice(self, 0, Primitive.array_size(self))
    size = Primitive.array_size(pool)
    return self if n < 0 || n > size
    choice = Core.first_choice(n, true)
    while (chosen = Primitive.array_combination(pool, choice))
      yield chosen
    end
    self
  end

  # Calls the block with every choice of +n+ elements that may repeat, in order of index.
  #   [1, 2].repeated_combination(2).to_a #=> [[1, 1], [1, 2], [2, 2]]
  def repeated_combination(n)
    Primitive.to_long(n)
    unless block_given?
      return Core.enumerator(self, :repeated_combination, [n]) do
        count = Primitive.to_long(n)
        size = Primitive.array_size(self)
        next 0 if count < 0
        next 1 if count == 0
        Core.binomial(size + count - 1, count)
      end
    end
    n = Primitive.to_long(n)
    pool = Primitive.array_slice(self, 0, Primitive.array_size(self))
    size = Primitive.array_size(pool)
    return self if n < 0 || (size == 0 && n > 0)
    choice = Core.first_choice(n, false)
    while (chosen = Primitive.array_repeated_combination(pool, choice))
      yield chosen
    end
    self
  end

  # Calls the block with every ordering of +n+ elements (all of them without +n+).
  #   [1, 2, 3].permutation(1).to_a #=> [[1], [2], [3]]
  def permutation(n = nil)
    unless block_given?
      return Core.enumerator(self, :permutation, n.nil? ? [] : [n]) do
        size = Primitive.array_size(self)
        Core.falling_factorial(size, n.nil? ? size : Primitive.to_long(n))
      end
    end
    pool = Primitive.array_slice(self, 0, Primitive.array_size(self))
    size = Primitive.array_size(pool)
    n = n.nil? ? size : Primitive.to_long(n)
    return self if n < 0 || n > size
    choice = Core.first_choice(n, true)
    while (chosen = Primitive.array_permutation(pool, choice))
      yield chosen
    end
    self
  end

  # Calls the block with every sequence of +n+ elements that may repeat.
  #   [1, 2].repeated_permutation(2).to_a #=> [[1, 1], [1, 2], [2, 1], [2, 2]]
  def repeated_permutation(n)
    unless block_given?
      return Core.enumerator(self, :repeated_permutation, [n]) do
        count = Primitive.to_long(n)
        size = Primitive.array_size(self)
        count < 0 ? 0 : (count == 0 ? 1 : size**count)
      end
    end
    n = Primitive.to_long(n)
    pool = Primitive.array_slice(self, 0, Primitive.array_size(self))
    return self if n < 0 || (Primitive.array_size(pool) == 0 && n > 0)
    choice = Core.first_choice(n, false)
    while (chosen = Primitive.array_repeated_permutation(pool, choice))
      yield chosen
    end
    self
  end

  # Returns every way to take one element of self and of each other array, or calls the block with them.
  #   [1, 2].product([3, 4]) #=> [[1, 3], [1, 4], [2, 3], [2, 4]]
  def product(*others)
    pools = [self, *others]
    return Primitive.array_choices(pools) unless block_given?
    Core.array_map!(pools) { |pool| Primitive.to_ary(pool) }
    Core.array_map!(pools) { |pool| Primitive.array_slice(pool, 0, Primitive.array_size(pool)) }
    value = nil
    i = 0
    while Primitive.array_next(pools, i, value)
      return self if Primitive.array_size(value) == 0
    end
    choice = Core.first_choice(Primitive.array_size(pools), false)
    while (chosen = Primitive.array_choice(pools, choice))
      yield chosen
    end
    self
  end

  # Returns a copy in random order.
  #   [1, 2, 3].shuffle(random: Random.new(1))
  def shuffle(random: Primitive.undef)
    copy = Primitive.array_slice(self, 0, Primitive.array_size(self))
    Core.array_shuffle(copy, random)
  end

  # Puts the elements into random order.
  #   [1, 2, 3].shuffle!
  def shuffle!(random: Primitive.undef)
    Primitive.frozen_check(self)
    Core.array_shuffle(self, random)
  end

  # Returns a random element, or +n+ of them at different indexes.
  #   [1, 2, 3].sample
  def sample(n = (no_n = true; nil), random: Primitive.undef)
    size = Primitive.array_size(self)
    if no_n
      return nil if size == 0
      i = size == 1 ? 0 : Core.random_below(random, size)
      return Primitive.array_at(self, i)
    end
    n = Primitive.to_long(n)
    raise ArgumentError, "negative sample number" if n < 0
    n = size if n > size
    return Core.array_sample_one_or_two(self, n, random) if n == 1 || n == 2
    Primitive.random_sample(self, n, random) || Core.array_sample(self, n, random)
  end
end

# The shared halves of the methods above.
module Core
  # The indexes of the first choice of +n+ elements: rising, or all 0. Behind them it says that there is one.
  def self.first_choice(n, rises)
    choice = Array.new(n + 1, 0)
    Primitive.array_set(choice, n, false)
    i = 0
    while rises && i < n
      Primitive.array_set(choice, i, i)
      i += 1
    end
    choice
  end

  # The same as below, of one element or two.
  def self.array_sample_one_or_two(array, n, random)
    size = Primitive.array_size(array)
    return [] if size == 0
    i = Core.random_below(random, size)
    j = Core.random_below(random, size - 1) if n == 2
    size = Primitive.array_size(array)
    return [] if i >= size || (j && j >= size)
    return [Primitive.array_at(array, i)] if n == 1 || size == 1
    j += 1 if j >= i
    [Primitive.array_at(array, i), Primitive.array_at(array, j)]
  end

  # Different elements by draws of an object. It may change the array meanwhile, which shows unless the sample is a large part of it.
  def self.array_sample(array, n, random)
    size = Primitive.array_size(array)
    array = Primitive.array_slice(array, 0, size) if n > 10 && n > Core.sample_memo_size(size)
    draws = []
    i = 0
    while i < n
      Primitive.array_push(draws, Core.random_below(random, size - i))
      i += 1
    end
    Primitive.random_sampled(array, draws, size)
  end

  # CRuby draws up to so many elements before it looks at the array; of more it makes a copy first.
  def self.sample_memo_size(size)
    part = size < 2560 ? 128 : size < 5120 ? 64 : size < 10240 ? 32 : 16
    size / part / 2
  end

  # Keeps the elements for which the block's truth is +wanted+. When the block leaves early, the elements not yet
  # visited stay, behind those already kept.
  def self.array_keep(array, wanted)
    kept = i = 0
    while i < Primitive.array_size(array)
      value = Primitive.array_at(array, i)
      keep = yield(value) ? wanted : !wanted
      i += 1
      next unless keep
      if kept != i - 1
        Primitive.frozen_check(array)
        Primitive.array_set(array, kept, value)
      end
      kept += 1
    end
  ensure
    size = Primitive.array_size(array)
    if kept < i
      while i < size
        Primitive.array_set(array, kept, Primitive.array_at(array, i))
        kept += 1
        i += 1
      end
      Primitive.frozen_check(array)
      Primitive.array_resize(array, kept) if kept < size
    end
  end

  # Replaces each element of an array nobody else knows.
  def self.array_map!(array)
    i = 0
    while i < Primitive.array_size(array)
      Primitive.array_set(array, i, yield(Primitive.array_at(array, i)))
      i += 1
    end
    array
  end

  # Array#fetch without a default, for fetch_values.
  def self.array_fetch(array, index)
    position = Primitive.to_long(index)
    size = Primitive.array_size(array)
    position += size if position < 0
    return Primitive.array_at(array, position) if position >= 0 && position < size
    return yield(index) if block_given?
    given = position < 0 ? position - size : position
    raise IndexError, "index #{given} outside of array bounds: #{-size}...#{size}"
  end

  # Sends dig with +keys+ to +object+, or complains that it has none.
  def self.dig(object, keys)
    unless object.respond_to?(:dig)
      raise TypeError, "#{Primitive.class_of(object)} does not have #dig method"
    end
    object.dig(*keys)
  end

  # [start, end) of what Array#fill writes.
  def self.array_fill_bounds(array, start, length)
    size = Primitive.array_size(array)
    return [0, size] if start.nil? && length.nil?
    if length.nil? && !start.nil? && (bounds = Primitive.range_beg_len(start, size, :fill))
      return [bounds[0], bounds[0] + bounds[1]]
    end
    start = start.nil? ? 0 : Primitive.to_long(start)
    start += size if start < 0
    start = 0 if start < 0
    return [start, size] if length.nil?
    length = Primitive.to_long(length)
    [start, length < 0 ? start : start + length]
  end

  # Sorts an array nobody else knows, natively where that is possible.
  def self.array_sort(array, &block)
    return array if Primitive.array_size(array) < 2
    return Core.merge_sort(array, &block) if block
    Primitive.array_sort!(array) ? array : Core.merge_sort(array) { |a, b| a <=> b }
  end

  # Array#uniq that nobody can redefine.
  def self.array_uniq(array)
    seen = {}
    result = Primitive.array_new(0)
    value = nil
    i = 0
    while Primitive.array_next(array, i, value)
      Primitive.array_push(result, value) if Primitive.hash_add(seen, block_given? ? yield(value) : value)
    end
    result
  end

  # What zip draws from: an array, or an enumerator over anything that responds to each.
  def self.zip_source(object)
    array = Primitive.check_array(object)
    return array if array
    last = Primitive.range_last(object)
    if last
      first = Primitive.range_begin(object)
      return Primitive.range_integers(first, last) if last - first < 1000
    end
    unless object.respond_to?(:each)
      raise TypeError, "wrong argument type #{Primitive.class_of(object)} (must respond to :each)"
    end
    object.to_enum(:each)
  end

  # An array with the first +count+ elements of what zip was given, which does not change when that does.
  def self.zip_items(object, count)
    array = Primitive.check_array(object)
    return Primitive.array_slice(array, 0, count) if array
    return [] if count == 0
    unless object.respond_to?(:each)
      raise TypeError, "wrong argument type #{Primitive.class_of(object)} (must respond to :each)"
    end
    items = []
    object.each do |*values|
      Primitive.array_push(items, Primitive.array_size(values) > 1 ? values : Primitive.array_at(values, 0))
      break if Primitive.array_size(items) >= count
    end
    items
  end

  # One result of zip. A source that has run out is replaced by nil in +sources+.
  def self.zip_tuple(first, sources, index)
    tuple = Primitive.array_new(Primitive.array_size(sources) + 1)
    Primitive.array_push(tuple, first)
    j = 0
    while j < Primitive.array_size(sources)
      source = Primitive.array_at(sources, j)
      if Primitive.kind_of(source, Array)
        value = Primitive.array_at(source, index)
      elsif source
        begin
          value = source.next
        rescue StopIteration
          value = nil
          Primitive.array_set(sources, j, nil)
        end
      else
        value = nil
      end
      Primitive.array_push(tuple, value)
      j += 1
    end
    tuple
  end

  # Array#<=> for two arrays.
  def self.array_compare(array, other)
    i = 0
    while i < Primitive.array_size(array) && i < Primitive.array_size(other)
      sign = Primitive.array_at(array, i) <=> Primitive.array_at(other, i)
      return sign unless Primitive.same(sign, 0)
      i += 1
    end
    Primitive.array_size(array) <=> Primitive.array_size(other)
  end

  # The index Array#bsearch_index answers.
  def self.array_bsearch(array)
    low = 0
    high = Primitive.array_size(array)
    found = nil
    while low < high
      middle = low + (high - low) / 2
      case Core.bsearch_step(yield(Primitive.array_at(array, middle)))
      when 0 then return middle
      when 1 then low = middle + 1
      when -1 then high = found = middle
      else high = middle
      end
    end
    found
  end

  # n * (n - 1) * ... with +count+ factors.
  def self.falling_factorial(n, count)
    return 0 if count > n || count < 0
    result = 1
    while count > 0
      result *= n
      n -= 1
      count -= 1
    end
    result
  end

  # The number of ways to choose +count+ of +n+.
  def self.binomial(n, count)
    count = n - count if count > n - count
    return 0 if count < 0
    result = 1
    i = 0
    while i < count
      result = result * (n - i) / (i + 1)
      i += 1
    end
    result
  end

  # Fisher-Yates from the end, as CRuby draws its numbers.
  def self.array_shuffle(array, random)
    return array if Primitive.random_shuffle!(array, random)
    size = i = Primitive.array_size(array)
    while i > 1
      j = Core.random_below(random, i)
      i -= 1
      raise "modified during shuffle" if Primitive.array_size(array) != size
      value = Primitive.array_at(array, j)
      Primitive.array_set(array, j, Primitive.array_at(array, i))
      Primitive.array_set(array, i, value)
    end
    array
  end
end
