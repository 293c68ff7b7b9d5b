# ENV: the environment as something like a Hash of strings.
ENV = Object.new
Primitive.ractor_share(ENV)

class << ENV
  include Enumerable

  def [](name) = Primitive.env_get(name)

  def []=(name, value)
    Primitive.env_set(name, value)
  end
  alias store []=

  def fetch(name, default = Primitive.undef)
    warn("block supersedes default value argument", uplevel: 0) if block_given? && !Primitive.undef?(default)
    value = Primitive.env_get(name)
    return value unless value.nil?
    return yield(name) if block_given?
    return default unless Primitive.undef?(default)
    raise KeyError.new("key not found: #{name.inspect}", receiver: self, key: name)
  end

  def delete(name)
    name = Primitive.to_str(name)
    value = Primitive.env_get(name)
    if value.nil?
      return block_given? ? yield(name) : nil
    end
    Primitive.env_set(name, nil)
    value
  end

  def keys = Primitive.env_keys
  def values = keys.map { |name| self[name] }
  def to_a = keys.map { |name| [name, self[name]] }

  def to_h(&block)
    hash = {}
    keys.each { |name| hash[name] = self[name] }
    block ? hash.to_h(&block) : hash
  end

  def to_hash = to_h
  def to_s = "ENV"
  def inspect = to_h.inspect
  def size = keys.size
  alias length size
  def empty? = keys.empty?
  def key?(name) = !Primitive.env_get(name).nil?
  alias has_key? key?
  alias include? key?
  alias member? key?

  def value?(value)
    return nil unless value.respond_to?(:to_str)
    values.include?(value.to_str)
  end
  alias has_value? value?

  def key(value)
    value = Primitive.to_str(value)
    keys.find { |name| self[name] == value }
  end

  def assoc(name)
    name = Primitive.to_str(name)
    value = self[name]
    value && [name, value]
  end

  def rassoc(value)
    return nil unless value.respond_to?(:to_str)
    name = key(value)
    name && [name, self[name]]
  end

  def values_at(*names) = names.map { |name| self[name] }
  def slice(*names) = names.each_with_object({}) { |name, found| (value = self[name]) && found[name] = value }
  def except(*names) = to_h.except(*names)
  def invert = to_h.invert

  def each_pair
    return to_enum(Primitive.callee) { size } unless block_given?
    to_a.each { |pair| yield pair }
    self
  end
  alias each each_pair

  def each_key
    return to_enum(:each_key) { size } unless block_given?
    keys.each { |name| yield name }
    self
  end

  def each_value
    return to_enum(:each_value) { size } unless block_given?
    values.each { |value| yield value }
    self
  end

  def select
    return to_enum(Primitive.callee) { size } unless block_given?
    to_h.select { |name, value| yield name, value }
  end
  alias filter select

  def reject
    return to_enum(:reject) { size } unless block_given?
    to_h.reject { |name, value| yield name, value }
  end

  def filter_map(&block) = to_a.filter_map(&block)

  def delete_if
    return to_enum(:delete_if) { size } unless block_given?
    to_a.each { |name, value| delete(name) if yield(name, value) }
    self
  end

  def reject!
    return to_enum(:reject!) { size } unless block_given?
    before = size
    to_a.each { |name, value| delete(name) if yield(name, value) }
    before == size ? nil : self
  end

  def keep_if
    return to_enum(:keep_if) { size } unless block_given?
    to_a.each { |name, value| delete(name) unless yield(name, value) }
    self
  end

  def select!
    return to_enum(Primitive.callee) { size } unless block_given?
    before = size
    to_a.each { |name, value| delete(name) unless yield(name, value) }
    before == size ? nil : self
  end
  alias filter! select!

  def find
    return to_enum(:find) unless block_given?
    to_a.each { |pair| return pair if yield(pair) }
    nil
  end

  def clear
    keys.each { |name| Primitive.env_set(name, nil) }
    self
  end

  def replace(other)
    pairs = Core.env_pairs(other)
    (keys - pairs.keys).each { |name| Primitive.env_set(name, nil) }
    pairs.each { |name, value| self[name] = value }
    self
  end

  def update(*others)
    others.each do |other|
      Primitive.to_hash(other).each do |name, value|
        value = yield(name, self[name], value) if block_given? && key?(name)
        self[name] = value
      end
    end
    self
  end
  alias merge! update

  def shift
    name = keys.first
    name && [name, delete(name)]
  end

  def rehash = nil
  def freeze = raise(TypeError, "cannot freeze ENV")

  def clone(freeze: nil)
    raise ArgumentError, "unexpected value for freeze: #{freeze.class}" unless [nil, true, false].include?(freeze)
    raise TypeError, "Cannot clone ENV, use ENV.to_h to get a copy of ENV as a hash"
  end

  def dup = raise(TypeError, "Cannot dup ENV, use ENV.to_h to get a copy of ENV as a hash")
end

module Core
  # The pairs of a hash, all strings.
  def self.env_pairs(other)
    hash = Primitive.to_hash(other)
    hash.each do |name, value|
      Primitive.to_str(name)
      Primitive.to_str(value)
    end
    hash
  end
end
