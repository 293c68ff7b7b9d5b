# Enumerable: everything that follows from each.
#
# +each+ may yield several values at once. Methods that collect or pass on elements take such a group as one array: a
# block parameter +*packed+ is one value as it is, and several as an array (+Primitive.values_pack+ does the same to an
# array). A block that passes on what was yielded has the parameters +*packed; grouped, paired, second+: of one value all
# but the first are nil; of two the first and the last are these, and +paired+ is true; otherwise, and if there are none,
# +grouped+ is true, and the first is the array of them. A lambda that is given a group as one array takes it apart as a proc
# does (+Core.by_groups+). A loop over an Array whose +each+ is the original one (+Primitive.array_each?+) reads the elements
# directly.
module Enumerable
  # Returns the elements. Arguments go to +each+.
  #   (1..3).to_a #=> [1, 2, 3]
  def to_a(*args, **options)
    result = []
    if Primitive.array_size(args) == 0 && options.empty?
      each do |*packed|
        Primitive.array_push(result, packed)
        nil
      end
    else
      each(*args, **options) do |*packed|
        Primitive.array_push(result, packed)
        nil
      end
    end
    result
  end
  alias entries to_a

  # Returns the block's results.
  #   (1..3).map { |x| x * 2 } #=> [2, 4, 6]
  def map
    return Core.enumerator_of(self, Primitive.callee, :size) unless block_given?
    result = []
    # A hash yields pairs as two values to a lambda that takes two.
    spreads = Primitive.block_spreads? && Core.yields_pairs?(self)
    if Primitive.hash_each?(self)
      pair = spreads || Primitive.block_pairs?
      Core.hash_pairs(self) do |key, value|
        Primitive.array_push(result, pair ? yield(key, value) : yield([key, value]))
      end
    elsif spreads
      each { |pair| Primitive.array_push(result, yield(*pair)) }
    elsif (last = Primitive.range_last(self))
      i = Primitive.range_begin(self)
      while i <= last
        Primitive.array_push(result, yield(i))
        i += 1
      end
    else
      each do |*packed; grouped, paired, second|
        Primitive.array_push(result, paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed))
        nil
      end
    end
    result
  end
  alias collect map

  # Returns the elements of the block's results that are arrays, and the other results.
  #   [1, 2].flat_map { |x| [x, -x] } #=> [1, -1, 2, -2]
  def flat_map
    return Core.enumerator_of(self, Primitive.callee, :size) unless block_given?
    result = []
    if Primitive.array_each?(self)
      element = nil
      i = 0
      while Primitive.array_next(self, i, element)
        Core.flatten_onto(result, yield(element))
      end
    elsif Primitive.hash_each?(self)
      pair = Primitive.block_pairs?
      Core.hash_pairs(self) { |key, value| Core.flatten_onto(result, pair ? yield(key, value) : yield([key, value])) }
    elsif (last = Primitive.range_last(self))
      i = Primitive.range_begin(self)
      while i <= last
        Core.flatten_onto(result, yield(i))
        i += 1
      end
    else
      each do |*packed; grouped, paired, second|
        Core.flatten_onto(result, paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed))
      end
    end
    result
  end
  alias collect_concat flat_map

  # Returns the block's results that are true.
  #   [1, 2].filter_map { |x| x * 2 if x > 1 } #=> [4]
  def filter_map
    return Core.enumerator_of(self, :filter_map, :size) unless block_given?
    result = []
    if Primitive.array_each?(self)
      i = 0
      while i < Primitive.array_size(self)
        value = yield(Primitive.array_at(self, i))
        Primitive.array_push(result, value) if value
        i += 1
      end
    elsif Primitive.hash_each?(self)
      pair = Primitive.block_pairs?
      Core.hash_pairs(self) do |key, value|
        value = pair ? yield(key, value) : yield([key, value])
        Primitive.array_push(result, value) if value
      end
    elsif (last = Primitive.range_last(self))
      i = Primitive.range_begin(self)
      while i <= last
        value = yield(i)
        Primitive.array_push(result, value) if value
        i += 1
      end
    else
      each do |*packed; grouped, paired, second|
        value = paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed)
        Primitive.array_push(result, value) if value
      end
    end
    result
  end

  # Returns the elements for which the block is true.
  #   (1..4).select(&:even?) #=> [2, 4]
  def select(&block)
    return Core.enumerator_of(self, Primitive.callee, :size) unless block_given?
    return Core.by_groups(self, :select, block) if Primitive.block_takes_groups?
    result = []
    each do |*packed; grouped, paired, second|
      value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
      Primitive.array_push(result, value) if (grouped && Primitive.same(value, nil) ? yield : yield(value))
      nil
    end
    result
  end
  alias filter select
  alias find_all select

  # Returns the elements for which the block is false.
  #   (1..4).reject(&:even?) #=> [1, 3]
  def reject(&block)
    return Core.enumerator_of(self, :reject, :size) unless block_given?
    return Core.by_groups(self, :reject, block) if Primitive.block_takes_groups?
    result = []
    each do |*packed; grouped, paired, second|
      value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
      Primitive.array_push(result, value) unless (grouped && Primitive.same(value, nil) ? yield : yield(value))
      nil
    end
    result
  end

  # Returns the elements without nil.
  #   [1, nil].each.compact #=> [1]
  def compact
    result = []
    each do |*packed|
      value = packed
      Primitive.array_push(result, value) unless nil == value
    end
    result
  end

  # Returns the elements for which the block is true, and the others.
  #   (1..4).partition(&:even?) #=> [[2, 4], [1, 3]]
  def partition(&block)
    return Core.enumerator_of(self, :partition, :size) unless block_given?
    return Core.by_groups(self, :partition, block) if Primitive.block_takes_groups?
    chosen = []
    others = []
    if Primitive.array_each?(self)
      element = nil
      i = 0
      while Primitive.array_next(self, i, element)
        Primitive.array_push(yield(element) ? chosen : others, element)
      end
    else
      each do |*packed; grouped, paired, second|
        value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
        Primitive.array_push((grouped && Primitive.same(value, nil) ? yield : yield(value)) ? chosen : others, value)
      end
    end
    [chosen, others]
  end

  # Returns a Hash from each result of the block to the elements that gave it.
  #   (1..3).group_by(&:odd?) #=> {true => [1, 3], false => [2]}
  def group_by(&block)
    return Core.enumerator_of(self, :group_by, :size) unless block_given?
    return Core.by_groups(self, :group_by, block) if Primitive.block_takes_groups?
    groups = {}
    if Primitive.array_each?(self)
      element = nil
      i = 0
      while Primitive.array_next(self, i, element)
        Core.group_add(groups, yield(element), element)
      end
    else
      each do |*packed; grouped, paired, second|
        value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
        Core.group_add(groups, (grouped && Primitive.same(value, nil) ? yield : yield(value)), value)
      end
    end
    groups
  end

  # Counts equal elements, adding to +counts+ when it is given.
  #   %w[a b a].tally #=> {"a" => 2, "b" => 1}
  def tally(counts = (no_counts = true; nil))
    if no_counts
      counts = {}
    else
      counts = Primitive.to_hash(counts)
      Primitive.frozen_check(counts)
    end
    if Primitive.array_each?(self)
      element = nil
      i = 0
      while Primitive.array_next(self, i, element)
        Primitive.tally_add(counts, element)
      end
    else
      each { |*packed| Primitive.tally_add(counts, packed) }
    end
    counts
  end

  # Returns the Set of the elements, or of the block's results.
  #   [1, 2, 1].to_set #=> Set[1, 2]
  def to_set(klass = (no_klass = true; Set), *args, &block)
    return Set.new(self) if no_klass && !block
    return klass.new(self, *args, &block) if no_klass || Primitive.same(klass, Set)
    Primitive.warn_deprecated("passing arguments to Enumerable#to_set is deprecated")
    klass.new(self, *args, &block)
  end

  # Builds a Hash from [key, value] pairs, or from the pairs the block returns. Arguments go to +each+.
  #   [[1, 2]].each.to_h #=> {1 => 2}
  def to_h(*args)
    hash = {}
    if block_given?
      each(*args) do |*packed; grouped, paired, second|
        Primitive.hash_set_pair(hash, paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed))
      end
    else
      each(*args) { |*packed| Primitive.hash_set_pair(hash, packed) }
    end
    hash
  end

  # Returns the elements that +pattern+ matches, or the block's results for them.
  #   (1..10).grep(2..3) #=> [2, 3]
  def grep(pattern, &block)
    return Core.by_groups(self, :grep, block, pattern) if block && Primitive.block_takes_groups?
    result = []
    # Without a block nobody looks at what a pattern captured, and $~ stays as it is.
    if !block && Core.plain_regexp?(pattern)
      each do |*packed|
        value = packed
        Primitive.array_push(result, value) if Core.regexp_fits?(pattern, value)
      end
      return result
    end
    each do |*packed; grouped, paired, second|
      value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
      Primitive.array_push(result, !block_given? ? value : grouped && Primitive.same(value, nil) ? yield : yield(value)) if pattern === value
    end
    result
  end

  # Returns the elements that +pattern+ does not match, or the block's results for them.
  #   (1..4).grep_v(2..3) #=> [1, 4]
  def grep_v(pattern, &block)
    return Core.by_groups(self, :grep_v, block, pattern) if block && Primitive.block_takes_groups?
    result = []
    if !block && Core.plain_regexp?(pattern)
      each do |*packed|
        value = packed
        Primitive.array_push(result, value) unless Core.regexp_fits?(pattern, value)
      end
      return result
    end
    each do |*packed; grouped, paired, second|
      value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
      Primitive.array_push(result, !block_given? ? value : grouped && Primitive.same(value, nil) ? yield : yield(value)) unless pattern === value
    end
    result
  end

  # Counts all elements, those that equal +object+, or those that satisfy the block.
  #   (1..4).count(&:even?) #=> 2
  def count(object = (no_object = true; nil))
    n = 0
    if !no_object
      Primitive.warn("given block not used") if block_given?
      each { |*packed| n += 1 if Primitive.equal(packed, object) }
    elsif block_given? && Primitive.hash_each?(self)
      pair = Primitive.block_pairs?
      Core.hash_pairs(self) { |key, value| n += 1 if pair ? yield(key, value) : yield([key, value]) }
    elsif block_given?
      each do |*packed; grouped, paired, second|
        n += 1 if paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed)
      end
    else
      each { n += 1 }
    end
    n
  end

  # Returns the first element for which the block is true; calls +if_none+ when there is none.
  #   (1..4).find(&:even?) #=> 2
  def find(if_none = nil, &block)
    return Core.enumerator(self, Primitive.callee, if_none.nil? ? [] : [if_none]) unless block
    # To a lambda a pair of a hash is what it is to a proc.
    pairs = Primitive.block_lambda?(block) && Core.yields_pairs?(self)
    return Core.by_groups(self, :find, block, if_none, pairs: true) if pairs
    return Core.by_groups(self, :find, block, if_none) if Primitive.block_takes_groups?
    each do |*packed; grouped, paired, second|
      value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
      return value if grouped && Primitive.same(value, nil) ? yield : yield(value)
    end
    if_none.nil? ? nil : if_none.call
  end
  alias detect find

  # Returns the number of the first element that equals +object+ or satisfies the block.
  #   (5..9).find_index(7) #=> 2
  def find_index(object = (no_object = true; nil))
    return Core.enumerator(self, :find_index, Core::NO_ARGUMENTS) if no_object && !block_given?
    i = 0
    if no_object
      each do |*packed; grouped, paired, second|
        return i if paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed)
        i += 1
      end
    else
      Primitive.warn("given block not used") if block_given?
      each do |*packed|
        return i if Primitive.equal(packed, object)
        i += 1
      end
    end
    nil
  end

  # Returns the first element, or the first +n+.
  #   (1..4).first(2) #=> [1, 2]
  def first(n = (no_n = true; nil))
    return Core.enum_take(self, n) unless no_n
    return Core.hash_first(self) if Primitive.hash_each?(self)
    each { |*packed| return packed }
    nil
  end

  # Returns the first +n+ elements.
  #   (1..4).take(2) #=> [1, 2]
  def take(n) = Core.enum_take(self, n)

  # Returns the leading elements for which the block is true.
  #   (1..4).take_while { |x| x < 3 } #=> [1, 2]
  def take_while
    return Core.enumerator(self, :take_while, Core::NO_ARGUMENTS) unless block_given?
    result = []
    each do |*packed; grouped, paired, second|
      return result unless paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed)
      Primitive.array_push(result, Core.group_value(packed, grouped, paired, second))
    end
    result
  end

  # Returns the elements after the first +n+.
  #   (1..4).drop(2) #=> [3, 4]
  def drop(n)
    n = Primitive.to_long(n)
    raise ArgumentError, "attempt to drop negative size" if n < 0
    result = []
    each do |*packed|
      if n > 0
        n -= 1
      else
        Primitive.array_push(result, packed)
      end
    end
    result
  end

  # Returns the elements from the first one for which the block is false.
  #   (1..4).drop_while { |x| x < 3 } #=> [3, 4]
  def drop_while(&block)
    return Core.enumerator(self, :drop_while, Core::NO_ARGUMENTS) unless block_given?
    return Core.by_groups(self, :drop_while, block) if Primitive.block_takes_groups?
    result = []
    dropping = true
    each do |*packed; grouped, paired, second|
      value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
      dropping = false if dropping && !(grouped && Primitive.same(value, nil) ? yield : yield(value))
      Primitive.array_push(result, value) unless dropping
    end
    result
  end

  # Whether some element equals +object+.
  #   (1..4).include?(2) #=> true
  def include?(object)
    each { |*packed| return true if Primitive.equal(packed, object) }
    false
  end
  alias member? include?

  # Whether every element is true, satisfies the block, or matches +pattern+.
  #   (1..4).all? { |x| x < 5 } #=> true
  def all?(pattern = (no_pattern = true; nil))
    Primitive.warn("given block not used") if block_given? && !no_pattern
    if no_pattern && block_given? && Primitive.hash_each?(self)
      pair = Primitive.block_pairs?
      Core.hash_pairs(self) { |key, value| return false unless pair ? yield(key, value) : yield([key, value]) }
      return true
    end
    if no_pattern && block_given?
      each do |*packed; grouped, paired, second|
        return false unless paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed)
      end
    else
      each { |*packed| return false unless no_pattern ? packed : pattern === packed }
    end
    true
  end

  # Whether some element is true, satisfies the block, or matches +pattern+.
  #   (1..4).any?(3) #=> true
  def any?(pattern = (no_pattern = true; nil))
    Primitive.warn("given block not used") if block_given? && !no_pattern
    if no_pattern && block_given?
      each do |*packed; grouped, paired, second|
        return true if paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed)
      end
    else
      each { |*packed| return true if no_pattern ? packed : pattern === packed }
    end
    false
  end

  # Whether no element is true, satisfies the block, or matches +pattern+.
  #   (1..4).none?(5) #=> true
  def none?(pattern = (no_pattern = true; nil))
    Primitive.warn("given block not used") if block_given? && !no_pattern
    if no_pattern && block_given?
      each do |*packed; grouped, paired, second|
        return false if paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed)
      end
    else
      each { |*packed| return false if no_pattern ? packed : pattern === packed }
    end
    true
  end

  # Whether exactly one element is true, satisfies the block, or matches +pattern+.
  #   (1..4).one?(2) #=> true
  def one?(pattern = (no_pattern = true; nil))
    Primitive.warn("given block not used") if block_given? && !no_pattern
    found = false
    each do |*packed; grouped, paired, second|
      if no_pattern && block_given?
        value = paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed)
      else
        value = Core.group_value(packed, grouped, paired, second)
      end
      if no_pattern ? value : pattern === value
        return false if found
        found = true
      end
    end
    found
  end

  # Combines the elements from the left, with the block or the method named +operation+.
  #   (1..4).inject(:+) #=> 10
  def inject(initial = (no_initial = true; Primitive.undef), operation = (no_operation = true; nil))
    if block_given? && no_operation
      return Core.array_inject(self, initial) { |memo, value| yield memo, value } if Primitive.array_each?(self)
      memo = initial
      each do |*packed|
        value = packed
        memo = Primitive.undef?(memo) ? value : yield(memo, value)
      end
      return Primitive.undef?(memo) ? nil : memo
    end
    Core.arity_error(0, "1..2") if no_initial
    if no_operation
      operation = initial
      initial = Primitive.undef
    elsif block_given?
      Primitive.warn("given block not used")
    end
    Core.inject_operation(self, initial, Core.operation_name(operation))
  end
  alias reduce inject

  # Adds all elements, or the block's results, to +init+. Floats are summed with compensation, a range between two Integers
  # without going through it.
  #   (1..4).each_slice(1).sum([]) #=> [1, 2, 3, 4]
  def sum(init = 0)
    if !block_given? && Primitive.kind_of(self, Range) && (total = Core.range_sum(self))
      return init + total if Primitive.kind_of(init, Integer)
      return init if Core.range_empty?(self)
      # A number that is not an Integer is made one of the same kind as the total, as by an operator.
      first, second = total.coerce(init)
      return first + second
    end
    sum = Core::Sum.new(init)
    if block_given? && Primitive.hash_each?(self)
      pair = Primitive.block_pairs?
      Core.hash_pairs(self) { |key, value| sum.add(pair ? yield(key, value) : yield([key, value])) }
    elsif block_given?
      each do |*packed|
        value = packed
        sum.add(yield(value))
      end
    else
      each { |*packed| sum.add(packed) }
    end
    sum.result
  end

  # Returns the least element, or the +n+ least in order.
  #   %w[bb a].min { |a, b| a.size <=> b.size } #=> "a"
  def min(n = nil, &block)
    return Core.enum_selection(self, n, false, &block) unless n.nil?
    result = block_given? ? Primitive.undef : Core.set_extreme(self, false)
    return result unless Primitive.undef?(result)
    each do |*packed|
      value = packed
      if Primitive.undef?(result)
        result = value
      else
        sign = block_given? ? yield(value, result) : value <=> result
        result = value if Primitive.cmpint(sign, value, result) < 0
      end
    end
    Primitive.undef?(result) ? nil : result
  end

  # Returns the greatest element, or the +n+ greatest, greatest first.
  #   (1..4).max(2) #=> [4, 3]
  def max(n = nil, &block)
    return Core.enum_selection(self, n, true, &block) unless n.nil?
    result = block_given? ? Primitive.undef : Core.set_extreme(self, true)
    return result unless Primitive.undef?(result)
    each do |*packed|
      value = packed
      if Primitive.undef?(result)
        result = value
      else
        sign = block_given? ? yield(value, result) : value <=> result
        result = value if Primitive.cmpint(sign, value, result) > 0
      end
    end
    Primitive.undef?(result) ? nil : result
  end

  # Returns the least and the greatest element.
  #   (1..4).minmax #=> [1, 4]
  def minmax
    low = block_given? ? Primitive.undef : Core.set_extreme(self, false)
    return [low, Core.set_extreme(self, true)] unless Primitive.undef?(low)
    low = high = Primitive.undef
    each do |*packed|
      value = packed
      if Primitive.undef?(low)
        low = high = value
      else
        sign = block_given? ? yield(value, low) : value <=> low
        low = value if Primitive.cmpint(sign, value, low) < 0
        sign = block_given? ? yield(value, high) : value <=> high
        high = value if Primitive.cmpint(sign, value, high) > 0
      end
    end
    Primitive.undef?(low) ? [nil, nil] : [low, high]
  end

  # Returns the element, or the +n+ elements in order, with the least result of the block.
  #   %w[bb a].min_by(&:size) #=> "a"
  def min_by(n = nil, &block)
    unless block_given?
      return Core.enumerator_counted(self, :min_by, n.nil? ? [] : [n], :size)
    end
    return Core.by_groups(self, :min_by, block, n) if Primitive.block_takes_groups?
    return Core.enum_selection_by(self, n, false) { |value| yield value } unless n.nil?
    result = least = Primitive.undef
    each do |*packed; grouped, paired, second|
      value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
      key = grouped && Primitive.same(value, nil) ? yield : yield(value)
      if Primitive.undef?(least) || Primitive.cmpint(key <=> least, key, least) < 0
        least = key
        result = value
      end
    end
    Primitive.undef?(result) ? nil : result
  end

  # Returns the element, or the +n+ elements from the top, with the greatest result of the block.
  #   %w[bb a].max_by(&:size) #=> "bb"
  def max_by(n = nil, &block)
    unless block_given?
      return Core.enumerator_counted(self, :max_by, n.nil? ? [] : [n], :size)
    end
    return Core.by_groups(self, :max_by, block, n) if Primitive.block_takes_groups?
    return Core.enum_selection_by(self, n, true) { |value| yield value } unless n.nil?
    result = greatest = Primitive.undef
    each do |*packed; grouped, paired, second|
      value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
      key = grouped && Primitive.same(value, nil) ? yield : yield(value)
      if Primitive.undef?(greatest) || Primitive.cmpint(key <=> greatest, key, greatest) > 0
        greatest = key
        result = value
      end
    end
    Primitive.undef?(result) ? nil : result
  end

  # Returns the elements with the least and the greatest result of the block.
  #   %w[bb a ccc].minmax_by(&:size) #=> ["a", "ccc"]
  def minmax_by(&block)
    return Core.enumerator_of(self, :minmax_by, :size) unless block_given?
    return Core.by_groups(self, :minmax_by, block) if Primitive.block_takes_groups?
    low = high = least = greatest = Primitive.undef
    each do |*packed; grouped, paired, second|
      value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
      key = grouped && Primitive.same(value, nil) ? yield : yield(value)
      if Primitive.undef?(least) || Primitive.cmpint(key <=> least, key, least) < 0
        least = key
        low = value
      end
      if Primitive.undef?(greatest) || Primitive.cmpint(key <=> greatest, key, greatest) > 0
        greatest = key
        high = value
      end
    end
    Primitive.undef?(low) ? [nil, nil] : [low, high]
  end

  # Returns the elements in order, by <=> or by the block.
  #   (1..3).sort { |a, b| b <=> a } #=> [3, 2, 1]
  def sort(&block) = Core.array_sort(Core.enum_values(self), &block)

  # Returns the elements in the order of the block's results.
  #   %w[bb a].sort_by(&:size) #=> ["a", "bb"]
  def sort_by(&block)
    return Core.enumerator_of(self, :sort_by, :size) unless block_given?
    return Core.by_groups(self, :sort_by, block) if Primitive.block_takes_groups?
    keys = []
    values = []
    if Primitive.array_each?(self)
      keys = Primitive.array_new(Primitive.array_size(self))
      values = Primitive.array_new(Primitive.array_size(self))
      element = nil
      i = 0
      while Primitive.array_next(self, i, element)
        Primitive.array_push(values, element)
        Primitive.array_push(keys, yield(element))
      end
    else
      each do |*packed; grouped, paired, second|
        value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
        Primitive.array_push(values, value)
        Primitive.array_push(keys, grouped && Primitive.same(value, nil) ? yield : yield(value))
      end
    end
    Primitive.array_size(values) > 1 ? Core.sort_by_keys(keys, values) : values
  end

  # Returns the elements without repetitions, as told by hash and eql? of them or of the block's results.
  #   (1..4).uniq(&:odd?) #=> [1, 2]
  def uniq
    seen = {}
    result = []
    if block_given?
      each do |*packed; grouped, paired, second|
        key = paired ? yield(packed, second) : grouped ? yield(*packed) : yield(packed)
        Primitive.array_push(result, Core.group_value(packed, grouped, paired, second)) if Primitive.hash_add(seen, key)
      end
    else
      each { |*packed| Primitive.array_push(result, packed) if Primitive.hash_add(seen, packed) }
    end
    result
  end

  # Calls the block with each element, a group of yielded values being one array.
  #   [1].each_entry { |x| p x }
  def each_entry(*args, &block)
    return Core.enumerator_counted(self, :each_entry, args, :size) unless block_given?
    return Core.by_groups(self, :each_entry, block, *args) if Primitive.block_takes_groups?
    each(*args) do |*packed; grouped, paired, second|
      # What is nothing stays nothing.
      paired ? yield([packed, second]) : grouped && Primitive.array_size(packed) == 0 ? yield : yield(packed)
    end
    self
  end

  # Calls the block with each element and its number.
  #   %w[a b].each_with_index.to_a #=> [["a", 0], ["b", 1]]
  def each_with_index(*args)
    unless block_given?
      return Core.enumerator_of(self, :each_with_index, :size) if Primitive.array_size(args) == 0
      return Core.enumerator_counted(self, :each_with_index, args, :size)
    end
    i = 0
    if Primitive.array_size(args) == 0 && Primitive.array_each?(self)
      element = nil
      position = 0
      while Primitive.array_next(self, position, element)
        yield element, i
        i += 1
      end
    else
      each(*args) do |*packed|
        index = i
        i += 1
        yield packed, index
      end
    end
    self
  end

  # Calls the block with each element and +memo+; returns +memo+.
  #   (1..3).each_with_object([]) { |x, a| a << x } #=> [1, 2, 3]
  def each_with_object(memo)
    return Core.enumerator_counted(self, :each_with_object, [memo], :size) unless block_given?
    if Primitive.array_each?(self)
      element = nil
      i = 0
      while Primitive.array_next(self, i, element)
        yield element, memo
      end
    else
      each { |*packed| yield packed, memo }
    end
    memo
  end

  # Calls the block with each element, last first. Arguments go to +each+.
  #   (1..3).reverse_each.to_a #=> [3, 2, 1]
  def reverse_each(*args)
    return Core.enumerator_counted(self, :reverse_each, args, :size) unless block_given?
    values = Core.enum_values(self, args)
    i = Primitive.array_size(values) - 1
    while i >= 0
      yield Primitive.array_at(values, i)
      i -= 1
    end
    self
  end

  # Calls the block with arrays of +n+ elements; the last may be shorter.
  #   (1..3).each_slice(2).to_a #=> [[1, 2], [3]]
  def each_slice(n)
    size = Primitive.to_long(n)
    raise ArgumentError, "invalid slice size" if size <= 0
    unless block_given?
      return Core.enumerator_counted(self, :each_slice, [n], :slices)
    end
    if Primitive.array_each?(self)
      i = 0
      # Nobody sees an array that goes to several parameters.
      window = Primitive.array_new(size) if size <= Primitive.array_size(self) && Primitive.block_pairs?
      while i < Primitive.array_size(self)
        if window && i + size <= Primitive.array_size(self)
          stop = i + size
          while i < stop
            Primitive.array_slide(window, size, Primitive.array_at(self, i))
            i += 1
          end
          yield window
        else
          i += size
          yield Primitive.array_copy(self, i - size, size)
        end
      end
      return self
    end
    slice = Primitive.array_new(size)
    each do |*packed|
      Primitive.array_push(slice, packed)
      if Primitive.array_size(slice) == size
        full = slice
        slice = Primitive.array_new(size)
        yield full
      end
    end
    yield slice if Primitive.array_size(slice) > 0
    self
  end

  # Calls the block with every +n+ consecutive elements.
  #   (1..4).each_cons(3).to_a #=> [[1, 2, 3], [2, 3, 4]]
  def each_cons(n)
    size = Primitive.to_long(n)
    raise ArgumentError, "invalid size" if size <= 0
    unless block_given?
      return Core.enumerator_counted(self, :each_cons, [n], :windows)
    end
    window = Primitive.array_new(size)
    # Nobody sees an array that goes to several parameters.
    spreads = Primitive.block_pairs?
    if Primitive.array_each?(self)
      element = nil
      i = 0
      while Primitive.array_next(self, i, element)
        Primitive.array_slide(window, size, element)
        yield(spreads ? window : Primitive.array_copy(window, 0, size)) if i >= size
      end
    else
      each do |*packed|
        Primitive.array_slide(window, size, packed)
        yield(spreads ? window : Primitive.array_copy(window, 0, size)) if Primitive.array_size(window) == size
      end
    end
    self
  end

  # Returns arrays of the elements at equal positions of self and the others.
  #   (1..2).zip([3, 4]) #=> [[1, 3], [2, 4]]
  def zip(*others, &block)
    return Core.spread_zip(self, others, block) if block && Primitive.array_size(others) != 0 && Primitive.block_takes_groups?
    sources = Core.array_map!(others) { |other| Core.zip_source(other) }
    result = block_given? ? nil : []
    # Elements that come alone are yielded as they are.
    is_alone = block_given? && Primitive.array_size(others) == 0
    i = 0
    each do |*packed|
      tuple = is_alone ? packed : Core.zip_tuple(packed, sources, i)
      i += 1
      result ? Primitive.array_push(result, tuple) : yield(tuple)
    end
    result
  end

  # Calls the block with every element, +n+ times or for ever.
  #   (1..2).cycle(2).to_a #=> [1, 2, 1, 2]
  def cycle(n = nil, &block)
    unless block
      return Core.enumerator(self, :cycle, n.nil? ? [] : [n]) { Core.cycle_size(Core.size_of(self), n) }
    end
    return Core.by_groups(self, :cycle, block, n) if Primitive.block_takes_groups?
    left = n.nil? ? 1 : Primitive.to_long(n)
    return nil if left <= 0
    values = []
    each do |*packed; grouped, paired, second|
      value = grouped || paired ? Core.group_value(packed, grouped, paired, second) : packed
      # The list stands for nothing, which is yielded as such again.
      is_nothing = grouped && Primitive.same(value, nil)
      Primitive.array_push(values, is_nothing ? values : value)
      is_nothing ? yield : yield(value)
    end
    return nil if Primitive.array_size(values) == 0
    while n.nil? || (left -= 1) > 0
      element = nil
      i = 0
      while Primitive.array_next(values, i, element)
        Primitive.same(element, values) ? yield : yield(element)
      end
    end
    nil
  end

  # Returns an enumerator over runs of elements with equal results of the block: nil and :_separator drop an
  # element, :_alone makes it a run of its own.
  #   [1, 3, 2].chunk(&:odd?).to_a #=> [[true, [1, 3]], [false, [2]]]
  def chunk(&block)
    return Core.enumerator_of(self, :chunk, :size) unless block
    enumerable = self
    Enumerator.new do |yielder|
      key = nil
      run = nil
      enumerable.each do |*packed|
        value = packed
        found = block.call(value)
        if Core.chunk_ends?(found) || (run && (Primitive.same(key, :_alone) || key != found))
          yielder.yield([key, run]) if run
          run = nil
        end
        next if found.nil? || Primitive.same(found, :_separator)
        run ||= []
        key = found
        Primitive.array_push(run, value)
      end
      yielder.yield([key, run]) if run
      nil
    end
  end

  # Returns an enumerator over runs that end where the block is false for two neighbours.
  #   [1, 2, 4].chunk_while { |a, b| b == a + 1 }.to_a #=> [[1, 2], [4]]
  def chunk_while(&block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    Core.enum_split(self) { |before, value| !block.call(before, value) }
  end

  # Returns an enumerator over runs that end where the block is true for two neighbours.
  #   [1, 2, 4].slice_when { |a, b| b > a + 1 }.to_a #=> [[1, 2], [4]]
  def slice_when(&block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    Core.enum_split(self) { |before, value| block.call(before, value) }
  end

  # Returns an enumerator over runs, each begun by an element that matches +pattern+ or satisfies the block.
  #   [1, 2, 3].slice_before(&:even?).to_a #=> [[1], [2, 3]]
  def slice_before(pattern = (no_pattern = true; nil), &block)
    if block
      Core.arity_error(1, 0) unless no_pattern
    elsif no_pattern
      Core.arity_error(0, 1)
    end
    enumerable = self
    Enumerator.new do |yielder|
      run = nil
      enumerable.each do |*packed|
        value = packed
        if (block ? block.call(value) : pattern === value) && run
          yielder.yield(run)
          run = nil
        end
        run ||= []
        Primitive.array_push(run, value)
      end
      yielder.yield(run) if run
      nil
    end
  end

  # Returns an enumerator over runs, each ended by an element that matches +pattern+ or satisfies the block.
  #   [1, 2, 3].slice_after(&:even?).to_a #=> [[1, 2], [3]]
  def slice_after(pattern = (no_pattern = true; nil), &block)
    if block
      raise ArgumentError, "both pattern and block are given" unless no_pattern
    elsif no_pattern
      Core.arity_error(0, 1)
    end
    enumerable = self
    Enumerator.new do |yielder|
      run = nil
      enumerable.each do |*packed|
        value = packed
        run ||= []
        Primitive.array_push(run, value)
        if block ? block.call(value) : pattern === value
          yielder.yield(run)
          run = nil
        end
      end
      yielder.yield(run) if run
      nil
    end
  end

  # Returns a lazy enumerator over the elements.
  #   (1..).lazy.map { |x| x * 2 }.first(2) #=> [2, 4]
  def lazy = Core.lazy_root(self, proc { Core.size_of(self) })

  # Returns an enumerator of the elements followed by those of the others.
  #   [1].chain([2]).to_a #=> [1, 2]
  def chain(*others) = Enumerator::Chain.new(self, *others)
end

# The shared halves of the methods above.
module Core
  # Enumerable#zip for a lambda of several parameters.
  def self.spread_zip(enum, others, block)
    enum.zip(*others) { |tuple| block.call(*tuple) }
  end

  # What was yielded as one value, in a block that tells of groups.
  def self.group_value(packed, grouped, paired, second)
    paired ? [packed, second] : grouped ? Primitive.values_pack(packed) : packed
  end

  # A Regexp whose === is Regexp's.
  def self.plain_regexp?(pattern) = Primitive.kind_of(pattern, Regexp) && Primitive.same(Primitive.class_of(pattern), Regexp)

  # Calls the method +name+ of the enumerable with a lambda to which groups of values are what they are to a proc.
  def self.by_groups(enum, name, block, *args, pairs: false)
    groups = Groups.new(enum, block, pairs)
    result = groups.__send__(name, *args) { |value| groups.call(value) }
    Primitive.same(result, groups) ? enum : result
  end

  # The elements of an enumerable, and how many values the last one was.
  class Groups
    include Enumerable

    # With +pairs+ every element is an array that is spread.
    def initialize(enum, block, pairs)
      @enum = enum
      @block = block
      @pairs = pairs
      @least, @most = Primitive.arity_range(block)
    end

    def each(*args)
      @enum.each(*args) do |*values|
        @size = Primitive.array_size(values)
        yield(*values)
      end
    end

    # The lambda's result for the last element. What is missing of a group is nil, and what is too much is left out.
    def call(value)
      return @block.call(value) if @size == 1 && (!@pairs || (@least <= 1 && @most == 1))
      return @block.call if @size == 0
      values = [*value]
      Primitive.array_push(values, nil) while Primitive.array_size(values) < @least
      @block.call(*(@most ? Core.array_at_most(values, @most) : values))
    end
  end

  # The elements as an array.
  def self.enum_values(enum, args = [])
    result = []
    enum.each(*args) do |*packed|
      Primitive.array_push(result, packed)
      nil
    end
    result
  end

  def self.enum_take(enum, n)
    n = Primitive.to_long(n)
    raise ArgumentError, "attempt to take negative size" if n < 0
    raise ArgumentError, "array size too big" if n > 0x0FFF_FFFF_FFFF_FFFF
    result = []
    return result if n == 0
    return Core.hash_take(enum, n, result) if Primitive.hash_each?(enum)
    enum.each do |*packed|
      Primitive.array_push(result, packed)
      return result if (n -= 1) == 0
    end
    result
  end

  def self.enum_selection(enum, n, downwards, &order)
    selection = Selection.new(n, downwards, &order)
    return [] if selection.none?
    enum.each do |*packed|
      value = packed
      selection.add(value, value)
    end
    selection.result
  end

  def self.enum_selection_by(enum, n, downwards)
    selection = Selection.new(n, downwards)
    return [] if selection.none?
    enum.each do |*packed|
      value = packed
      selection.add(yield(value), value)
    end
    selection.result
  end

  # An array cut to +n+ elements.
  def self.array_at_most(array, n) = Primitive.array_slice(array, 0, Core.count_wanted(n))

  # A number of elements as an Integer.
  def self.count_wanted(n)
    n = Primitive.to_long(n)
    raise ArgumentError, "negative size (#{n})" if n < 0
    n
  end

  def self.array_reverse!(array)
    i = 0
    j = Primitive.array_size(array) - 1
    while i < j
      value = Primitive.array_at(array, i)
      Primitive.array_set(array, i, Primitive.array_at(array, j))
      Primitive.array_set(array, j, value)
      i += 1
      j -= 1
    end
    array
  end

  # Appends the elements of an array, or any other value itself.
  def self.flatten_onto(result, value)
    array = Primitive.check_array(value)
    return Primitive.array_push(result, value) unless array
    element = nil
    i = 0
    while Primitive.array_next(array, i, element)
      Primitive.array_push(result, element)
    end
  end

  def self.group_add(groups, key, value)
    group = Primitive.hash_get(groups, key)
    return Primitive.array_push(group, value) unless Primitive.undef?(group)
    Primitive.hash_set(groups, key, [value])
  end

  # The name of the method that inject is to call.
  def self.operation_name(operation)
    return operation if Primitive.kind_of(operation, Symbol)
    name = Primitive.check_string(operation)
    raise TypeError, "#{operation.inspect} is not a symbol nor a string" unless name
    name.to_sym
  end

  # inject over an array with the original each.
  def self.array_inject(array, memo)
    i = 0
    if Primitive.undef?(memo)
      return nil if Primitive.array_size(array) == 0
      memo = Primitive.array_at(array, 0)
      i = 1
    end
    element = nil
    while Primitive.array_next(array, i, element)
      memo = yield(memo, element)
    end
    memo
  end

  def self.inject_operation(enum, memo, name)
    # An operator here is the core's: a program's own one has to be sent.
    plus = Primitive.same(name, :+) && Primitive.has_core_plus
    if Primitive.array_each?(enum)
      total = plus ? Primitive.array_plus(enum, memo) : Primitive.undef
      return total unless Primitive.undef?(total)
      return Core.array_inject(enum, memo) { |result, value| plus ? result + value : result.public_send(name, value) }
    end
    enum.each do |*packed|
      value = packed
      if Primitive.undef?(memo)
        memo = value
      else
        memo = plus ? memo + value : memo.public_send(name, value)
      end
    end
    Primitive.undef?(memo) ? nil : memo
  end

  # Whether a key of chunk ends the current run by itself; other names that begin with _ are refused.
  def self.chunk_ends?(key)
    return true if key.nil? || Primitive.same(key, :_separator) || Primitive.same(key, :_alone)
    return false unless Primitive.kind_of(key, Symbol) && key.start_with?("_")
    raise RuntimeError, "symbols beginning with an underscore are reserved"
  end

  # An enumerator over runs of elements; a new run begins where the block is true for (previous, element).
  def self.enum_split(enum)
    Enumerator.new do |yielder|
      run = nil
      before = nil
      enum.each do |*packed|
        value = packed
        if run
          fresh = yield before, value
          if fresh
            yielder.yield(run)
            run = [value]
          else
            Primitive.array_push(run, value)
          end
        else
          run = [value]
        end
        before = value
      end
      yielder.yield(run) if run
      nil
    end
  end
end

module Core
  # As pattern === value, but $~ stays as it is.
  def self.regexp_fits?(pattern, value)
    text = Primitive.kind_of(value, Symbol) ? value : Primitive.check_string(value)
    text ? pattern.match?(text) : false
  end
end
