# Core: what several classes of the core library share and is written in Ruby. The methods are called as +Core.name(...)+.
#
# A call +Primitive.name(...)+ in these files names a native function and is compiled to a direct call. Programs see neither.
#
# Natives that are used everywhere:
#   undef                     the "argument not given" mark; undef?(v) recognises it
#   same(a, b)                identity; equal(a, b) is identity or ==; eql(a, b) is identity or eql?
#   hash_of(v)                v.hash as a fixnum, as Hash computes it; hash_mix(h, n) joins two such numbers
#   class_of(o)               the class without singleton classes; kind_of(o, c) is is_a? that nobody can redefine
#   class_path(c)             the permanent name of a class or module, or nil; never calls +name+
#   frozen_check(o)           raises FrozenError when o is frozen
#   to_int(v) to_str(v) to_ary(v) to_hash(v)        implicit conversion or TypeError
#   to_long(v)                to_int(v), and RangeError when the result does not fit 64 bits
#   check_array(v) check_string(v) check_int(v)     implicit conversion or nil
#   fixnum?(v)                whether v is an immediate Integer, so that its comparisons with 0 cannot be redefined away
#   check_funcall(o, name)    o.name when o responds to it (private too), else undef
#   cmpint(r, a, b)           the sign of a <=> result as -1, 0, 1; raises when r is nil
#   cmp_failed(a, b)          raises "comparison of X with Y failed"
#   warn(text)                a warning with the caller's position, unless $VERBOSE is nil
#   warn_verbose(text)        the same when $VERBOSE is true; warn_deprecated(text) when Warning[:deprecated] is
#   values_pack(args)         what a one-parameter consumer sees of yielded args: nil, the value, or the array
#   block_arity(block)        its arity; block_lambda?(block); neither makes the block escape
#   block_pairs?              whether the running method's block takes one array for several parameters
#   block_spreads?            whether it is a lambda that wants several arguments; neither makes it a Proc
#   callee                    the name by which the running method was called
#   recursion_enter(o, peer, key)  false when o (with peer) is already being visited for key in this fiber
#   recursion_leave(o, peer, key)
#   range_beg_len(r, len, err)     [start, length] of range r over len elements; nil when r is no range or, with
#                                  err false, when it starts outside
#   random_int(limit, random)  an Integer in 0...limit from the generator of +random:+; undef when that must be asked in Ruby
module Core
  # Runs the block unless +object+ is already being visited for +key+: then returns Primitive.undef.
  def self.recursive(object, key, peer = nil)
    return Primitive.undef unless Primitive.recursion_enter(object, peer, key)
    begin
      yield
    ensure
      Primitive.recursion_leave(object, peer, key)
    end
  end

  # Whether a lambda block wants several arguments, so that one yielded array has to be spread for it.
  def self.spreads?(block)
    return false unless block && Primitive.block_lambda?(block)
    arity = Primitive.block_arity(block)
    arity > 1 || arity < -2
  end

  # Whether +each+ hands a lambda that wants several arguments a key and a value: that of a hash, or of an enumerator over one, which
  # hands on what its block wants.
  def self.yields_pairs?(object)
    return true if Primitive.kind_of(object, Hash)
    return false unless Primitive.kind_of(object, Enumerator) && Primitive.field?(object, :__method)
    method = Primitive.field(object, :__method)
    (Primitive.same(method, :each) || Primitive.same(method, :each_pair)) && yields_pairs?(Primitive.field(object, :__receiver))
  end

  # Yields a value, or the elements of one that is an array.
  def self.yield_spread(value, spreads)
    spreads && Primitive.check_array(value) ? yield(*value) : yield(value)
  end

  # The size that an enumerator over +object+ reports by default: its own +size+, when it has one.
  def self.size_of(object)
    size = Primitive.check_funcall(object, :size)
    Primitive.undef?(size) ? nil : size
  end

  # The size of n-th element groups such as each_slice, or nil when the number of elements is unknown.
  def self.cycle_size(size, n)
    n = Primitive.to_long(n) unless n.nil?
    return size if size.nil? || size == 0
    return Float::INFINITY if n.nil?
    n <= 0 ? 0 : size * n
  end

  # Raises ArgumentError as a call with the wrong number of arguments does.
  def self.arity_error(given, expected)
    raise ArgumentError, "wrong number of arguments (given #{given}, expected #{expected})"
  end

  # Raises ArgumentError for keywords a method does not know.
  def self.unknown_keywords(options)
    names = options.keys
    word = Primitive.array_size(names) == 1 ? "keyword" : "keywords"
    raise ArgumentError, "unknown #{word}: #{names.map(&:inspect).join(", ")}"
  end

  # A random Integer in 0...limit from +random+, or from the default generator when it is nil.
  def self.random_below(random, limit)
    n = Primitive.random_int(limit, random)
    return n unless Primitive.undef?(n)
    n = Primitive.to_long(Primitive.to_int(random.rand(limit)))
    raise RangeError, "random number too small #{n}" if n < 0
    raise RangeError, "random number too big #{n}" if n >= limit
    n
  end

  # How a binary search goes on: 0 is found, -1 is further left and remembered, 1 is further right, -2 is left only.
  def self.bsearch_step(answer)
    return -1 if true == answer
    return 1 if false == answer || nil == answer
    unless Primitive.kind_of(answer, Numeric)
      raise TypeError, "wrong argument type #{Primitive.class_of(answer)} (must be numeric, true, false or nil)"
    end
    sign = Primitive.cmpint(answer <=> 0, answer, 0)
    sign == 0 ? 0 : (sign < 0 ? -2 : 1)
  end

  # Sorts +array+ in place with the block. A merge sort from the bottom up: stable, and it never
  # reads past the array however inconsistent the comparison is. What descends throughout is turned around.
  def self.merge_sort(array, &block)
    size = Primitive.array_size(array)
    width = 8
    if size <= width
      Core.insertion_runs(array, size, &block)
      return array
    end
    return Core.array_turn(array, size) if Core.descends?(array, size, &block)
    Core.insertion_runs(array, size, &block)
    spare = Primitive.array_slice(array, 0, size)
    from, into = array, spare
    while width < size
      low = 0
      while low < size
        Core.merge_runs(from, into, low, low + width, low + width + width, size, &block)
        low += width + width
      end
      from, into = into, from
      width += width
    end
    Primitive.array_replace(array, from) unless Primitive.same(from, array)
    array
  end

  # Whether every element of two or more is greater than the next one.
  def self.descends?(array, size)
    value = Primitive.array_at(array, 0)
    i = 1
    while i < size
      other = Primitive.array_at(array, i)
      sign = yield(value, other)
      sign = Primitive.cmpint(sign, value, other) unless Primitive.fixnum?(sign)
      return false if sign <= 0
      value = other
      i += 1
    end
    true
  end

  # Turns an array around in place.
  def self.array_turn(array, size)
    left = 0
    right = size - 1
    while left < right
      value = Primitive.array_at(array, left)
      Primitive.array_set(array, left, Primitive.array_at(array, right))
      Primitive.array_set(array, right, value)
      left += 1
      right -= 1
    end
    array
  end

  # Sorts each run of eight elements by insertion.
  def self.insertion_runs(array, size)
    i = 1
    while i < size
      if i & 7 != 0
        value = Primitive.array_at(array, i)
        j = i - 1
        stop = i & -8
        while j >= stop
          other = Primitive.array_at(array, j)
          sign = yield(other, value)
          sign = Primitive.cmpint(sign, other, value) unless Primitive.fixnum?(sign)
          break if sign <= 0
          Primitive.array_set(array, j + 1, other)
          j -= 1
        end
        Primitive.array_set(array, j + 1, value)
      end
      i += 1
    end
  end

  # Merges from[low...middle] and from[middle...high] into +into+; both ends are clipped to +size+.
  def self.merge_runs(from, into, low, middle, high, size)
    return Primitive.array_carry(from, low, into, low, size) if middle >= size
    high = size if high > size
    left = low
    right = middle
    # What is in order already is copied.
    a = Primitive.array_at(from, middle - 1)
    b = Primitive.array_at(from, right)
    sign = yield(a, b)
    sign = Primitive.cmpint(sign, a, b) unless Primitive.fixnum?(sign)
    return Primitive.array_carry(from, low, into, low, high) if sign <= 0
    a = Primitive.array_at(from, left)
    while true
      sign = yield(a, b)
      sign = Primitive.cmpint(sign, a, b) unless Primitive.fixnum?(sign)
      if sign <= 0
        Primitive.array_set(into, low, a)
        low += 1
        left += 1
        return Primitive.array_carry(from, right, into, low, high) if left == middle
        a = Primitive.array_at(from, left)
      else
        Primitive.array_set(into, low, b)
        low += 1
        right += 1
        return Primitive.array_carry(from, left, into, low, middle) if right == high
        b = Primitive.array_at(from, right)
      end
    end
  end

  # Sorts +values+ in place by the parallel +keys+, with <=>.
  def self.sort_by_keys(keys, values)
    return values if Primitive.array_sort_keys!(keys, values)
    size = Primitive.array_size(values)
    pairs = Primitive.array_new(size)
    i = 0
    while i < size
      Primitive.array_push(pairs, [Primitive.array_at(keys, i), Primitive.array_at(values, i)])
      i += 1
    end
    Core.merge_sort(pairs) do |a, b|
      x = Primitive.array_at(a, 0)
      y = Primitive.array_at(b, 0)
      Primitive.cmpint(x <=> y, x, y)
    end
    i = 0
    while i < size
      Primitive.array_set(values, i, Primitive.array_at(Primitive.array_at(pairs, i), 1))
      i += 1
    end
    values
  end

  # Running sum: exact for integers and rationals, Kahan-Babuska compensated from the first Float on, plain +
  # from the first value that is none of these.
  class Sum
    # While the sum is one of floats: what Primitive.float_sum_add takes, the sum and its compensation. Otherwise nil.
    attr_reader :floats

    def initialize(start)
      @value = start
      @is_exact = Primitive.fixnum?(start) || exact?(start)
      @floats = [start, 0.0] if Primitive.kind_of(start, Float)
    end

    def add(value)
      if @is_exact
        return @value += value if Primitive.fixnum?(value) || exact?(value)
        @is_exact = false
        @floats = [@value.to_f, 0.0] if Primitive.kind_of(value, Float)
      end
      return if @floats && Primitive.float_sum_add(@floats, value)
      return Primitive.float_sum_add(@floats, value.to_f) if @floats && exact?(value)
      @value = result
      @floats = nil
      @value += value
    end

    def result = @floats ? Primitive.array_at(@floats, 0) + Primitive.array_at(@floats, 1) : @value

    private

    def exact?(value) = Primitive.kind_of(value, Integer) || Primitive.kind_of(value, Rational)
  end
end
