# ObjectSpace: tables that do not own what they refer to. An entry goes when what it refers to is collected, which nothing
# but the collector decides: it may keep entries longer than it has to. The tables are native:
#   weak_get(map, key)  weak_key(map, key)  weak_set(map, key, value)  weak_delete(map, key)  undefined without an entry
#   weak_pairs(map)  weak_size(map)  weak_clear(map)
module ObjectSpace
  # Maps objects to objects by identity.
  class WeakMap
    include Enumerable

    # Returns the value of +key+, or nil.
    def [](key)
      value = Primitive.weak_get(self, key)
      Primitive.undef?(value) ? nil : value
    end

    # Sets the value of +key+.
    def []=(key, value)
      Primitive.weak_set(self, key, value)
    end

    # Deletes +key+ and returns its value; without an entry, what the block returns for the key.
    def delete(key)
      value = Primitive.weak_delete(self, key)
      return value unless Primitive.undef?(value)
      yield key if block_given?
    end

    # Whether there is an entry for +key+.
    def key?(key) = !Primitive.undef?(Primitive.weak_get(self, key))
    alias include? key?
    alias member? key?

    # Returns the number of entries.
    def size = Primitive.weak_size(self)
    alias length size

    # Returns the keys.
    def keys
      keys = []
      each_key { |key| keys << key }
      keys
    end

    # Returns the values.
    def values
      values = []
      each_value { |value| values << value }
      values
    end

    # Yields keys and values.
    def each
      pairs = Primitive.weak_pairs(self)
      i = 0
      while i < pairs.size
        yield pairs[i], pairs[i + 1]
        i += 2
      end
      self
    end
    alias each_pair each

    # Yields the keys.
    def each_key
      each { |key, _| yield key }
    end

    # Yields the values.
    def each_value
      each { |_, value| yield value }
    end

    # Shows what refers to what, by address.
    def inspect
      shown = []
      each { |key, value| shown << "#{Core.weak_inspect(key)} => #{Core.weak_inspect(value)}" }
      name = Kernel.instance_method(:to_s).bind_call(self)
      shown.empty? ? name : "#{name[0..-2]}: #{shown.join(", ")}>"
    end
  end

  # Maps keys, compared with eql?, to objects. Only the keys are weak.
  class WeakKeyMap
    # Returns the value of +key+, or nil.
    def [](key)
      value = Primitive.weak_get(self, key)
      Primitive.undef?(value) ? nil : value
    end

    # Sets the value of +key+, which must be something that can be collected.
    def []=(key, value)
      case key
      when nil, true, false, Integer, Float, Symbol
        raise ArgumentError, "WeakKeyMap keys must be garbage collectable"
      end
      Primitive.weak_set(self, key, value)
    end

    # Deletes +key+ and returns its value; without an entry, what the block returns for the key.
    def delete(key)
      value = Primitive.weak_delete(self, key)
      return value unless Primitive.undef?(value)
      yield key if block_given?
    end

    # Returns the key in the table that is equal to +key+, or nil.
    def getkey(key)
      found = Primitive.weak_key(self, key)
      Primitive.undef?(found) ? nil : found
    end

    # Whether there is an entry for +key+.
    def key?(key) = !Primitive.undef?(Primitive.weak_get(self, key))

    # Removes all entries.
    def clear
      Primitive.weak_clear(self)
      self
    end

    # Shows how many entries there are.
    def inspect = "#{Kernel.instance_method(:to_s).bind_call(self)[0..-2]} size=#{Primitive.weak_size(self)}>"
  end
end

module Core
  # An object as a WeakMap shows it: in full only where that runs no method of a program.
  def self.weak_inspect(object)
    case object
    when nil, true, false, Integer, Float, Symbol then object.inspect
    else Kernel.instance_method(:to_s).bind_call(object)
    end
  end
end
