# What the default of one parameter sees of keywords that have no value yet: nil, or a value that is constant.
def own(a: a) = [a, a.nil?, (a ? 1 : 2)]
p own, own(a: 3)

def block_binding(&block) = block.binding.local_variable_get(:z)
def constant(a: block_binding { }, z: 3) = [a, z]
def computed(a: block_binding { }, z: [3]) = [a, z]
p constant, constant(z: 4), computed, computed(z: 5)

def evaluated(x = eval("c"), y = eval("b"), a: eval("[b, c]"), b: a.size, c: nil, d: :s) = [x, y, a, b, c, d]
p evaluated, evaluated(0), evaluated(0, 1), evaluated(c: 4), evaluated(0, 1, a: [], d: 2)

def assigned(a: eval("b = 5"), b: Integer("4"), c: 9) = [a, b, c]
p assigned

def bound(a: binding, b: 2, c: [b]) = a.local_variable_get(:c)
p bound, bound(c: 1)

def taken_apart((x, y), a: (z = 4; [x, eval("b")]), b: 1, **rest) = [x, y, a, b, rest, z]
p taken_apart([1, 2]), taken_apart([1, 2], b: 3, d: 4)

made = lambda { |a: a, b: [a], &block| [a, b, block&.call] }
p made.(), made.(a: 1) { 2 }
p proc { |x = 1, a: a, b: [a]| [x, a, b] }.()

class Above
  def implicit(**given) = given
  def implicit_in_block(**given) = given
end

class Below < Above
  def implicit(a: super, b: 2, c: Integer("3")) = [a, b, c]
  def implicit_in_block(a: [1].map { super }, b: 2, c: Integer("3")) = [a, b, c]
end
p Below.new.implicit, Below.new.implicit(c: 1), Below.new.implicit_in_block

# A collection in between finds no half-made values.
def collected(a: (GC.start; a), b: [GC.start, a], c: b.map { |x| [x, a] }) = [a, b, c]
p collected, collected(b: [1])
