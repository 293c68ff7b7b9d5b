# Calls whose arguments fit without being bound: rest, optional keywords, blocks passed on. Each is made twice, the second
# time through its inline cache.
def every(x, y = x, *rest, key: y, **others, &block) = [x, y, rest, key, others, block&.call]
def rest(*values) = values
def lead_rest(first, *values, &block) = [first, values, block ? block.call : :none]
def optional(a, b = a, &block) = [a, b, block]
def keyword(a = 1, key: 2, **) = [a, key]
def forward(&block) = every(1, &block)
def forward_rest(*values, &block) = lead_rest(*values, &block)
def own(&) = lead_rest(0, &)
def each_of(list, &block) = list.each(&block)
def maybe(block = nil, &given) = given ? [1, 2].map(&given) : block

seven = proc { 7 }
2.times do
  p every(1), every(1, 2, 3, 4), every(1) { 9 }, every(1, key: 3), every(1, other: 4)
  p rest, rest(1), rest(1, 2, 3), lead_rest(1), lead_rest(1, 2, 3), lead_rest(1, 2) { 3 }
  p optional(1), optional(1, 2), optional(1, &nil), optional(1, &seven).last.equal?(seven), optional(1) {}.last.class
  p keyword, keyword(3), keyword(key: 4), keyword(5, other: 6)
  p forward, forward { 8 }, forward(&seven), forward(&nil), forward_rest(1, 2) { 3 }, own { 4 }, own
end

# One place, blocks of every kind.
[seven, nil, :succ, method(:p), seven, :to_s, nil].each { |block| p maybe(&block) rescue p $!.class }
[proc { |x| print x, " " }, nil, ->(x) { print(-x, " ") }].each { |block| p each_of([1, 2], &block).class }
def block_of(&block) = block
p block_of(&seven).equal?(seven), block_of.nil?, block_of(&:to_s).lambda?
def nested = yield(1)
def passing(&block) = [1].map { nested(&block) }
p passing { |x| x + 1 }, passing(&:succ)
def leaves(&block) = [1, 2].each(&block)
def early = leaves { |x| return x }
p early
p((rest(*[1] * 300)).size, lead_rest(*1..5).last)
def deep(n, *rest, &block) = n == 0 ? block.call : deep(n - 1, n, n, &block)
p deep(500) { :bottom }
begin
  lead_rest
rescue ArgumentError => e
  p e.message
end
begin
  optional(1, 2, 3)
rescue ArgumentError => e
  p e.message
end

# `when`, as long as nobody redefines `===`, and after.
def which(x)
  case x
  when 1, :a then :literal
  when 2..4 then :inside
  when 5...7 then :below
  when Float then :float
  else :other
  end
end
p [1, :a, 2, 4, 5, 6, 7, 1.0, 2.5, nil, "a", 2**70].map { |x| which(x) }
class Integer
  alias original ===
  def ===(other) = other == 7 || original(other)
end
p which(7), which(1)
