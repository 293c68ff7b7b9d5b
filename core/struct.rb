# Struct: classes of named, positional fields.
#
# Primitives:
#   struct_new_class(superclass)          a new subclass of Struct, without calling inherited twice
#   struct_setup(klass, members, keyword_init)   records what instances look like
#   struct_members(klass)                 the array of names that klass or an ancestor records, or nil
#   struct_keyword_init(klass)            true, false or nil, as given
#   struct_define_new(klass)              defines the singleton method new
#   struct_define_accessor(klass, name, index)   defines the reader and the writer
#   struct_get(s, i)  struct_set(s, i, v)        the fields, unchecked
#   struct_ref(s, name_or_index)          a field by a Symbol or an Integer; undef when there is none
#   struct_find(s, name_or_index)         the number of a field by a Symbol or an Integer; undef when there is none
#   struct_to_h(s, members)               a Hash of names and values
#   struct_pairs(s, names)                the same for some names, up to the first of no field; undef unless all are symbols
#   struct_copy(s, other)                 s with the fields of another instance of its class
#   struct_fields_text(s)                 "name=value, ..." for inspect; nil while s is being shown
#   constant_name?(name)                  whether it is a constant's
class Struct
  include Enumerable

  # Makes a new class with the given fields; a leading String names it below Struct.
  #   Point = Struct.new(:x, :y)
  def self.new(*names, keyword_init: nil, **options, &block)
    Core.unknown_keywords(options) unless options.empty?
    name = nil
    first = Primitive.array_at(names, 0)
    if Primitive.array_size(names) > 0 && !Primitive.kind_of(first, Symbol)
      name = first.nil? ? nil : Primitive.to_str(first)
      names = Primitive.array_slice(names, 1, Primitive.array_size(names) - 1)
    end
    members = Core.member_names(names) { |member| raise ArgumentError, "duplicate member: #{member}" }
    members.each { |member| raise ArgumentError, "invalid struct member: #{member}" if member.end_with?("=") }
    klass = Primitive.struct_new_class(self)
    Core.struct_name(self, klass, name) if name
    Primitive.struct_setup(klass, members, keyword_init.nil? ? nil : (keyword_init ? true : false))
    i = 0
    while i < Primitive.array_size(members)
      Primitive.struct_define_accessor(klass, Primitive.array_at(members, i), i)
      i += 1
    end
    Core.struct_class_methods(klass)
    klass.class_eval(&block) if block
    klass
  end

  # Fills the fields, from values in order or from keywords.
  #   Struct.new(:a).new(1).a #=> 1
  def initialize(*values, **fields)
    Primitive.frozen_check(self)
    members = Core.struct_members_of(self)
    keyword_init = Primitive.struct_keyword_init(Primitive.class_of(self))
    if keyword_init || (keyword_init.nil? && Primitive.array_size(values) == 0 && !fields.empty?)
      if Primitive.array_size(values) == 1 && fields.empty? && Primitive.kind_of(Primitive.array_at(values, 0), Hash)
        fields = Primitive.array_at(values, 0)
      elsif Primitive.array_size(values) > 0
        Core.arity_error(Primitive.array_size(values), 0)
      end
      Core.struct_fill_from(self, members, fields)
    else
      Primitive.array_push(values, fields) unless fields.empty?
      raise ArgumentError, "struct size differs" if Primitive.array_size(values) > Primitive.array_size(members)
      i = 0
      while i < Primitive.array_size(members)
        Primitive.struct_set(self, i, Primitive.array_at(values, i))
        i += 1
      end
    end
    nil
  end

  # Copies the fields of another instance of the class.
  #   Struct.new(:a).new(1).dup.a #=> 1
  def initialize_copy(other)
    return self if Primitive.same(self, other)
    Primitive.frozen_check(self)
    unless Primitive.same(Primitive.class_of(self), Primitive.class_of(other))
      raise TypeError, "initialize_copy should take same class object"
    end
    Primitive.struct_copy(self, other)
  end

  # Returns the names of the fields.
  #   Struct.new(:a, :b).new.members #=> [:a, :b]
  def members
    names = Core.struct_members_of(self)
    Primitive.array_slice(names, 0, Primitive.array_size(names))
  end

  # Returns the value of the field with the name or index.
  #   Struct.new(:a).new(1)[:a] #=> 1
  def [](name)
    value = Primitive.struct_ref(self, name)
    Primitive.undef?(value) ? Primitive.struct_get(self, Core.struct_index(self, name)) : value
  end

  # Sets the value of the field with the name or index.
  #   s = Struct.new(:a).new; s[0] = 2
  def []=(name, value)
    index = Primitive.struct_find(self, name)
    index = Core.struct_index(self, name) if Primitive.undef?(index)
    Primitive.frozen_check(self)
    Primitive.struct_set(self, index, value)
  end

  # Returns the number of fields.
  #   Struct.new(:a).new.size #=> 1
  def size = Primitive.array_size(Core.struct_members_of(self))
  alias length size

  # Calls the block with each value.
  #   Struct.new(:a).new(1).each { |v| p v }
  def each
    size = Primitive.array_size(Core.struct_members_of(self))
    return Core.enumerator_of(self, :each, :size) unless block_given?
    i = 0
    while i < size
      yield Primitive.struct_get(self, i)
      i += 1
    end
    self
  end

  # Calls the block with each name and value.
  #   Struct.new(:a).new(1).each_pair.to_a #=> [[:a, 1]]
  def each_pair(&block)
    members = Core.struct_members_of(self)
    return Core.enumerator(self, :each_pair, Core::NO_ARGUMENTS) { Primitive.array_size(members) } unless block
    pair = Primitive.block_arity(block) > 1 && !Primitive.block_lambda?(block)
    i = 0
    while i < Primitive.array_size(members)
      if pair
        yield Primitive.array_at(members, i), Primitive.struct_get(self, i)
      else
        yield [Primitive.array_at(members, i), Primitive.struct_get(self, i)]
      end
      i += 1
    end
    self
  end

  # Returns the values for which the block is true.
  #   Struct.new(:a, :b).new(1, 2).select(&:even?) #=> [2]
  def select
    size = Primitive.array_size(Core.struct_members_of(self))
    return Core.enumerator_of(self, Primitive.callee, :size) unless block_given?
    result = []
    i = 0
    while i < size
      value = Primitive.struct_get(self, i)
      Primitive.array_push(result, value) if yield value
      i += 1
    end
    result
  end
  alias filter select

  # Returns the values at the indexes and in the ranges.
  #   Struct.new(:a, :b).new(1, 2).values_at(1, 0) #=> [2, 1]
  def values_at(*indexes)
    result = Primitive.array_new(Primitive.array_size(indexes))
    size = nil
    i = 0
    index = nil
    while Primitive.array_next(indexes, i, index)
      value = Primitive.struct_ref(self, index)
      if !Primitive.undef?(value) && Primitive.fixnum?(index)
        Primitive.array_push(result, value)
      elsif Primitive.kind_of(index, Range)
        size ||= Primitive.array_size(Core.struct_members_of(self))
        Core.struct_slice_onto(result, self, index, size)
      else
        size ||= Primitive.array_size(Core.struct_members_of(self))
        position = Core.struct_position(Primitive.to_long(index), size)
        Primitive.array_push(result, Primitive.struct_get(self, position))
      end
    end
    result
  end

  # Returns a Hash of names and values, or of the pairs the block returns.
  #   Struct.new(:a).new(1).to_h #=> {a: 1}
  def to_h
    members = Core.struct_members_of(self)
    return Primitive.struct_to_h(self, members) unless block_given?
    hash = {}
    i = 0
    while i < Primitive.array_size(members)
      Primitive.hash_set_pair(hash, yield(Primitive.array_at(members, i), Primitive.struct_get(self, i)))
      i += 1
    end
    hash
  end

  # Returns the named fields as a Hash, up to the first that does not exist; all of them for nil.
  #   Struct.new(:a, :b).new(1, 2).deconstruct_keys([:a]) #=> {a: 1}
  def deconstruct_keys(names)
    return to_h if names.nil?
    unless Primitive.kind_of(names, Array)
      raise TypeError, "wrong argument type #{Primitive.class_of(names)} (expected Array or nil)"
    end
    pairs = Primitive.struct_pairs(self, names)
    return pairs unless Primitive.undef?(pairs)
    hash = {}
    return hash if Primitive.array_size(names) > Primitive.array_size(Core.struct_members_of(self))
    name = nil
    i = 0
    while Primitive.array_next(names, i, name)
      index = Core.struct_find(self, name)
      return hash unless index
      Primitive.hash_set(hash, name, Primitive.struct_get(self, index))
    end
    hash
  end

  # Follows +name+ and then the further keys into nested objects.
  #   Struct.new(:a).new([1]).dig(:a, 0) #=> 1
  def dig(name, *rest)
    value = Primitive.struct_ref(self, name)
    if Primitive.undef?(value)
      index = Core.struct_find(self, name)
      return nil unless index
      value = Primitive.struct_get(self, index)
    end
    return value if Primitive.same(value, nil) || Primitive.array_size(rest) == 0
    Core.dig(value, rest)
  end

  # Shows the class and the fields.
  #   Struct.new(:a).new(1).inspect #=> "#<struct a=1>"
  def inspect
    fields = Primitive.struct_fields_text(self)
    return "#<struct #{Primitive.class_of(self)}:...>" if Primitive.same(fields, nil)
    name = Core.shown_class_path(self)
    head = name ? "#<struct #{name}" : "#<struct"
    Primitive.string_bytesize(fields) == 0 ? "#{head}>" : "#{head} #{fields}>"
  end
  alias_method :to_s, :inspect
end

# The shared halves of the methods above.
module Core
  # The methods that only classes made by Struct.new have.
  def self.struct_class_methods(klass)
    Primitive.struct_define_new(klass)
    class << klass
      alias_method :[], :new

      # Returns the names of the fields.
      def members
        names = Primitive.struct_members(self)
        Primitive.array_slice(names, 0, Primitive.array_size(names))
      end

      # Returns whether instances are made from keywords, or nil when that was left open.
      def keyword_init? = Primitive.struct_keyword_init(self)

      # Shows the name, and whether instances are made from keywords.
      def inspect = Primitive.struct_keyword_init(self) ? "#{super}(keyword_init: true)" : super
    end
  end

  # Names a class below Struct, replacing what had the name.
  def self.struct_name(parent, klass, name)
    unless Primitive.constant_name?(name)
      raise NameError.new("identifier #{name} needs to be constant", name.to_sym, receiver: parent)
    end
    if parent.const_defined?(name, false)
      Primitive.warn("redefining constant #{parent}::#{name}")
      parent.__send__(:remove_const, name)
    end
    parent.const_set(name, klass)
  end

  # The names as Symbols. Calls the block with one that appears twice.
  def self.member_names(names)
    members = []
    seen = {}
    name = nil
    i = 0
    while Primitive.array_next(names, i, name)
      unless Primitive.kind_of(name, Symbol)
        text = Primitive.check_string(name)
        raise TypeError, "#{name.inspect} is not a symbol nor a string" unless text
        name = text.to_sym
      end
      yield name unless Primitive.hash_add(seen, name)
      Primitive.array_push(members, name)
    end
    members.freeze
  end

  def self.struct_members_of(struct)
    members = Primitive.struct_members(Primitive.class_of(struct))
    raise TypeError, "uninitialized struct" unless members
    members
  end

  # Fills the fields from keywords; absent ones become nil.
  def self.struct_fill_from(struct, members, fields)
    left = Primitive.hash_size(fields)
    i = 0
    while i < Primitive.array_size(members)
      value = Primitive.hash_get(fields, Primitive.array_at(members, i))
      if Primitive.undef?(value)
        value = nil
      else
        left -= 1
      end
      Primitive.struct_set(struct, i, value)
      i += 1
    end
    return if left == 0
    unknown = fields.keys - members
    raise ArgumentError, "unknown keywords: #{unknown.join(", ")}"
  end

  # The index of the field with the name or number, or nil.
  def self.struct_find(struct, name)
    index = Primitive.struct_find(struct, name)
    return index unless Primitive.undef?(index)
    members = Core.struct_members_of(struct)
    size = Primitive.array_size(members)
    if Primitive.kind_of(name, Symbol) || Primitive.kind_of(name, String)
      return Core.member_index(members, name.to_sym)
    end
    index = Primitive.to_long(name)
    index += size if index < 0
    index >= 0 && index < size ? index : nil
  end

  # The index of the field with the name or number; raises when there is none.
  def self.struct_index(struct, name)
    index = Core.struct_find(struct, name)
    return index if index
    if Primitive.kind_of(name, Symbol) || Primitive.kind_of(name, String)
      raise NameError.new("no member '#{name}' in struct", name.to_sym, receiver: struct)
    end
    Core.struct_position(Primitive.to_long(name), Primitive.array_size(Core.struct_members_of(struct)))
  end

  # An index made positive; raises IndexError outside the fields.
  def self.struct_position(index, size)
    return index if index >= 0 && index < size
    return index + size if index < 0 && index >= -size
    raise IndexError, "offset #{index} too #{index < 0 ? "small" : "large"} for struct(size:#{size})"
  end

  # Appends the fields in the range; nil for those past the end.
  def self.struct_slice_onto(result, struct, range, size)
    start, length = Primitive.range_beg_len(range, size, true)
    last = Primitive.range_end(range)
    last = last.nil? ? size - 1 : Primitive.to_long(last)
    last += size if last < 0
    last -= 1 if Primitive.range_excl?(range) && !Primitive.range_end(range).nil?
    i = start
    while i < start + length
      Primitive.array_push(result, Primitive.struct_get(struct, i))
      i += 1
    end
    while i <= last
      Primitive.array_push(result, nil)
      i += 1
    end
  end
end

module Core
  # The name that a struct or data object shows of its class: none for what is nested in an anonymous class or module.
  def self.shown_class_path(object)
    name = Primitive.class_path(Primitive.class_of(object))
    name unless name.nil? || name.start_with?("#")
  end
end
