# ObjectSpace: tables keyed by identity or by key that do not own what they refer to.
#
# The collector may keep what is in these tables alive longer than it has to; programs cannot rely on more.
module ObjectSpace
  # Maps objects to objects by identity.
  class WeakMap
    include Enumerable

    def initialize
      @table = {}.compare_by_identity
    end

    def [](key) = @table[key]

    def []=(key, value)
      @table[key] = value
    end

    def delete(key)
      return @table.delete(key) if @table.key?(key)
      yield key if block_given?
    end

    def key?(key) = @table.key?(key)
    alias include? key?
    alias member? key?

    def size = @table.size
    alias length size

    def keys = @table.keys

    def values = @table.values

    def each
      raise LocalJumpError, "no block given" unless block_given?
      @table.each { |key, value| yield key, value }
      self
    end
    alias each_pair each

    def each_key
      raise LocalJumpError, "no block given" unless block_given?
      @table.each_key { |key| yield key }
      self
    end

    def each_value
      raise LocalJumpError, "no block given" unless block_given?
      @table.each_value { |value| yield value }
      self
    end

    def inspect
      pairs = @table.map { |key, value| "#{key.inspect} => #{value.inspect}" }
      name = Kernel.instance_method(:to_s).bind_call(self)
      pairs.empty? ? name : "#{name[0..-2]}: #{pairs.join(", ")}>"
    end
  end

  # Maps keys, compared with eql?, to objects.
  class WeakKeyMap
    def initialize
      @table = {}
      @keys = {}
    end

    def [](key) = @table[key]

    def []=(key, value)
      raise ArgumentError, "WeakKeyMap keys must be garbage collectable" if key.nil? || true == key || false == key || Primitive.fixnum?(key) || Symbol === key
      unless @keys.key?(key)
        @keys[key] = [key]
      end
      @table[@keys[key][0]] = value
    end

    def delete(key)
      if @table.key?(key)
        @keys.delete(key)
        return @table.delete(key)
      end
      yield key if block_given?
    end

    # The key that is in the table and equal to +key+.
    def getkey(key)
      entry = @keys[key]
      entry && entry[0]
    end

    def key?(key) = @table.key?(key)

    def clear
      @table.clear
      @keys.clear
      self
    end

    def inspect
      "#{Kernel.instance_method(:to_s).bind_call(self)[0..-2]} size=#{@table.size}>"
    end
  end
end
