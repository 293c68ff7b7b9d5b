# One object with many instance variables enlarges neither the other objects of its class nor classes that are made later.
require "objspace"

def fill(object, count) = count.times { |i| object.instance_variable_set(:"@field#{i}", i) }
def size(object) = ObjectSpace.memsize_of(object)

fill(self, 40)
fill(Object.new, 60)
class Later
  def initialize = @one = 1
end
p size(Object.new), size(Later.new)

# A class whose instances all have two, but for one.
class Pair
  def initialize = (@left = @right = 1)
end
few = size(Pair.new)
fill(Pair.new, 60)
p few, size(Pair.new) <= 80
class BelowPair < Pair; end
p size(BelowPair.new) <= 80

# A class whose instances get twenty fields from outside learns so from the first hundred.
class Filled; end
100.times { fill(Filled.new, 20) }
filled = Filled.new
before = size(filled)
fill(filled, 20)
p before, size(filled) == before
