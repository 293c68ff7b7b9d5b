# Hash: what yields. The rest is native: lookup, storing, comparison, defaults, and what chooses entries without a block.
#
# Primitives on a hash's layout. A position counts entries from 1; 0 is before the first.
#   hash_size(h)
#   while hash_next(h, pos, key, value)      as long as there is an entry after pos: its position, key and value in three
#                              locals, of which the last two come into being one after the other; works of sets, too
#   hash_value_set_at(h, pos, v)  hash_delete_at(h, pos)     the latter raises FrozenError
#   hash_iter_enter(h)  hash_iter_leave(h)    between them a new key is refused and deleting keeps positions valid
#   hash_get(h, k)             the value, or undef
#   hash_set(h, k, v)          h[k] = v as the original Hash#[]= does it (a String key is copied and frozen)
#   hash_add(h, k)             stores true for k and returns true, unless k is there already
#   hash_delete(h, k)          the value removed, or undef
#   hash_clear(h)              removes every entry, unchecked
#   hash_replace(h, o)         h takes o's entries and identity mode
#   hash_copy(h)               a plain Hash with h's entries and identity mode, without defaults
#   hash_new_like(h)           an empty plain Hash in h's identity mode
#   hash_each?(o)              whether o is a Hash with the original each
#   hash_identity?(h)          whether it compares keys by identity
#   hash_iterating?(h)         whether somebody goes through it
#   hash_compare_by_identity(h)   makes an empty hash do so, and returns it
class Hash
  # Calls the block with each key and value.
  #   {a: 1}.each { |k, v| p k }
  def each
    return Core.enumerator_of(self, Primitive.callee, :length) unless block_given?
    pair = Primitive.block_pairs?
    position = 0
    key = nil
    value = nil
    Primitive.hash_iter_enter(self)
    begin
      while Primitive.hash_next(self, position, key, value)
        if pair
          yield key, value
        else
          yield [key, value]
        end
      end
    ensure
      Primitive.hash_iter_leave(self)
    end
    self
  end
  alias each_pair each

  # Calls the block with each key.
  #   {a: 1}.each_key { |k| p k }
  def each_key
    return Core.enumerator_of(self, :each_key, :length) unless block_given?
    Core.hash_pairs(self) { |key, _| yield key }
    self
  end

  # Calls the block with each value.
  #   {a: 1}.each_value { |v| p v }
  def each_value
    return Core.enumerator_of(self, :each_value, :length) unless block_given?
    Core.hash_pairs(self) { |_, value| yield value }
    self
  end

  # Returns the entries for which the block is true.
  #   {a: 1, b: 2}.select { |k, v| v > 1 } #=> {b: 2}
  def select
    return Core.enumerator_of(self, Primitive.callee, :length) unless block_given?
    result = Primitive.hash_new_like(self)
    position = 0
    key = nil
    value = nil
    Primitive.hash_iter_enter(self)
    begin
      while Primitive.hash_next(self, position, key, value)
        Primitive.hash_append_from(result, self, position, key, value) if yield key, value
      end
    ensure
      Primitive.hash_iter_leave(self)
    end
    result
  end
  alias filter select

  # Returns the entries for which the block is false.
  #   {a: 1, b: 2}.reject { |k, v| v > 1 } #=> {a: 1}
  def reject
    return Core.enumerator_of(self, :reject, :length) unless block_given?
    result = Primitive.hash_new_like(self)
    position = 0
    key = nil
    value = nil
    Primitive.hash_iter_enter(self)
    begin
      while Primitive.hash_next(self, position, key, value)
        Primitive.hash_append_from(result, self, position, key, value) unless yield key, value
      end
    ensure
      Primitive.hash_iter_leave(self)
    end
    result
  end

  # Keeps the entries for which the block is true; nil when nothing changed.
  #   {a: 1}.select! { |k, v| v > 0 } #=> nil
  def select!
    return Core.enumerator_of(self, Primitive.callee, :length) unless block_given?
    Primitive.frozen_check(self)
    before = Primitive.hash_size(self)
    Core.hash_delete_unless(self) { |key, value| yield key, value }
    before == Primitive.hash_size(self) ? nil : self
  end
  alias filter! select!

  # Keeps the entries for which the block is true.
  #   {a: 1, b: 2}.keep_if { |k, v| v > 1 } #=> {b: 2}
  def keep_if
    return Core.enumerator_of(self, :keep_if, :length) unless block_given?
    Primitive.frozen_check(self)
    Core.hash_delete_unless(self) { |key, value| yield key, value }
    self
  end

  # Removes the entries for which the block is true; nil when nothing changed.
  #   {a: 1}.reject! { |k, v| v > 1 } #=> nil
  def reject!
    return Core.enumerator_of(self, :reject!, :length) unless block_given?
    Primitive.frozen_check(self)
    before = Primitive.hash_size(self)
    Core.hash_delete_unless(self) { |key, value| !yield(key, value) }
    before == Primitive.hash_size(self) ? nil : self
  end

  # Removes the entries for which the block is true.
  #   {a: 1, b: 2}.delete_if { |k, v| v > 1 } #=> {a: 1}
  def delete_if
    return Core.enumerator_of(self, :delete_if, :length) unless block_given?
    Primitive.frozen_check(self)
    Core.hash_delete_unless(self) { |key, value| !yield(key, value) }
    self
  end

  # Removes +key+ and returns its value; when it is absent, the block's result or nil.
  #   {a: 1}.delete(:b) { |k| k.to_s } #=> "b"
  def delete(key)
    Primitive.frozen_check(self)
    value = Primitive.hash_delete(self, key)
    return value unless Primitive.undef?(value)
    block_given? ? yield(key) : nil
  end

  # Returns the value for +key+; when it is absent, the block's result, +default+, or a KeyError.
  #   {a: 1}.fetch(:b, 0) #=> 0
  def fetch(key, default = (no_default = true; nil))
    Primitive.warn("block supersedes default value argument") if !no_default && block_given?
    value = Primitive.hash_get(self, key)
    return value unless Primitive.undef?(value)
    return yield(key) if block_given?
    return default unless no_default
    Core.hash_missing(self, key)
  end

  # Returns the values for the keys; an absent one is the block's result or a KeyError.
  #   {a: 1}.fetch_values(:a) #=> [1]
  def fetch_values(*keys)
    i = 0
    while (i = Primitive.hash_put_values(self, keys, i)) < Primitive.array_size(keys)
      key = Primitive.array_at(keys, i)
      Primitive.array_set(keys, i, block_given? ? yield(key) : Core.hash_missing(self, key))
      i += 1
    end
    keys
  end

  # Whether there is an entry, or one that satisfies the block or matches +pattern+ as [key, value].
  #   {a: 1}.any? { |k, v| v > 0 } #=> true
  def any?(pattern = (no_pattern = true; nil))
    unless no_pattern
      Primitive.warn("given block not used") if block_given?
      Core.hash_pairs(self) { |key, value| return true if pattern === [key, value] }
      return false
    end
    return Primitive.hash_size(self) > 0 unless block_given?
    pair = Primitive.block_pairs?
    position = 0
    key = nil
    value = nil
    Primitive.hash_iter_enter(self)
    begin
      while Primitive.hash_next(self, position, key, value)
        return true if pair ? yield(key, value) : yield([key, value])
      end
    ensure
      Primitive.hash_iter_leave(self)
    end
    false
  end

  # Returns a Hash with the same keys and the block's results as values.
  #   {a: 1}.transform_values { |v| v + 1 } #=> {a: 2}
  def transform_values
    return Core.enumerator_of(self, :transform_values, :length) unless block_given?
    # The block does not see the copy, whose values are replaced in their places.
    result = Primitive.hash_copy(self)
    position = 0
    key = nil
    value = nil
    while Primitive.hash_next(result, position, key, value)
      Primitive.hash_value_set_at(result, position, yield(value))
    end
    result
  end

  # Replaces each value by the block's result.
  #   {a: 1}.transform_values! { |v| v + 1 } #=> {a: 2}
  def transform_values!
    return Core.enumerator_of(self, :transform_values!, :length) unless block_given?
    Primitive.frozen_check(self)
    position = 0
    key = nil
    value = nil
    Primitive.hash_iter_enter(self)
    begin
      while Primitive.hash_next(self, position, key, value)
        value = yield(value)
        Primitive.frozen_check(self)
        Primitive.hash_value_set_at(self, position, value)
      end
    ensure
      Primitive.hash_iter_leave(self)
    end
    self
  end

  # Returns a Hash with each key replaced by what +mapping+ gives for it, or else by the block's result.
  #   {a: 1}.transform_keys(a: :b) #=> {b: 1}
  def transform_keys(mapping = (no_mapping = true; nil))
    if no_mapping
      return Core.enumerator_of(self, :transform_keys, :length) unless block_given?
    else
      mapping = Primitive.to_hash(mapping)
    end
    result = {}
    Core.hash_pairs(self) do |key, value|
      fresh = no_mapping ? Primitive.undef : Primitive.hash_get(mapping, key)
      fresh = block_given? ? yield(key) : key if Primitive.undef?(fresh)
      Primitive.hash_set(result, fresh, value)
    end
    result
  end

  # Replaces each key by what +mapping+ gives for it, or else by the block's result.
  #   {a: 1}.transform_keys!(&:to_s) #=> {"a" => 1}
  def transform_keys!(mapping = (no_mapping = true; nil))
    if no_mapping
      return Core.enumerator_of(self, :transform_keys!, :length) unless block_given?
    else
      mapping = Primitive.to_hash(mapping)
    end
    Primitive.frozen_check(self)
    written = {}
    entries = Primitive.hash_entries(self)
    i = 0
    while i < Primitive.array_size(entries)
      key = Primitive.array_at(entries, i)
      value = Primitive.array_at(entries, i + 1)
      i += 2
      fresh = no_mapping ? Primitive.undef : Primitive.hash_get(mapping, key)
      fresh = block_given? ? yield(key) : key if Primitive.undef?(fresh)
      Primitive.frozen_check(self)
      Primitive.hash_delete(self, key) if Primitive.undef?(Primitive.hash_get(written, key))
      Primitive.hash_set(self, fresh, value)
      Primitive.hash_add(written, fresh)
    end
    self
  end

  # Builds a plain Hash, of the pairs that the block returns when there is one.
  #   {a: 1}.to_h { |k, v| [v, k] } #=> {1 => :a}
  def to_h
    if block_given?
      result = {}
      Core.hash_pairs(self) { |key, value| Primitive.hash_set_pair(result, yield(key, value)) }
      return result
    end
    return self if Primitive.same(Primitive.class_of(self), Hash)
    Core.hash_plain(self)
  end

  # Returns a copy with the entries of the others. The block decides the value of a key both have.
  #   {a: 1}.merge({a: 2}) { |k, old, new| old + new } #=> {a: 3}
  def merge(*others)
    return Primitive.hash_merge(self, others) unless block_given?
    copy = Primitive.hash_dup(self, others)
    i = 0
    while i < Primitive.array_size(others)
      Core.hash_pairs(Primitive.to_hash(Primitive.array_at(others, i))) do |key, value|
        old = Primitive.hash_get(copy, key)
        # Nobody else sees the copy while the block runs.
        value = yield(key, old, value) unless Primitive.undef?(old)
        Primitive.hash_set(copy, key, value)
      end
      i += 1
    end
    copy
  end

  # Adds the entries of the others. The block decides the value of a key both have.
  #   h = {a: 1}; h.update(b: 2) #=> {a: 1, b: 2}
  def update(*others, &block)
    Primitive.frozen_check(self)
    block ? Core.hash_update(self, others, &block) : Primitive.hash_merge_all(self, others)
  end
  alias merge! update

  # Returns keys and values in one array, with arrays among them spread +depth+ - 1 levels.
  #   {a: [1]}.flatten(2) #=> [:a, 1]
  def flatten(depth = 1)
    depth = Primitive.to_long(depth)
    return to_a if depth == 0
    result = Primitive.hash_entries(self)
    return result.flatten if depth < 0
    depth > 1 ? result.flatten(depth - 1) : result
  end

  # Returns a lambda that maps keys to values.
  #   [:a].map(&{a: 1}) #=> [1]
  def to_proc
    hash = self
    lambda { |key| hash[key] }
  end

  # Whether every entry of self is in +other+.
  #   {a: 1} <= {a: 1, b: 2} #=> true
  def <=(other)
    other = Primitive.to_hash(other)
    Primitive.hash_size(self) <= Primitive.hash_size(other) && Primitive.hash_has_entries?(self, other)
  end

  # Whether every entry of self is in +other+, which has more.
  #   {a: 1} < {a: 1} #=> false
  def <(other)
    other = Primitive.to_hash(other)
    Primitive.hash_size(self) < Primitive.hash_size(other) && Primitive.hash_has_entries?(self, other)
  end

  # Whether every entry of +other+ is in self.
  #   {a: 1} >= {} #=> true
  def >=(other)
    other = Primitive.to_hash(other)
    Primitive.hash_size(self) >= Primitive.hash_size(other) && Primitive.hash_has_entries?(other, self)
  end

  # Whether every entry of +other+ is in self, which has more.
  #   {a: 1} > {} #=> true
  def >(other)
    other = Primitive.to_hash(other)
    Primitive.hash_size(self) > Primitive.hash_size(other) && Primitive.hash_has_entries?(other, self)
  end

  # Returns self: pattern matching asks for it.
  #   {a: 1}.deconstruct_keys([:a]) #=> {a: 1}
  def deconstruct_keys(_keys) = self
end

# The shared halves of the methods above.
module Core
  # The first entry as a pair, or nil.
  def self.hash_first(hash)
    position = 0
    key = nil
    value = nil
    while Primitive.hash_next(hash, position, key, value)
      return [key, value]
    end
    nil
  end

  # Appends the first +n+ entries, one at least, as pairs.
  def self.hash_take(hash, n, result)
    position = 0
    key = nil
    value = nil
    while Primitive.hash_next(hash, position, key, value)
      Primitive.array_push(result, [key, value])
      break if (n -= 1) == 0
    end
    result
  end

  # Calls the block with each key and value.
  def self.hash_pairs(hash)
    position = 0
    key = nil
    value = nil
    Primitive.hash_iter_enter(hash)
    begin
      while Primitive.hash_next(hash, position, key, value)
        yield key, value
      end
    ensure
      Primitive.hash_iter_leave(hash)
    end
  end

  # Deletes the entries for which the block is false.
  def self.hash_delete_unless(hash)
    position = 0
    key = nil
    value = nil
    Primitive.hash_iter_enter(hash)
    begin
      while Primitive.hash_next(hash, position, key, value)
        Primitive.hash_delete_at(hash, position) unless yield key, value
      end
    ensure
      Primitive.hash_iter_leave(hash)
    end
  end

  def self.hash_missing(hash, key)
    shown = key.inspect
    shown = "#{shown[0, 62]}..." if shown.size > 65
    raise KeyError.new("key not found: #{shown}", receiver: hash, key: key)
  end

  # A plain Hash with the entries and defaults of an instance of a subclass.
  def self.hash_plain(hash)
    copy = Primitive.hash_copy(hash)
    if hash.default_proc
      copy.default_proc = hash.default_proc
    else
      copy.default = hash.default
    end
    copy
  end

  def self.hash_update(hash, others)
    i = 0
    while i < Primitive.array_size(others)
      other = Primitive.to_hash(Primitive.array_at(others, i))
      Core.hash_pairs(other) do |key, value|
        old = Primitive.hash_get(hash, key)
        unless Primitive.undef?(old)
          value = Core.hash_locked(hash) { yield(key, old, value) }
          Primitive.frozen_check(hash)
        end
        Primitive.hash_set(hash, key, value)
      end
      i += 1
    end
    hash
  end

  # Runs the block, during which no key can be added.
  def self.hash_locked(hash)
    Primitive.hash_iter_enter(hash)
    begin
      yield
    ensure
      Primitive.hash_iter_leave(hash)
    end
  end
end
