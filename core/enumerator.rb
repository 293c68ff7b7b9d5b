# Enumerator and what it produces: Yielder, Generator, Lazy, Chain, Product, ArithmeticSequence.
#
# An Enumerator is a receiver, a method name and arguments in hidden fields; +each+ is that call. Taking values one
# at a time (+next+) runs the call in a Fiber, made on the first demand.
#
# Primitives on hidden fields (`@__name` in the object's own methods):
#   field(o, :__name)         its value, nil when it was never set
#   field?(o, :__name)        whether it was set
#   field_set(o, :__name, v)  sets it whatever o's frozenness, and returns v
#   alloc(klass)             a new instance, uninitialized
#   float_step_size(first, last, step, exclude)   the number of Float steps, allowing for the rounding of the division
#   responds?(o, :name)      whether o has the method, private ones included
class Enumerator
  include Enumerable

  # Makes an enumerator whose values are what the block gives to its yielder.
  #   Enumerator.new { |y| y << 1 << 2 }.to_a #=> [1, 2]
  def initialize(size = nil, &block)
    Primitive.frozen_check(self)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    unless size.nil? || size.respond_to?(:call) || (Primitive.kind_of(size, Float) && size.infinite?)
      size = Primitive.to_int(size)
    end
    Core.enumerator_fill(self, Generator.new(&block), :each, Core::NO_ARGUMENTS, size)
  end

  # Copies an enumerator that has not begun to hand out single values.
  #   [1].each.dup.next #=> 1
  def initialize_copy(other)
    return self if Primitive.same(self, other)
    super
    raise ArgumentError, "uninitialized enumerator" unless Primitive.field?(other, :__method)
    raise TypeError, "can't copy execution context" if Primitive.field(other, :__fiber)
    @__fiber = nil
    @__ahead = nil
    @__stop = nil
    self
  end

  # Runs the iteration with the block; arguments are added to those of the call.
  #   "ab".each_char.each { |c| print c }
  def each(*args, &block)
    raise ArgumentError, "uninitialized enumerator" unless @__method
    unless Primitive.array_size(args) == 0
      return Core.enumerator_with_args(self, args).each(&block) if block_given?
      return Core.enumerator_with_args(self, args)
    end
    return self unless block_given?
    Core.enumerator_call(self, @__receiver, @__method, @__args, &block)
  end

  # Calls the block with each value and its number, counting from +offset+.
  #   %w[a b].each.with_index(1).to_a #=> [["a", 1], ["b", 2]]
  def with_index(offset = (no_offset = true; 0), &block)
    unless block_given?
      return Core.enumerator_counted(self, :with_index, no_offset ? [] : [offset], :size)
    end
    index = (offset.nil? ? 0 : Primitive.to_int(offset)) - 1
    Core.enumerator_call(self, @__receiver, @__method, @__args) { |*packed| yield packed, index += 1 }
  end

  # Calls the block with each value and its number, counting from 0.
  #   %w[a b].map.each_with_index { |s, i| s * i } #=> ["", "b"]
  def each_with_index(&block)
    return Core.enumerator_of(self, :each_with_index, :size) unless block_given?
    index = -1
    Core.enumerator_call(self, @__receiver, @__method, @__args) { |*packed| yield packed, index += 1 }
  end

  # Calls the block with each value and +memo+; returns +memo+.
  #   [1, 2].each.with_object([]) { |x, a| a << x } #=> [1, 2]
  def with_object(memo)
    return Core.enumerator_counted(self, Primitive.callee, [memo], :size) unless block_given?
    Core.enumerator_call(self, @__receiver, @__method, @__args) { |*packed| yield packed, memo }
    memo
  end
  alias each_with_object with_object

  # Returns the next value, or raises StopIteration at the end.
  #   e = [1, 2].each; e.next #=> 1
  def next
    fiber = @__fiber
    if !fiber || @__ahead || @__stop || !fiber.alive?
      values = Core.enumerator_ahead(self)
      @__ahead = nil
    else
      Primitive.frozen_check(self)
      values = fiber.resume
      Core.enumerator_end(self) if @__stop
    end
    Primitive.values_pack(values)
  end

  # Returns the next value without moving on.
  #   e = [1, 2].each; e.peek #=> 1
  def peek = Primitive.values_pack(Core.enumerator_ahead(self).dup)

  # Returns the next yielded values as an array.
  #   [1, nil].each.next_values #=> [1]
  def next_values
    values = Core.enumerator_ahead(self)
    @__ahead = nil
    values
  end

  # Returns the next yielded values as an array without moving on.
  #   [1, nil].each.peek_values #=> [1]
  def peek_values = Core.enumerator_ahead(self).dup

  # Sets what the suspended +yield+ will return when the iteration goes on.
  #   e = [1, 2].map; e.next; e.feed(:a)
  def feed(value)
    Core.enumerator_check(self)
    raise TypeError, "feed value already set" if @__feed
    @__feed = [value]
    nil
  end

  # Starts again from the first value.
  #   e = [1, 2].each; e.next; e.rewind.next #=> 1
  def rewind
    Core.enumerator_check(self)
    @__receiver.rewind if @__receiver.respond_to?(:rewind)
    @__fiber = nil
    @__ahead = nil
    @__stop = nil
    @__feed = nil
    self
  end

  # Returns the number of values, if that is known without iterating.
  #   [1, 2].each_slice(2).size #=> 1
  def size
    Core.enumerator_check(self)
    return Core.counted_size(@__receiver, @__counted, @__args) if @__counted
    size = @__size
    return size if Primitive.kind_of(size, Integer) || size.nil?
    return size unless size.respond_to?(:call)
    @__kwargs ? size.call(*@__args, **@__kwargs) : size.call(*@__args)
  end

  # Returns an enumerator of this one's values followed by those of +other+.
  #   ([1].each + [2]).to_a #=> [1, 2]
  def +(other) = Chain.new(self, other)

  # Describes receiver, method and arguments.
  #   [1].each_slice(2).inspect #=> "#<Enumerator: [1]:each_slice(2)>"
  def inspect
    name = Primitive.class_of(self).to_s
    return "#<#{name}: uninitialized>" unless Primitive.field?(self, :__method)
    text = Core.recursive(self, :inspect) do
      call = @__described ? "" : Core.enumerator_call_text(@__method, @__args, @__kwargs)
      "#<#{name}: #{Primitive.inspect(@__receiver)}#{call}>"
    end
    Primitive.undef?(text) ? "#<#{name}: ...>" : text
  end

  # Makes an endless enumerator: +initial+, then each time the block's result for the value before.
  #   Enumerator.produce(1) { |x| x * 2 }.take(4) #=> [1, 2, 4, 8]
  def self.produce(initial = (no_initial = true; nil), size: Float::INFINITY, &block)
    raise ArgumentError, "no block given" unless block
    unless size.nil? || size.respond_to?(:call) || (Primitive.kind_of(size, Float) && size.infinite?)
      size = Primitive.to_int(size)
    end
    Core.enumerator_make(Enumerator, Producer.new(initial, !no_initial, block), :each, [], size)
  end

  # Makes an enumerator of all combinations of one value from each of +enums+, or calls the block with them.
  #   Enumerator.product([1, 2], [3]).to_a #=> [[1, 3], [2, 3]]
  def self.product(*enums, **options, &block)
    Core.unknown_keywords(options) unless options.empty?
    product = Product.new(*enums)
    return product unless block
    product.each(&block)
    nil
  end

  # Hands values to the block of an Enumerator.
  class Yielder
    # Makes a yielder that passes what it is given to the block.
    #   Enumerator::Yielder.new { |x| p x } << 1
    def initialize(&block)
      raise LocalJumpError, "no block given" unless block
      @__block = block
    end

    # Yields the values and returns what the consumer's block returned.
    #   Enumerator.new { |y| y.yield 1, 2 }.to_a #=> [[1, 2]]
    def yield(*values, **keywords) = @__block.call(*values, **keywords)

    # Yields the value and returns self.
    #   Enumerator.new { |y| y << 1 << 2 }.to_a #=> [1, 2]
    def <<(value)
      @__block.call(value)
      self
    end

    # Returns a Proc that yields what it is called with.
    #   Enumerator.new { |y| [1, 2].each(&y) }.to_a #=> [1, 2]
    def to_proc
      yielder = self
      Proc.new { |*values, **keywords| yielder.yield(*values, **keywords) }
    end
  end

  # The receiver of an Enumerator made from a block.
  class Generator
    include Enumerable

    # Keeps the block, or a Proc, that will be given a yielder.
    #   Enumerator::Generator.new { |y| y << 1 }.to_a #=> [1]
    def initialize(producer = (no_producer = true; nil), &block)
      if no_producer
        raise LocalJumpError, "no block given" unless block
        producer = block
      else
        unless Primitive.kind_of(producer, Proc)
          raise TypeError, "wrong argument type #{Primitive.class_of(producer)} (expected Proc)"
        end
        Primitive.warn("given block not used") if block
      end
      @__block = producer
    end

    # Runs the block with a yielder that leads to +consumer+.
    #   Enumerator::Generator.new { |y| y << 1 }.each { |x| p x }
    def each(*args, **keywords, &consumer)
      consumer ||= proc { raise LocalJumpError, "no block given (yield)" }
      @__block.call(Yielder.new(&consumer), *args, **keywords)
    end
  end

  # The receiver of Enumerator.produce.
  class Producer
    include Enumerable

    def initialize(initial, has_initial, block)
      @__initial = initial
      @__has_initial = has_initial
      @__block = block
    end

    # Yields for ever, or until the block raises StopIteration.
    def each
      value = @__initial
      begin
        value = @__block.call unless @__has_initial
      rescue StopIteration
        return self
      end
      while true
        yield value
        begin
          value = @__block.call(value)
        rescue StopIteration
          return self
        end
      end
    end
  end

  # Several enumerables one after the other.
  class Chain < Enumerator
    undef_method :feed, :next, :next_values, :peek, :peek_values

    # Makes a chain of the enumerables.
    #   Enumerator::Chain.new([1], [2]).to_a #=> [1, 2]
    def initialize(*enums)
      Primitive.frozen_check(self)
      @__enums = enums
      @__started = 0
      Core.enumerator_fill(self, self, :each, [], nil)
    end

    # Copies a chain that has not been iterated.
    #   ([1].each + [2]).dup.to_a #=> [1, 2]
    def initialize_copy(other)
      super
      @__enums = Primitive.field(other, :__enums)
      @__started = 0
      self
    end

    # Calls each of every enumerable in turn.
    #   ([1].each + [2]).each { |x| p x }
    def each(*args, &block)
      Core.chain_check(self)
      unless block
        return Core.enumerator(self, :each, args) { Primitive.array_size(args) > 0 ? nil : size }
      end
      i = 0
      while i < Primitive.array_size(@__enums)
        @__started = i + 1
        Primitive.array_at(@__enums, i).each(*args, &block)
        i += 1
      end
      self
    end

    # Returns the sum of the sizes, or the first that is no Integer.
    #   ([1].each + [2]).size #=> 2
    def size
      Core.chain_check(self)
      total = 0
      i = 0
      while i < Primitive.array_size(@__enums)
        size = Primitive.array_at(@__enums, i).size
        return size if size.nil? || (Primitive.kind_of(size, Float) && size.infinite?)
        return nil unless Primitive.kind_of(size, Integer)
        total += size
        i += 1
      end
      total
    end

    # Rewinds the enumerables that have been begun, last first.
    #   ([1].each + [2]).rewind
    def rewind
      Core.chain_check(self)
      while @__started > 0
        enum = Primitive.array_at(@__enums, @__started - 1)
        enum.rewind if enum.respond_to?(:rewind)
        @__started -= 1
      end
      @__fiber = @__ahead = @__stop = nil
      self
    end

    # Returns a longer chain.
    #   ([1].each + [2] + [3]).to_a #=> [1, 2, 3]
    def +(other) = Chain.new(self, other)

    # Lists the chained enumerables.
    #   ([1].each + [2]).inspect #=> "#<Enumerator::Chain: [#<Enumerator: [1]:each>, [2]]>"
    def inspect
      name = Primitive.class_of(self).to_s
      return "#<#{name}: uninitialized>" unless Primitive.field?(self, :__enums)
      text = Core.recursive(self, :inspect) { "#<#{name}: #{@__enums.inspect}>" }
      Primitive.undef?(text) ? "#<#{name}: ...>" : text
    end
  end

  # All combinations of one value from each of several enumerables.
  class Product < Enumerator
    undef_method :feed, :next, :next_values, :peek, :peek_values

    # Makes a product of the enumerables.
    #   Enumerator::Product.new([1], [2]).to_a #=> [[1, 2]]
    def initialize(*enums, **options)
      Core.unknown_keywords(options) unless options.empty?
      Primitive.frozen_check(self)
      @__enums = enums
      Core.enumerator_fill(self, self, :each, [], nil)
    end

    # Copies a product.
    #   Enumerator::Product.new([1]).dup.to_a #=> [[1]]
    def initialize_copy(other)
      return self if Primitive.same(self, other)
      Primitive.frozen_check(self)
      raise TypeError, "initialize_copy should take same class object" unless Primitive.kind_of(other, Product)
      Core.product_check(other)
      super
      @__enums = Primitive.field(other, :__enums)
      self
    end

    # Calls the block with each combination as an array.
    #   Enumerator::Product.new([1, 2], [3]).each { |a| p a }
    def each(&block)
      Core.product_check(self)
      return self unless block
      Core.product_each(@__enums, 0, [], &block)
      self
    end

    # Returns the product of the sizes; nil when one is unknown.
    #   Enumerator::Product.new([1, 2], [3, 4]).size #=> 4
    def size
      Core.product_check(self)
      sizes = @__enums.map do |enum|
        size = Primitive.check_funcall(enum, :size)
        return nil if Primitive.undef?(size)
        return 0 if size == 0
        size
      end
      total = 1
      sizes.each do |size|
        return size if size.nil? || (Primitive.kind_of(size, Float) && size.infinite?)
        return nil unless Primitive.kind_of(size, Integer)
        total *= size
      end
      total
    end

    # Rewinds the enumerables.
    #   Enumerator::Product.new([1].each).rewind
    def rewind
      Core.product_check(self)
      i = 0
      while i < Primitive.array_size(@__enums)
        enum = Primitive.array_at(@__enums, i)
        enum.rewind if enum.respond_to?(:rewind)
        i += 1
      end
      @__fiber = @__ahead = @__stop = nil
      self
    end

    # Lists the enumerables.
    #   Enumerator::Product.new([1]).inspect #=> "#<Enumerator::Product: [[1]]>"
    def inspect
      name = Primitive.class_of(self).to_s
      return "#<#{name}: uninitialized>" unless Primitive.field?(self, :__enums)
      text = Core.recursive(self, :inspect) { "#<#{name}: #{@__enums.inspect}>" }
      Primitive.undef?(text) ? "#<#{name}: ...>" : text
    end
  end

  # An arithmetic progression, as Range#step and Numeric#step make it without a block.
  class ArithmeticSequence < Enumerator
    class << self
      undef_method :new

      # Raises TypeError: only `step` and `%` make sequences.
      def allocate = raise TypeError, "allocator undefined for #{self}"
    end

    # The first number. +end+ is the limit or nil, +step+ the difference.
    #   1.step(10, 3).begin #=> 1
    def begin = @__begin

    # The limit, or nil.
    #   1.step(10, 3).end #=> 10
    def end = @__end

    # The difference.
    #   1.step(10, 3).step #=> 3
    def step = @__step

    # Whether the limit itself is left out.
    #   (1...10).step(3).exclude_end? #=> true
    def exclude_end? = @__exclude

    # Returns the first number, or the first +n+.
    #   1.step(10, 3).first(2) #=> [1, 4]
    def first(n = (no_n = true; nil))
      if no_n
        return nil unless Core.sequence_any?(@__begin, @__end, @__step, @__exclude)
        return @__begin.to_f if Core.sequence_float?(@__begin, @__end, @__step)
        return @__begin
      end
      n = Primitive.to_long(n)
      raise ArgumentError, "attempt to take negative size" if n < 0
      raise TypeError, "nil can't be coerced into #{Primitive.class_of(@__step)}" if @__begin.nil?
      result = []
      return result if n == 0
      each do |value|
        Primitive.array_push(result, value)
        break if Primitive.array_size(result) >= n
      end
      result
    end

    # Returns the last number, or the last +n+ in order.
    #   1.step(10, 3).last #=> 10
    def last(n = (no_n = true; nil))
      raise RangeError, "cannot get the last element of endless arithmetic sequence" if @__end.nil?
      count = size
      if no_n
        return nil if count == 0
        return Core.sequence_at(@__begin, @__end, @__step, @__exclude, count - 1)
      end
      n = Primitive.to_long(n)
      raise ArgumentError, "negative array size" if n < 0
      result = []
      i = n > count ? 0 : count - n
      while i < count
        Primitive.array_push(result, Core.sequence_at(@__begin, @__end, @__step, @__exclude, i))
        i += 1
      end
      result
    end

    # Returns the number of values.
    #   1.step(10, 3).size #=> 4
    def size = Core.sequence_size(@__begin, @__end, @__step, @__exclude)

    # Calls the block with each number.
    #   1.step(10, 3) { |x| p x }
    def each(&block)
      return self unless block
      raise TypeError, "nil can't be coerced into #{Primitive.class_of(@__step)}" if @__begin.nil?
      Core.sequence_each(@__begin, @__end, @__step, @__exclude, &block)
      self
    end

    # Whether begin, end, step and exclusion are equal.
    #   1.step(10, 3) == 1.step(10, 3) #=> true
    def ==(other)
      return false unless Primitive.kind_of(other, ArithmeticSequence)
      Primitive.equal(@__begin, other.begin) && Primitive.equal(@__end, other.end) &&
        Primitive.equal(@__step, other.step) && @__exclude == other.exclude_end?
    end
    alias === ==
    alias eql? ==

    # Equal sequences have equal hashes.
    #   1.step(3).hash == 1.step(3).hash #=> true
    def hash
      h = Primitive.hash_mix(Primitive.hash_of(@__exclude), Primitive.hash_of(@__begin))
      Primitive.hash_mix(Primitive.hash_mix(h, Primitive.hash_of(@__end)), Primitive.hash_of(@__step))
    end

    # Describes the call that made the sequence.
    #   (1..3).step(2).inspect #=> "((1..3).step(2))"
    def inspect
      receiver = Primitive.kind_of(@__receiver, Range) ? "(#{@__receiver})" : @__receiver
      "(#{receiver}.#{Core.enumerator_call_text(@__method, @__args, @__kwargs)[1..]})"
    end
  end
end

class StopIteration
  # Returns the value of the iteration that has ended.
  #   e = [1].each; e.next; begin; e.next; rescue StopIteration => s; s.result; end #=> [1]
  def result = @__result
end

# An Enumerator whose methods describe further steps instead of running them.
#
# A lazy enumerator knows its source (any enumerable, or the lazy enumerator it was made from) and one step. A step is
# a Proc that is called when an iteration begins, with the sink that takes its values, and returns the Proc that takes
# the source's values; so whatever a step counts or remembers belongs to one iteration. A value travels as a pair
# (value, packed): packed means that several values were yielded and value is the array of them.
class Enumerator::Lazy < Enumerator
  # Makes a lazy enumerator that calls the block with a yielder and each value of +source+.
  #   Enumerator::Lazy.new([1, 2]) { |y, x| y << x * 2 }.to_a #=> [2, 4]
  def initialize(source = (no_source = true; nil), size = nil, &block)
    Primitive.frozen_check(self)
    Core.arity_error(0, "1..2") if no_source
    raise ArgumentError, "tried to call lazy new without a block" unless block
    Core.enumerator_fill(self, source, :each, [], size)
    @__step = proc do |sink, _|
      yielder = Yielder.new { |*values| Core.lazy_push(sink, values) }
      proc { |value, packed| packed ? block.call(yielder, *value) : block.call(yielder, value) }
    end
    self
  end

  # Runs all steps and gives the resulting values to the block.
  #   (1..3).lazy.map { |x| x * 2 }.each { |x| p x }
  def each(*args, &block)
    unless Primitive.array_size(args) == 0 || !@__root
      return Core.enumerator_with_args(@__receiver.to_enum, args).lazy unless block
    end
    return super unless block && @__step
    return @__receiver.each(*args, &block) if @__root
    Core.lazy_run(self, proc { |value, _packed| block.call(value) }, args)
  end

  # Returns all values as an array.
  #   (1..3).lazy.map { |x| x * 2 }.force #=> [2, 4, 6]
  alias_method :force, :to_a

  # Returns an enumerator over the same values that is not lazy.
  #   (1..3).lazy.map { |x| x * 2 }.eager.map { |x| x }.class #=> Array
  def eager
    Core.enumerator_make(Enumerator, self, :each, [], proc { size })
  end

  # Returns self.
  def lazy = self

  # Returns a lazy enumerator over the call +method+(*args).
  #   (1..4).lazy.to_enum(:each_slice, 2).first #=> [1, 2]
  def to_enum(method = :each, *args, **options, &size)
    lazy = Core.enumerator_make(Lazy, self, Core.operation_name(method), args, size)
    Core.enumerator_set_kwargs(lazy, options) unless options.empty?
    lazy
  end
  alias enum_for to_enum

  # Maps each value lazily.
  #   (1..).lazy.map { |x| x * 2 }.first(2) #=> [2, 4]
  def map(&block)
    raise ArgumentError, "tried to call lazy map without a block" unless block
    Core.lazy_step(self, Primitive.callee, [], proc { Core.size_of(self) }) do |sink, _|
      proc { |value, packed| sink.call(packed ? block.call(*value) : block.call(value), false) }
    end
  end
  alias collect map

  # Keeps, lazily, the values for which the block is true.
  #   (1..).lazy.select(&:even?).first(2) #=> [2, 4]
  def select(&block)
    raise ArgumentError, "tried to call lazy select without a block" unless block
    Core.lazy_step(self, Primitive.callee, [], nil) do |sink, _|
      proc { |value, packed| sink.call(value, packed) if block.call(value) }
    end
  end
  alias filter select
  alias find_all select

  # Drops, lazily, the values for which the block is true.
  #   (1..).lazy.reject(&:even?).first(2) #=> [1, 3]
  def reject(&block)
    raise ArgumentError, "tried to call lazy reject without a block" unless block
    Core.lazy_step(self, :reject, [], nil) do |sink, _|
      proc { |value, packed| sink.call(value, packed) unless block.call(value) }
    end
  end

  # Keeps the block's true results.
  #   (1..).lazy.filter_map { |x| x * 2 if x.even? }.first(2) #=> [4, 8]
  def filter_map(&block)
    raise ArgumentError, "tried to call lazy filter_map without a block" unless block
    Core.lazy_step(self, :filter_map, [], nil) do |sink, _|
      proc do |value, packed|
        result = packed ? block.call(*value) : block.call(value)
        sink.call(result, false) if result
      end
    end
  end

  # Maps each value to several: the elements of an array or of a lazy enumerator.
  #   [1, 2].lazy.flat_map { |x| [x, x] }.to_a #=> [1, 1, 2, 2]
  def flat_map(&block)
    raise ArgumentError, "tried to call lazy flat_map without a block" unless block
    Core.lazy_step(self, Primitive.callee, [], nil) do |sink, _|
      proc do |value, packed|
        result = packed ? block.call(*value) : block.call(value)
        Core.lazy_flatten(result, sink)
      end
    end
  end
  alias collect_concat flat_map

  # Keeps the values that +pattern+ matches, mapped by the block when there is one.
  #   [1, "a"].lazy.grep(String).to_a #=> ["a"]
  def grep(pattern, &block)
    Core.lazy_step(self, :grep, [pattern], nil) do |sink, _|
      proc do |value, packed|
        next unless pattern === value
        block ? sink.call(block.call(value), false) : sink.call(value, packed)
      end
    end
  end

  # Keeps the values that +pattern+ does not match, mapped by the block when there is one.
  #   [1, "a"].lazy.grep_v(String).to_a #=> [1]
  def grep_v(pattern, &block)
    Core.lazy_step(self, :grep_v, [pattern], nil) do |sink, _|
      proc do |value, packed|
        next if pattern === value
        block ? sink.call(block.call(value), false) : sink.call(value, packed)
      end
    end
  end

  # Takes the first +n+ values.
  #   (1..).lazy.take(2).to_a #=> [1, 2]
  def take(n)
    n = Primitive.to_long(n)
    raise ArgumentError, "attempt to take negative size" if n < 0
    known = proc do
      size = Core.size_of(self)
      size.nil? || size < n ? size : n
    end
    step = Core.lazy_step(self, :take, [n], known) do |sink, stop|
      left = n
      proc do |value, packed|
        left -= 1
        sink.call(value, packed)
        throw stop if left <= 0
      end
    end
    Primitive.field_set(step, :__stops, n == 0 ? :at_once : true)
    step
  end

  # Takes values until the block is false.
  #   (1..).lazy.take_while { |x| x < 3 }.to_a #=> [1, 2]
  def take_while(&block)
    raise ArgumentError, "tried to call lazy take_while without a block" unless block
    step = Core.lazy_step(self, :take_while, [], nil) do |sink, stop|
      proc do |value, packed|
        throw stop unless packed ? block.call(*value) : block.call(value)
        sink.call(value, packed)
      end
    end
    Primitive.field_set(step, :__stops, true)
    step
  end

  # Leaves out the first +n+ values.
  #   (1..4).lazy.drop(2).to_a #=> [3, 4]
  def drop(n)
    n = Primitive.to_long(n)
    raise ArgumentError, "attempt to drop negative size" if n < 0
    known = proc do
      size = Core.size_of(self)
      size.nil? ? nil : (size > n ? size - n : 0)
    end
    Core.lazy_step(self, :drop, [n], known) do |sink, _|
      left = n
      proc { |value, packed| left > 0 ? left -= 1 : sink.call(value, packed) }
    end
  end

  # Leaves out values until the block is false.
  #   (1..4).lazy.drop_while { |x| x < 3 }.to_a #=> [3, 4]
  def drop_while(&block)
    raise ArgumentError, "tried to call lazy drop_while without a block" unless block
    Core.lazy_step(self, :drop_while, [], nil) do |sink, _|
      dropping = true
      proc do |value, packed|
        dropping = false if dropping && !(packed ? block.call(*value) : block.call(value))
        sink.call(value, packed) unless dropping
      end
    end
  end

  # Leaves out values seen before, as told by hash and eql? of them or of the block's results.
  #   [1, 2, 1].lazy.uniq.to_a #=> [1, 2]
  def uniq(&block)
    Core.lazy_step(self, :uniq, [], nil) do |sink, _|
      seen = {}
      proc do |value, packed|
        key = block ? block.call(value) : value
        sink.call(value, packed) if Primitive.hash_add(seen, key)
      end
    end
  end

  # Leaves out nil.
  #   [1, nil].lazy.compact.to_a #=> [1]
  def compact
    Core.lazy_step(self, :compact, [], nil) do |sink, _|
      proc { |value, packed| sink.call(value, packed) unless nil == value }
    end
  end

  # Combines each value with those of the others at the same position.
  #   (1..).lazy.zip([:a, :b]).first(2) #=> [[1, :a], [2, :b]]
  def zip(*others, &block)
    return super if block
    i = 0
    while i < Primitive.array_size(others)
      other = Primitive.array_at(others, i)
      unless Primitive.check_array(other) || other.respond_to?(:each)
        raise TypeError, "wrong argument type #{Primitive.class_of(other)} (must respond to :each)"
      end
      i += 1
    end
    Core.lazy_step(self, :zip, others, proc { Core.size_of(self) }) do |sink, _|
      sources = Core.array_map!(others.dup) { |other| Core.zip_source(other) }
      index = -1
      proc { |value, _packed| sink.call(Core.zip_tuple(value, sources, index += 1), false) }
    end
  end

  # Gives each value with its number to the block and passes the value on; without a block passes on the pairs.
  #   [:a, :b].lazy.with_index(1).to_a #=> [[:a, 1], [:b, 2]]
  def with_index(offset = 0, &block)
    start = offset.nil? ? 0 : Primitive.to_int(offset)
    Core.lazy_step(self, :with_index, [start], proc { Core.size_of(self) }) do |sink, _|
      index = start - 1
      proc do |value, packed|
        index += 1
        if block
          block.call(value, index)
          sink.call(value, packed)
        else
          sink.call([value, index], true)
        end
      end
    end
  end

  # Returns a lazy enumerator of this one's values followed by those of the others.
  #   [1].lazy.chain([2]).to_a #=> [1, 2]
  def chain(*others) = super.lazy

  # Groups values lazily: see Enumerable#chunk.
  def chunk(...) = super.lazy

  # Groups values lazily: see Enumerable#slice_before.
  def slice_before(...) = super.lazy

  # Groups values lazily: see Enumerable#slice_after.
  def slice_after(...) = super.lazy

  # Groups values lazily: see Enumerable#slice_when.
  def slice_when(...) = super.lazy

  # Groups values lazily: see Enumerable#chunk_while.
  def chunk_while(...) = super.lazy

  # Returns a lazy enumerator of this one's values followed by those of +other+.
  #   ([1].lazy + [2]).to_a #=> [1, 2]
  def +(other) = Enumerator::Chain.new(self, other).lazy
end

module Core
  NO_ARGUMENTS = [].freeze

  # An enumerator over receiver.name(*args) whose size the block computes; lazy when the receiver is.
  def self.enumerator(receiver, name, args, &size)
    kind = Primitive.kind_of(receiver, Enumerator::Lazy) ? Enumerator::Lazy : Enumerator
    Core.enumerator_make(kind, receiver, name, args, size)
  end

  # An enumerator of a method without arguments, whose size +counted_size+ says.
  def self.enumerator_of(receiver, name, counted) = Core.enumerator_counted(receiver, name, NO_ARGUMENTS, counted)

  # The same of a method with arguments.
  def self.enumerator_counted(receiver, name, args, counted)
    kind = Primitive.kind_of(receiver, Enumerator::Lazy) ? Enumerator::Lazy : Enumerator
    enum = Primitive.alloc(kind)
    Primitive.field_set(enum, :__receiver, receiver)
    Primitive.field_set(enum, :__method, name)
    Primitive.field_set(enum, :__args, args)
    Primitive.field_set(enum, :__counted, counted)
    enum
  end

  # Sets an enumerator's fields, and returns it.
  def self.enumerator_fill(enum, receiver, name, args, size)
    Primitive.field_set(enum, :__receiver, receiver)
    Primitive.field_set(enum, :__method, name)
    Primitive.field_set(enum, :__args, args)
    Primitive.field_set(enum, :__size, size)
    enum
  end

  # The size of an enumerator: for :length the number of elements of an Array or Hash, for :size what the receiver's method +size+
  # says, for :slices and :windows how many of as many elements as the argument says there are, for :up, :down and :times the
  # numbers that an Integer counts through.
  def self.counted_size(receiver, counted, args)
    case counted
    when :size then Core.size_of(receiver)
    when :length then Primitive.kind_of(receiver, Hash) ? Primitive.hash_size(receiver) : Primitive.array_size(receiver)
    when :slices, :windows then Core.parts_size(Core.size_of(receiver), counted, Primitive.to_long(Primitive.array_at(args, 0)))
    when :times then receiver < 0 ? 0 : receiver
    else Core.way_size(receiver, counted, Primitive.array_at(args, 0))
    end
  end

  def self.parts_size(count, counted, size)
    return nil if count.nil?
    return count < size ? 0 : count - size + 1 if counted == :windows
    Primitive.kind_of(count, Float) && count.infinite? ? count : (count + size - 1).div(size)
  end

  def self.way_size(number, counted, limit)
    Primitive.cmp_failed(number, limit) unless Primitive.kind_of(limit, Numeric)
    count = counted == :up ? limit - number : number - limit
    count = count.floor + 1 unless Primitive.kind_of(count, Float) && count.infinite?
    count < 0 ? 0 : count
  end

  def self.enumerator_make(kind, receiver, name, args, size)
    Core.enumerator_fill(Primitive.alloc(kind), receiver, name, args, size)
  end

  def self.enumerator_set_kwargs(enum, kwargs) = Primitive.field_set(enum, :__kwargs, kwargs)

  def self.enumerator_check(enum)
    raise ArgumentError, "uninitialized enumerator" unless Primitive.field?(enum, :__method)
  end

  def self.chain_check(chain)
    raise ArgumentError, "uninitialized chain" unless Primitive.field?(chain, :__enums)
  end

  def self.product_check(product)
    raise ArgumentError, "uninitialized product" unless Primitive.field?(product, :__enums)
  end

  # A copy of +enum+ with further arguments, whose size is unknown.
  def self.enumerator_with_args(enum, args)
    copy = enum.dup
    Primitive.field_set(copy, :__args, Primitive.field(copy, :__args) + args)
    Primitive.field_set(copy, :__size, nil)
    Primitive.field_set(copy, :__counted, nil)
    copy
  end

  # The iteration itself, of an enumerator with these fields. One with keywords has a list of its own.
  def self.enumerator_call(enum, receiver, name, args, &block)
    raise ArgumentError, "uninitialized enumerator" unless name
    is_plain = Primitive.same(args, NO_ARGUMENTS)
    unless is_plain
      kwargs = Primitive.field(enum, :__kwargs)
      is_plain = Primitive.array_size(args) == 0 && !kwargs
    end
    return receiver.each(&block) if is_plain && Primitive.same(name, :each)
    if Primitive.kind_of(receiver, Enumerator::Lazy) && Core.lazy_own?(receiver, name)
      return Enumerator.instance_method(name).bind_call(receiver, *args, &block)
    end
    return receiver.__send__(name, &block) if is_plain
    return receiver.__send__(name, *args, &block) unless kwargs
    receiver.__send__(name, *args, **kwargs, &block)
  end

  # ":name(arg, ...)" for inspect.
  def self.enumerator_call_text(name, args, kwargs)
    texts = args.map { |arg| Primitive.inspect(arg) }
    # A last hash of symbols looks like keywords, whether it was given as such or not.
    last = args.last
    if !kwargs && Primitive.kind_of(last, Hash) && !last.empty? && last.keys.all?(Symbol)
      texts.pop
      kwargs = last
    end
    kwargs&.each { |key, value| texts << "#{key}: #{value}" }
    texts.empty? ? ":#{name}" : ":#{name}(#{texts.join(", ")})"
  end

  # The values of the next yield as an array, taken from the fiber unless they have been peeked at before.
  def self.enumerator_ahead(enum)
    Core.enumerator_check(enum)
    Primitive.frozen_check(enum)
    ahead = Primitive.field(enum, :__ahead)
    return ahead if ahead
    stop = Primitive.field(enum, :__stop)
    raise Core.enumerator_stop_again(stop), cause: stop if stop
    fiber = Primitive.field(enum, :__fiber)
    unless fiber&.alive?
      fiber = Core.enumerator_fiber(enum)
      Primitive.field_set(enum, :__fiber, fiber)
      # Fields that are there are found faster than ones that are not.
      Primitive.field_set(enum, :__stop, nil)
      Primitive.field_set(enum, :__feed, Primitive.field(enum, :__feed))
    end
    ahead = fiber.resume
    Core.enumerator_end(enum) if Primitive.field(enum, :__stop)
    Primitive.field_set(enum, :__ahead, ahead)
  end

  # What says once more that the iteration is over, with a backtrace of its own.
  def self.enumerator_stop_again(stop)
    again = StopIteration.new(stop.message)
    Primitive.field_set(again, :__result, Primitive.field(stop, :__result))
    again
  end

  # Raises what says that the iteration is over.
  def self.enumerator_end(enum)
    Primitive.field_set(enum, :__fiber, nil)
    raise Primitive.field(enum, :__stop)
  end

  def self.enumerator_fiber(enum)
    Fiber.new do
      result = enum.each do |*values|
        Fiber.yield(values)
        Core.enumerator_take_feed(enum) if Primitive.field(enum, :__feed)
      end
      stop = StopIteration.new("iteration reached an end")
      Primitive.field_set(stop, :__result, result)
      Primitive.field_set(enum, :__stop, stop)
    end
  end

  # What the suspended yield returns: the value fed, once.
  def self.enumerator_take_feed(enum)
    feed = Primitive.field(enum, :__feed)
    Primitive.field_set(enum, :__feed, nil)
    Primitive.array_at(feed, 0)
  end

  # Nested loops over the enumerables from +index+ on.
  def self.product_each(enums, index, chosen, &block)
    return block.call(chosen.dup) if index == Primitive.array_size(enums)
    Primitive.array_at(enums, index).each_entry do |value|
      Primitive.array_set(chosen, index, value)
      Core.product_each(enums, index + 1, chosen, &block)
    end
  end

  # A lazy enumerator that applies one more step to the values of +source+.
  def self.lazy_step(source, name, args, size, &step)
    lazy = Core.enumerator_make(Enumerator::Lazy, source, name, args, size)
    Primitive.field_set(lazy, :__step, step)
    lazy
  end

  # The lazy enumerator that Enumerable#lazy returns.
  def self.lazy_root(source, size)
    lazy = Core.lazy_step(source, :each, [], size) { |sink, _| sink }
    Primitive.field_set(lazy, :__described, true)
    Primitive.field_set(lazy, :__root, true)
    lazy
  end

  # Builds the chain of Procs from the last step back to the source, and iterates over the source.
  def self.lazy_run(lazy, sink, args)
    return catch { |stop| Core.lazy_chain(lazy, sink, args, stop) } if Core.lazy_stops?(lazy)
    Core.lazy_chain(lazy, sink, args, nil)
  end

  # Whether +name+ means another lazy step, when an enumerator wants the iteration that Enumerable gives the name.
  def self.lazy_own?(lazy, name)
    return false if Primitive.same(name, :each) || name.start_with?("chunk", "slice_")
    Primitive.same(lazy.method(name).owner, Enumerator::Lazy)
  end

  # Whether some step can end the iteration early.
  def self.lazy_stops?(lazy)
    while Primitive.kind_of(lazy, Enumerator::Lazy) && Primitive.field(lazy, :__step)
      return true if Primitive.field(lazy, :__stops)
      lazy = Primitive.field(lazy, :__receiver)
    end
    false
  end

  def self.lazy_chain(lazy, sink, args, stop)
    nothing = false
    while Primitive.kind_of(lazy, Enumerator::Lazy) && (step = Primitive.field(lazy, :__step))
      sink = step.call(sink, stop)
      nothing = true if Primitive.same(Primitive.field(lazy, :__stops), :at_once)
      lazy = Primitive.field(lazy, :__receiver)
    end
    return nil if nothing
    lazy.each(*args) do |*packed; grouped, paired, second|
      paired ? sink.call([packed, second], true) : grouped ? Core.lazy_push(sink, packed) : sink.call(packed, false)
    end
  end

  # Gives what was yielded to a step.
  def self.lazy_push(sink, values)
    return sink.call(values, true) if Primitive.array_size(values) > 1
    sink.call(Primitive.array_at(values, 0), false)
  end

  # What flat_map does with the block's result: spreads arrays and what has both force and each.
  def self.lazy_flatten(result, sink)
    if Primitive.kind_of(result, Array)
      i = 0
      while i < Primitive.array_size(result)
        sink.call(Primitive.array_at(result, i), false)
        i += 1
      end
    elsif Primitive.responds?(result, :force) && Primitive.responds?(result, :each)
      result.each { |value| sink.call(value, false) }
    elsif (array = Primitive.check_array(result))
      Core.lazy_flatten(array, sink)
    else
      sink.call(result, false)
    end
  end

  def self.sequence(receiver, name, args, kwargs, first, last, step, exclude)
    sequence = Core.enumerator_make(Enumerator::ArithmeticSequence, receiver, name, args, nil)
    Primitive.field_set(sequence, :__kwargs, kwargs)
    Primitive.field_set(sequence, :__begin, first)
    Primitive.field_set(sequence, :__end, last)
    Primitive.field_set(sequence, :__step, step)
    Primitive.field_set(sequence, :__exclude, exclude)
    sequence
  end

  def self.sequence_float?(first, last, step)
    return false if Primitive.kind_of(first, Complex) || Primitive.kind_of(step, Complex)
    Primitive.kind_of(first, Float) || Primitive.kind_of(last, Float) || Primitive.kind_of(step, Float)
  end

  # The +i+-th Float step, which never passes +last+.
  def self.float_step_at(first, last, step, exclude, i)
    return first if step.infinite?
    value = i * step + first
    return last if !exclude && (step >= 0 ? last < value : last > value)
    value
  end

  def self.sequence_size(first, last, step, exclude)
    if Core.sequence_float?(first, last, step)
      limit = last.nil? ? (step < 0 ? -Float::INFINITY : Float::INFINITY) : last.to_f
      return Primitive.float_step_size(first.to_f, limit, step.to_f, exclude)
    end
    return Float::INFINITY if last.nil? || step == 0
    return 0 if step > 0 ? first > last : first < last
    count = (last - first).div(step)
    exclude && first + count * step == last ? count : count + 1
  end

  def self.sequence_any?(first, last, step, exclude)
    return true if last.nil?
    order = step < 0 ? last <=> first : first <=> last
    order && (order < 0 || (order == 0 && !exclude))
  end

  def self.sequence_at(first, last, step, exclude, i)
    return first + i * step unless Core.sequence_float?(first, last, step)
    Core.float_step_at(first.to_f, last.to_f, step.to_f, exclude, i)
  end

  def self.sequence_each(first, last, step, exclude, &block)
    return Core.float_step_each(first, last, step, exclude, &block) if Core.sequence_float?(first, last, step)
    if last.nil?
      while true
        yield first
        first += step
      end
    end
    if step == 0
      yield first while true
    elsif step < 0
      while exclude ? first > last : first >= last
        yield first
        first += step
      end
    else
      while exclude ? first < last : first <= last
        yield first
        first += step
      end
    end
  end

  def self.float_step_each(first, last, step, exclude)
    first = first.to_f
    step = step.to_f
    last = last.nil? ? (step < 0 ? -Float::INFINITY : Float::INFINITY) : last.to_f
    count = Primitive.float_step_size(first, last, step, exclude)
    if step == 0
      yield first while true
    end
    i = 0
    return (yield first if count > 0) if step.infinite?
    while i < count
      value = i * step + first
      value = last if !exclude && (step >= 0 ? last < value : last > value)
      yield value
      i += 1
    end
  end
end
