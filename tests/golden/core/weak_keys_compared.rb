# oracle: native
# Keys of a WeakKeyMap that are compared while the collector takes others away.

class Key
  attr_reader :name

  def initialize(name) = @name = name

  def hash = 1

  def eql?(other)
    return false unless other.is_a?(Key) && name == other.name
    GC.start
    true
  end
end

def fill(map, count) = count.times { |i| map["temporary #{i}" * 10] = i }

# Leaves nothing of what it calls on the stack.
def deep(levels, &block) = levels == 0 ? block.call : [deep(levels - 1, &block)].first

def with_dead(map, kept)
  deep(50) { fill(map, 50) }
  kept.each { |key| map[key] = key.name.to_s }
  deep(50) { nil }
end

keys = %i[a b c].map { |name| Key.new(name) }

map = ObjectSpace::WeakKeyMap.new
with_dead(map, keys)
map[Key.new(:b)] = "replaced"
p keys.map { |key| map[key] }

map = ObjectSpace::WeakKeyMap.new
with_dead(map, keys)
p map.delete(Key.new(:c)), keys.map { |key| map[key] }

map = ObjectSpace::WeakKeyMap.new
with_dead(map, keys)
p map.getkey(Key.new(:a)).equal?(keys[0]), map[Key.new(:c)], map.key?(Key.new(:d))
