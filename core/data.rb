# Data: classes of frozen objects with named fields. Layout and members are as for Struct.
#
# Primitives:
#   data_new_class(superclass)                   a new subclass of Data
#   data_fill(data, fields)                      stores all fields and freezes data; false if they do not fit
#   data_with(data, fields)                      a copy with some fields replaced; undef if that is for initialize to do
#   struct_define_new(klass)                     defines the singleton method new
#   struct_define_reader(klass, name, index)     defines the reader alone
#   freeze(o)                                    freezes o, whatever its +freeze+ has become
class Data
  class << self
    # Makes a new class with the given fields.
    #   Point = Data.define(:x, :y)
    def define(*names, &block)
      members = Core.member_names(names) do |member|
        raise ArgumentError, "duplicate member: #{member}"
      end
      i = 0
      while i < Primitive.array_size(members)
        name = Primitive.array_at(members, i)
        raise ArgumentError, "invalid data member: #{name}" if name.end_with?("=")
        i += 1
      end
      klass = Primitive.data_new_class(self)
      Primitive.struct_setup(klass, members, true)
      i = 0
      while i < Primitive.array_size(members)
        Primitive.struct_define_reader(klass, Primitive.array_at(members, i), i)
        i += 1
      end
      Core.data_class_methods(klass)
      klass.class_eval(&block) if block
      klass
    end
    undef_method :new
  end

  # Fills the fields from keywords: all of them, and no others. Values in order have become keywords before.
  #   Data.define(:a).new(a: 1).a #=> 1
  def initialize(**fields)
    Primitive.frozen_check(self)
    return if Primitive.data_fill(self, fields)
    members = Primitive.struct_members(Primitive.class_of(self))
    unknown = []
    set = {}
    Core.hash_pairs(fields) do |key, value|
      name = Core.member_key(key)
      index = Core.member_index(members, name)
      if index
        Primitive.struct_set(self, index, value)
        Primitive.hash_add(set, name)
      else
        Primitive.array_push(unknown, Primitive.kind_of(key, Symbol) ? key : name.name)
      end
    end
    # With enough keywords, but wrong ones, it is those that are complained about.
    if Primitive.hash_size(fields) < Primitive.array_size(members) || (Primitive.array_size(unknown) == 0 && Primitive.hash_size(set) < Primitive.array_size(members))
      Core.data_keywords_error("missing", members.reject { |name| set.key?(name) })
    end
    Core.data_keywords_error("unknown", unknown) if Primitive.array_size(unknown) > 0
    Primitive.freeze(self)
    nil
  end

  # Copies the fields and is frozen.
  #   Data.define(:a).new(1).dup.frozen? #=> true
  def initialize_copy(other)
    i = Primitive.array_size(Primitive.struct_members(Primitive.class_of(self))) - 1
    while i >= 0
      Primitive.struct_set(self, i, Primitive.struct_get(other, i))
      i -= 1
    end
    Primitive.freeze(self)
    self
  end

  # Returns the names of the fields.
  #   Data.define(:a).new(1).members #=> [:a]
  def members
    names = Primitive.struct_members(Primitive.class_of(self))
    Primitive.array_slice(names, 0, Primitive.array_size(names))
  end

  # Returns a copy with some fields replaced.
  #   Data.define(:a, :b).new(1, 2).with(b: 3).to_h #=> {a: 1, b: 3}
  def with(*values, **fields)
    unless Primitive.array_size(values) == 0
      Core.arity_error(Primitive.array_size(values), 0)
    end
    return self if fields.empty?
    copy = Primitive.data_with(self, fields)
    return copy unless Primitive.undef?(copy)
    copy = Primitive.alloc(Primitive.class_of(self))
    all = Primitive.struct_to_h(self, Primitive.struct_members(Primitive.class_of(self)))
    Core.hash_pairs(fields) { |key, value| Primitive.hash_set(all, Core.member_key(key), value) }
    copy.__send__(:initialize, **all)
    copy
  end

  # Returns a Hash of names and values, or of the pairs the block returns.
  #   Data.define(:a).new(1).to_h #=> {a: 1}
  def to_h
    members = Primitive.struct_members(Primitive.class_of(self))
    hash = {}
    i = 0
    while i < Primitive.array_size(members)
      name = Primitive.array_at(members, i)
      value = Primitive.struct_get(self, i)
      if block_given?
        Primitive.hash_set_pair(hash, yield(name, value))
      else
        Primitive.hash_set(hash, name, value)
      end
      i += 1
    end
    hash
  end

  # Returns the named fields as a Hash, up to the first that does not exist; all of them for nil.
  #   Data.define(:a, :b).new(1, 2).deconstruct_keys([:a]) #=> {a: 1}
  def deconstruct_keys(names)
    return to_h if names.nil?
    unless Primitive.kind_of(names, Array)
      raise TypeError, "wrong argument type #{Primitive.class_of(names)} (expected Array or nil)"
    end
    pairs = Primitive.struct_pairs(self, names)
    return pairs unless Primitive.undef?(pairs)
    hash = {}
    return hash if Primitive.array_size(names) > Primitive.array_size(Core.struct_members_of(self))
    i = 0
    while i < Primitive.array_size(names)
      name = Primitive.array_at(names, i)
      name = Primitive.check_string(name) || name unless Primitive.kind_of(name, Symbol)
      index = Core.member_index(Core.struct_members_of(self), Core.member_key(name))
      return hash unless index
      Primitive.hash_set(hash, name, Primitive.struct_get(self, index))
      i += 1
    end
    hash
  end

  # Returns the values of the fields.
  #   Data.define(:a).new(1).deconstruct #=> [1]
  def deconstruct
    size = Primitive.array_size(Core.struct_members_of(self))
    result = Primitive.array_new(size)
    i = 0
    while i < size
      Primitive.array_push(result, Primitive.struct_get(self, i))
      i += 1
    end
    result
  end

  # Shows the class and the fields.
  #   Data.define(:a).new(1).inspect #=> "#<data a=1>"
  def inspect
    fields = Primitive.struct_fields_text(self)
    return "#<data #{Primitive.class_of(self)}:...>" if Primitive.same(fields, nil)
    name = Core.shown_class_path(self)
    name && Primitive.string_bytesize(fields) > 0 ? "#<data #{name} #{fields}>" : "#<data #{name}#{fields}>"
  end
  alias_method :to_s, :inspect
end

module Core
  # The methods that only classes made by Data.define have.
  def self.data_class_methods(klass)
    Primitive.struct_define_new(klass)
    class << klass
      undef_method :define
      alias_method :[], :new

      # Returns the names of the fields.
      def members
        names = Primitive.struct_members(self)
        Primitive.array_slice(names, 0, Primitive.array_size(names))
      end
    end
  end

  # A field's name given as Symbol or String.
  def self.member_key(key)
    return key if Primitive.kind_of(key, Symbol)
    text = Primitive.check_string(key)
    raise TypeError, "#{key.inspect} is not a symbol nor a string" unless text
    text.to_sym
  end

  # The position of a name among the members, or nil.
  def self.member_index(members, name)
    i = 0
    while i < Primitive.array_size(members)
      return i if Primitive.same(Primitive.array_at(members, i), name)
      i += 1
    end
    nil
  end

  def self.data_keywords_error(word, names)
    texts = names.map { |name| name.inspect }
    raise ArgumentError, "#{word} keyword#{"s" if Primitive.array_size(names) > 1}: #{texts.join(", ")}"
  end
end
