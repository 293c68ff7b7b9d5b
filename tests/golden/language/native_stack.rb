# Slow paths hand over to the next instruction by a jump: hundreds of thousands of them take no native stack.
class Missing
  def method_missing(name, *args) = args.size
  def respond_to_missing?(*) = true
end

class Fields
  def initialize(n)
    n.times { |i| instance_variable_set(:"@f#{i}", i) }
    @v = n
  end

  def v = @v
  def w=(x)
    @w = x
  end
end

module Shared
  def v = @v
end

TURNS = 300_000

missing = Missing.new
i = s = 0
while i < TURNS
  s += missing.anything(1, 2)
  i += 1
end
p s

objects = Array.new(40) { |n| Fields.new(n) }
i = s = 0
while i < TURNS
  s += objects[i % 40].v
  i += 1
end
p s

i = 0
while i < TURNS
  objects[i % 40].w = i
  i += 1
end
p objects[7].instance_variable_get(:@w)

classes = Array.new(40) do |n|
  Class.new do
    extend Shared
    n.times { |k| instance_variable_set(:"@f#{k}", k) }
    @v = n
  end
end
i = s = 0
while i < TURNS
  s += classes[i % 40].v
  i += 1
end
p s

i = s = 0
while i < TURNS
  s += 1 if /#{i & 1}b/.match?("1b")
  i += 1
end
p s

a, b = "a", "b"
i = s = 0
while i < TURNS
  s += (a + b + a).size
  i += 1
end
p s

big = 1 << 70
i = 0
while i < TURNS
  x = big + i
  y = [i] + [x]
  i += 1
end
p y
