# Set: distinct elements, in the order of insertion. To the primitives of Hash a set is a hash of keys alone, whose values are true.
#
# Primitives:
#   set_scratch()             an empty set of class Set itself
#   set_each?(o)              whether o is a Set with the original each
#   set_nests?(set)           whether an element is a set
#   hash_meets?(a, b)         whether an element of the first is in the second
class Set
  include Enumerable

  # Makes a set of the arguments.
  #   Set[1, 2, 1] #=> Set[1, 2]
  def self.[](*elements)
    return new(elements) unless Primitive.same(self, Set)
    set = Primitive.set_scratch
    Primitive.hash_add_all(set, elements)
    set
  end

  # Fills the set from an enumerable, or with the block's results for its elements.
  #   Set.new([1, 2]) { |x| x * 2 } #=> Set[2, 4]
  def initialize(enum = nil, &block)
    Primitive.frozen_check(self)
    raise RuntimeError, "cannot reinitialize set" if Primitive.hash_iterating?(self)
    Primitive.hash_clear(self)
    return if enum.nil?
    if block
      Core.set_source(enum) { |element| add(yield(element)) }
    elsif Primitive.array_each?(enum)
      Primitive.hash_add_all(self, enum)
    else
      merge(enum)
    end
  end

  # Copies the elements.
  #   Set[1].dup.add(2) #=> Set[1, 2]
  def initialize_copy(other)
    return self if Primitive.same(self, other)
    Primitive.frozen_check(self)
    Primitive.hash_replace(self, other)
    self
  end

  # Compares elements by identity from now on.
  #   Set[].compare_by_identity
  def compare_by_identity
    return self if Primitive.hash_identity?(self)
    raise RuntimeError, "compare_by_identity during iteration" if Primitive.hash_iterating?(self)
    Primitive.frozen_check(self)
    scratch = Primitive.hash_compare_by_identity(Primitive.set_scratch)
    Primitive.hash_add_all(scratch, Primitive.hash_keys(self))
    Primitive.hash_replace(self, scratch)
    self
  end

  # Whether elements are compared by identity.
  #   Set[].compare_by_identity? #=> false
  def compare_by_identity? = Primitive.hash_identity?(self)

  # Returns the number of elements.
  #   Set[1, 2].size #=> 2
  def size = Primitive.hash_size(self)
  alias_method :length, :size

  # Whether there are no elements.
  #   Set[].empty? #=> true
  def empty? = Primitive.hash_size(self) == 0

  # Whether +element+ is in the set.
  #   Set[1] === 1 #=> true
  def include?(element) = !Primitive.undef?(Primitive.hash_get(self, element))
  alias_method :member?, :include?
  alias_method :===, :include?

  # Calls the block with each element.
  #   Set[1].each { |x| p x }
  def each
    return Core.enumerator_of(self, :each, :size) unless block_given?
    Core.hash_pairs(self) { |element, _| yield element }
    self
  end

  # Adds an element.
  #   Set[1] << 2 #=> Set[1, 2]
  def add(element)
    Primitive.frozen_check(self)
    Primitive.hash_add(self, element)
    self
  end
  alias_method :<<, :add

  # Adds an element; nil when it is there already.
  #   Set[1].add?(1) #=> nil
  def add?(element)
    Primitive.frozen_check(self)
    Primitive.hash_add(self, element) ? self : nil
  end

  # Removes an element.
  #   Set[1, 2].delete(1) #=> Set[2]
  def delete(element)
    Primitive.frozen_check(self)
    Primitive.hash_delete(self, element)
    self
  end

  # Removes an element; nil when it is not there.
  #   Set[1].delete?(2) #=> nil
  def delete?(element)
    Primitive.frozen_check(self)
    Primitive.undef?(Primitive.hash_delete(self, element)) ? nil : self
  end

  # Removes all elements.
  #   Set[1].clear #=> Set[]
  def clear
    Primitive.frozen_check(self)
    Primitive.hash_clear(self)
    self
  end

  # Takes the elements of an enumerable instead of its own.
  #   Set[1].replace([2]) #=> Set[2]
  def replace(enum)
    Primitive.frozen_check(self)
    return self if Primitive.same(self, enum)
    raise RuntimeError, "cannot replace set during iteration" if Primitive.hash_iterating?(self)
    if Primitive.kind_of(enum, Set)
      Primitive.hash_replace(self, enum)
    else
      Core.set_check_enumerable(enum)
      scratch = Core.set_scratch_like(self)
      Core.set_source(enum) { |element| Primitive.hash_add(scratch, element) }
      Primitive.hash_replace(self, scratch)
    end
    self
  end

  # Indexes the elements anew after their hashes have changed.
  #   Set[[1]].reset
  def reset
    Primitive.frozen_check(self)
    raise RuntimeError, "reset during iteration" if Primitive.hash_iterating?(self)
    return self if Primitive.hash_size(self) == 0
    scratch = Core.set_scratch_like(self)
    Primitive.hash_add_all(scratch, Primitive.hash_keys(self))
    Primitive.hash_replace(self, scratch)
    self
  end

  # Adds the elements of enumerables.
  #   Set[1].merge([2], [3]) #=> Set[1, 2, 3]
  def merge(*enums, **nil)
    Primitive.frozen_check(self)
    raise RuntimeError, "cannot add to set during iteration" if Primitive.hash_iterating?(self)
    i = 0
    while i < Primitive.array_size(enums)
      Core.set_add_all(self, Primitive.array_at(enums, i))
      i += 1
    end
    self
  end

  # Removes the elements of an enumerable.
  #   Set[1, 2].subtract([1]) #=> Set[2]
  def subtract(enum)
    Primitive.frozen_check(self)
    Core.set_delete_all(self, enum)
  end

  # Returns the elements of self and those of an enumerable.
  #   Set[1] | [2] #=> Set[1, 2]
  def |(enum) = Core.set_add_all(dup, enum)
  alias_method :+, :|
  alias_method :union, :|

  # Returns the elements that are not in an enumerable.
  #   Set[1, 2] - [1] #=> Set[2]
  def -(enum) = Core.set_delete_all(dup, enum)
  alias_method :difference, :-

  # Returns the elements that are in an enumerable, too.
  #   Set[1, 2] & [2, 3] #=> Set[2]
  def &(enum)
    result = Core.set_like(self)
    if Primitive.kind_of(enum, Set)
      small, large = Primitive.hash_size(enum) > Primitive.hash_size(self) ? [self, enum] : [enum, self]
      Primitive.hash_add_common(result, Primitive.hash_keys(small), large)
    else
      Core.set_source(enum) { |element| Primitive.hash_add(result, element) if include?(element) }
    end
    result
  end
  alias_method :intersection, :&

  # Returns the elements that are in self or in an enumerable, but not in both.
  #   Set[1, 2] ^ [2, 3] #=> Set[1, 3]
  def ^(enum)
    result = dup
    others = Primitive.kind_of(enum, Set) ? enum : Core.set_add_all(Core.set_like(self), enum)
    Primitive.hash_toggle_all(result, Primitive.hash_keys(others))
    result
  end

  # Whether both are sets of the same elements.
  #   Set[1, 2] == Set[2, 1] #=> true
  def ==(other)
    return true if Primitive.same(self, other)
    return false unless Primitive.kind_of(other, Set) && Primitive.hash_size(other) == Primitive.hash_size(self)
    return true if Primitive.hash_size(self) == 0
    return false unless Primitive.same(Primitive.hash_identity?(self), Primitive.hash_identity?(other))
    answer = Core.recursive(self, :==, other) { Primitive.hash_within?(self, other) }
    Primitive.undef?(answer) ? true : answer
  end
  alias_method :eql?, :==

  # Equal sets have equal hashes.
  #   Set[1, 2].hash == Set[2, 1].hash #=> true
  def hash = Primitive.set_hash(self)

  # Compares by inclusion: nil when neither set includes the other.
  #   Set[1] <=> Set[1, 2] #=> -1
  def <=>(other)
    return nil unless Primitive.kind_of(other, Set)
    case size <=> other.size
    when -1 then Primitive.hash_within?(self, other) ? -1 : nil
    when 1 then Primitive.hash_within?(other, self) ? 1 : nil
    else Primitive.hash_within?(self, other) ? 0 : nil
    end
  end

  # Whether every element is in +other+.
  #   Set[1] <= Set[1, 2] #=> true
  def subset?(other)
    Core.set_check(other) unless Primitive.kind_of(other, Set)
    Primitive.hash_size(self) <= Primitive.hash_size(other) && Primitive.hash_within?(self, other)
  end
  alias_method :<=, :subset?

  # Whether every element is in +other+, which has more.
  #   Set[1] < Set[1] #=> false
  def proper_subset?(other)
    Core.set_check(other) unless Primitive.kind_of(other, Set)
    Primitive.hash_size(self) < Primitive.hash_size(other) && Primitive.hash_within?(self, other)
  end
  alias_method :<, :proper_subset?

  # Whether every element of +other+ is in self.
  #   Set[1, 2] >= Set[1] #=> true
  def superset?(other)
    Core.set_check(other) unless Primitive.kind_of(other, Set)
    Primitive.hash_size(self) >= Primitive.hash_size(other) && Primitive.hash_within?(other, self)
  end
  alias_method :>=, :superset?

  # Whether every element of +other+ is in self, which has more.
  #   Set[1, 2] > Set[1] #=> true
  def proper_superset?(other)
    Core.set_check(other) unless Primitive.kind_of(other, Set)
    Primitive.hash_size(self) > Primitive.hash_size(other) && Primitive.hash_within?(other, self)
  end
  alias_method :>, :proper_superset?

  # Whether there is an element that is in an enumerable, too.
  #   Set[1, 2].intersect?([2]) #=> true
  def intersect?(enum)
    if Primitive.kind_of(enum, Set)
      return Primitive.hash_size(self) < Primitive.hash_size(enum) ? Primitive.hash_meets?(self, enum) : Primitive.hash_meets?(enum, self)
    end
    Core.set_check_enumerable(enum)
    Core.set_source(enum) { |element| return true if include?(element) }
    false
  end

  # Whether no element is in an enumerable, too.
  #   Set[1].disjoint?([2]) #=> true
  def disjoint?(enum) = !intersect?(enum)

  # Replaces each element by the block's result.
  #   Set[1, 2].collect! { |x| x * 2 } #=> Set[2, 4]
  def collect!
    return Core.enumerator_of(self, Primitive.callee, :size) unless block_given?
    Primitive.frozen_check(self)
    scratch = Primitive.set_scratch
    Core.hash_pairs(self) { |element, _| Primitive.hash_add(scratch, yield(element)) }
    Primitive.hash_replace(self, scratch)
    self
  end
  alias_method :map!, :collect!

  # Keeps the elements for which the block is true; nil when nothing changed.
  #   Set[1, 2].select!(&:odd?) #=> Set[1]
  def select!
    return Core.enumerator_of(self, Primitive.callee, :size) unless block_given?
    Primitive.frozen_check(self)
    before = size
    Core.hash_pairs(self) { |element, _| Primitive.hash_delete(self, element) unless yield(element) }
    before == size ? nil : self
  end
  alias_method :filter!, :select!

  # Keeps the elements for which the block is true.
  #   Set[1, 2].keep_if(&:odd?) #=> Set[1]
  def keep_if
    return Core.enumerator_of(self, :keep_if, :size) unless block_given?
    Primitive.frozen_check(self)
    Core.hash_pairs(self) { |element, _| Primitive.hash_delete(self, element) unless yield(element) }
    self
  end

  # Removes the elements for which the block is true; nil when nothing changed.
  #   Set[1, 2].reject!(&:odd?) #=> Set[2]
  def reject!
    return Core.enumerator_of(self, :reject!, :size) unless block_given?
    Primitive.frozen_check(self)
    before = size
    Core.hash_pairs(self) { |element, _| Primitive.hash_delete(self, element) if yield(element) }
    before == size ? nil : self
  end

  # Removes the elements for which the block is true.
  #   Set[1, 2].delete_if(&:odd?) #=> Set[2]
  def delete_if
    return Core.enumerator_of(self, :delete_if, :size) unless block_given?
    Primitive.frozen_check(self)
    Core.hash_pairs(self) { |element, _| Primitive.hash_delete(self, element) if yield(element) }
    self
  end

  # Returns a Hash from each result of the block to the set of elements that gave it.
  #   Set[1, 2, 3].classify(&:odd?) #=> {true => Set[1, 3], false => Set[2]}
  def classify
    return Core.enumerator_of(self, :classify, :size) unless block_given?
    groups = {}
    each do |element|
      key = yield(element)
      group = Primitive.hash_get(groups, key)
      Primitive.hash_set(groups, key, group = Core.set_like(self)) if Primitive.undef?(group)
      group.add(element)
    end
    groups
  end

  # Returns the set of the parts with equal results of the block; for a block with two parameters, of the parts whose
  # elements it relates both ways.
  #   Set[1, 2, 4].divide { |a, b| (a - b).abs == 1 } #=> Set[Set[1, 2], Set[4]]
  def divide(&block)
    return Core.enumerator_of(self, :divide, :size) unless block
    return Set.new(classify(&block).values) unless Primitive.block_arity(block) == 2
    Core.set_components(self, &block)
  end

  # Returns the elements, with those of sets among them spread.
  #   Set[1, Set[2]].flatten #=> Set[1, 2]
  def flatten
    result = Core.set_like(self)
    Core.set_flatten_onto(result, self, [])
    result
  end

  # Spreads sets among the elements; nil when there is none.
  #   Set[1].flatten! #=> nil
  def flatten!
    return nil unless Primitive.set_nests?(self)
    Primitive.frozen_check(self)
    replace(flatten)
  end

  # Returns the elements as an array.
  #   Set[1].to_a #=> [1]
  def to_a = Primitive.hash_keys(self)

  # Returns self, or a set of another class.
  #   Set[1].to_set #=> Set[1]
  def to_set(klass = (no_klass = true; Set), *args, &block)
    return self if no_klass && !block && Primitive.same(Primitive.class_of(self), Set)
    return self if Primitive.same(klass, Set) && Primitive.same(Primitive.class_of(self), Set) && !block && Primitive.array_size(args) == 0
    Primitive.warn_deprecated("passing arguments to Set#to_set is deprecated") unless no_klass
    klass.new(self, *args, &block)
  end

  # Joins the elements as an array does.
  #   Set[1, 2].join("-") #=> "1-2"
  def join(separator = nil) = to_a.join(separator)

  # Shows the elements.
  #   Set[1, 2].inspect #=> "Set[1, 2]"
  def inspect
    plain = Primitive.same(Primitive.class_of(self), Set) || Primitive.kind_of(self, CoreSet)
    text = Core.recursive(self, :inspect) do
      elements = to_a.map { |element| Primitive.inspect(element) }.join(", ")
      plain ? "#{Primitive.class_of(self)}[#{elements}]" : "#<#{Primitive.class_of(self)}: {#{elements}}>"
    end
    return text unless Primitive.undef?(text)
    plain ? "#{Primitive.class_of(self)}[...]" : "#<#{Primitive.class_of(self)}: {...}>"
  end
  alias_method :to_s, :inspect

  # A set for subclasses that are shown as sets are.
  #   Class.new(Set::CoreSet)[1].inspect #=> "#<Class:0x000078e1f5c0>[1]"
  class CoreSet < Set
  end

  autoload :SubclassCompatible, "set/subclass_compatible"
  private_constant :SubclassCompatible

  # Other classes below Set have methods that ask one another, as sets had that were written in Ruby.
  def self.inherited(subclass)
    subclass.include(SubclassCompatible) if Primitive.same(self, Set)
  end
  private_class_method :inherited
end

# The shared halves of the methods above.
module Core
  # Adds the elements of an enumerable to a set, which it returns.
  def self.set_add_all(set, enum)
    if Primitive.array_each?(enum)
      Primitive.hash_add_all(set, enum)
    elsif Primitive.kind_of(enum, Set)
      Primitive.hash_add_all(set, Primitive.hash_keys(enum))
    else
      Core.set_source(enum) { |element| Primitive.hash_add(set, element) }
    end
    set
  end

  # Removes the elements of an enumerable from a set, which it returns.
  def self.set_delete_all(set, enum)
    if Primitive.kind_of(enum, Set)
      elements = Primitive.hash_keys(enum)
      element = nil
      i = 0
      while Primitive.array_next(elements, i, element)
        Primitive.hash_delete(set, element)
      end
    else
      Core.set_source(enum) { |other| Primitive.hash_delete(set, other) }
    end
    set
  end

  # An empty scratch set that compares as +set+ does.
  def self.set_scratch_like(set)
    scratch = Primitive.set_scratch
    Primitive.hash_identity?(set) ? Primitive.hash_compare_by_identity(scratch) : scratch
  end

  # An empty set of the same class. It compares by hash and eql? even when +set+ compares by identity.
  def self.set_like(set)
    klass = Primitive.class_of(set)
    Primitive.same(klass, Set) ? Primitive.set_scratch : klass.new
  end

  # The least or the greatest element of a set whose elements are compared without a call; undef of anything else.
  def self.set_extreme(set, greatest)
    Primitive.set_each?(set) ? Primitive.array_extreme(Primitive.hash_keys(set), greatest) : Primitive.undef
  end

  def self.set_check(other)
    raise ArgumentError, "value must be a set" unless Primitive.kind_of(other, Set)
  end

  def self.set_check_enumerable(enum)
    return if Primitive.kind_of(enum, Enumerable) || enum.respond_to?(:each_entry) || enum.respond_to?(:each)
    raise ArgumentError, "value must be enumerable"
  end

  # Calls the block with each element of anything that can be enumerated.
  def self.set_source(enum, &block)
    if Primitive.kind_of(enum, Set)
      Core.hash_pairs(enum) { |element, _| yield element }
    elsif Primitive.array_each?(enum)
      i = 0
      while i < Primitive.array_size(enum)
        yield Primitive.array_at(enum, i)
        i += 1
      end
    elsif enum.respond_to?(:each_entry)
      enum.each_entry(&block)
    elsif enum.respond_to?(:each)
      enum.each(&block)
    else
      raise ArgumentError, "value must be enumerable"
    end
  end

  # Adds the elements of nested sets; +path+ holds the sets that are being spread.
  def self.set_flatten_onto(result, set, path)
    if path.any? { |outer| Primitive.same(outer, set) }
      raise ArgumentError, "tried to flatten recursive Set"
    end
    if Primitive.same(Primitive.class_of(result), Set) && !Primitive.set_nests?(set)
      return Primitive.hash_add_all(result, Primitive.hash_keys(set))
    end
    path.push(set)
    set.each do |element|
      if Primitive.kind_of(element, Set)
        Core.set_flatten_onto(result, element, path)
      else
        result.add(element)
      end
    end
    path.pop
  end

  # The parts whose elements the block relates both ways, directly or by way of others: a forest of indexes, in which those of one
  # part have one root. CRuby asks for each pair once, and the other way round if that was true.
  def self.set_components(set)
    elements = Primitive.hash_keys(set)
    size = Primitive.array_size(elements)
    roots = Array.new(size) { |i| i }
    i = 0
    while i < size
      one = Primitive.array_at(elements, i)
      j = i + 1
      while j < size
        other = Primitive.array_at(elements, j)
        Core.set_unite(roots, i, j) if yield(one, other) && yield(other, one)
        j += 1
      end
      i += 1
    end
    Core.set_parts(set, elements, roots)
  end

  def self.set_unite(roots, i, j)
    i = Core.set_root(roots, i)
    Primitive.array_set(roots, Core.set_root(roots, j), i)
  end

  # The root of an index; what is on the way there is nearer to it from now on.
  def self.set_root(roots, i)
    while (up = Primitive.array_at(roots, i)) != i
      upper = Primitive.array_at(roots, up)
      Primitive.array_set(roots, i, upper)
      i = upper
    end
    i
  end

  # The sets of the elements that have one root.
  def self.set_parts(set, elements, roots)
    parts = Array.new(Primitive.array_size(roots))
    i = 0
    while i < Primitive.array_size(roots)
      root = Core.set_root(roots, i)
      part = Primitive.array_at(parts, root)
      Primitive.array_set(parts, root, part = Core.set_like(set)) if part.nil?
      Primitive.hash_add(part, Primitive.array_at(elements, i))
      i += 1
    end
    Core.set_of_parts(parts, roots)
  end

  # The sets, in the order of their first elements.
  def self.set_of_parts(parts, roots)
    all = Primitive.set_scratch
    roots.each { |root| Primitive.hash_add(all, Primitive.array_at(parts, Core.set_root(roots, root))) }
    all
  end
end
