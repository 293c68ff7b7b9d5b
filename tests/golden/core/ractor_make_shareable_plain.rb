# Ractor.make_shareable of strings, arrays and hashes, and of what stands in the way within them.
Warning[:experimental] = false

def attempt
  yield
rescue StandardError => error
  [error.class, error.message.sub(/0x\h+/, "0x")]
end

def frozen(*objects) = objects.map(&:frozen?)

text, list = +"text", [1, "a".dup, [:b, 2.5, 2**70, nil, ["c".dup]]]
p Ractor.make_shareable(text).equal?(text), frozen(text), Ractor.shareable?(text)
p Ractor.make_shareable(list).equal?(list), frozen(list, list[1], list[2], list[2][4], list[2][4][0]), Ractor.shareable?(list)
hash = { "key".dup => ["value".dup], a: { b: "deep".dup } }
p Ractor.make_shareable(hash).equal?(hash), frozen(hash, hash["key"], hash["key"][0], hash[:a], hash[:a][:b]), Ractor.shareable?(hash)
p attempt { hash[:c] = 1 }, attempt { list << 1 }, attempt { text << "x" }

with_default = Hash.new("default".dup)
with_default[1] = "one".dup
p frozen(Ractor.make_shareable(with_default).default), Ractor.shareable?(with_default)
p attempt { Ractor.make_shareable(Hash.new { |h, k| h[k] = 1 }) }.class

# Cycles, and what is there twice.
cycle = ["x".dup]
cycle << cycle << { cycle => cycle }
Ractor.make_shareable(cycle)
p frozen(cycle, cycle[0], cycle[2]), Ractor.shareable?(cycle)
twice = "twice".dup
p frozen(*Ractor.make_shareable([twice, [twice], { twice => twice }]))

# Frozen arrays of what is not.
half = [["in".dup].freeze, "out".dup].freeze
p Ractor.shareable?(half), frozen(Ractor.make_shareable(half)[0][0]), Ractor.shareable?(half)

# Deep nesting.
deep = ["bottom".dup]
300.times { deep = [deep] }
Ractor.make_shareable(deep)
p Ractor.shareable?(deep), deep.flatten[0].frozen?

# Variables of the objects.
owner = "owner".dup
owner.instance_variable_set(:@part, part = "part".dup)
Ractor.make_shareable([owner])
p frozen(owner, part)
plain = Object.new
plain.instance_variable_set(:@part, part = ["part".dup])
Ractor.make_shareable([[plain]])
p frozen(plain, part, part[0])

# What refuses, and what was frozen before it.
before, after = "before".dup, "after".dup
p attempt { Ractor.make_shareable([before, [Thread.current], after]) }[0]
p frozen(before, after)
p attempt { Ractor.make_shareable([[].each]) }[0]

# Own and redefined methods are called.
class Text < String
  def freeze = (puts "freeze #{self}"; super)
end
class Refusing < Array
  def freeze = self
end
p frozen(Ractor.make_shareable([Text.new("t"), { Text.new("u") => Text.new("v") }])[0])
p attempt { Ractor.make_shareable([Refusing.new([1])]) }
single = "single".dup
def single.freeze = (puts "own"; super)
Ractor.make_shareable([single])
p single.frozen?

# Copies.
source = ["a".dup, { b: ["c".dup] }]
copy = Ractor.make_shareable(source, copy: true)
p copy == source, copy.equal?(source), frozen(source, source[0], source[1][:b]), frozen(copy, copy[0], copy[1][:b][0])

class String
  alias_method :plain_freeze, :freeze
  def freeze = (puts "String#freeze"; plain_freeze)
end
p frozen(Ractor.make_shareable(["z".dup])[0])
