# `Set.new` of an array fills the set at once where nobody can see that; everything else is as if `initialize` ran.
p Set.new([3, 1, 3]), Set.new([]), Set.new([nil, true, :a, 1.5])
text = +"x"
set = Set.new([text, "y", "x"])
p set, set.first.frozen?, text.frozen?
text << "z"
p set, set.include?("x"), set.include?("xz")
p Set.new((1..20).to_a).size, Set.new([[1], [1], {a: 1}]).size
p Set.new([1, 2]) { |x| x * 10 }
begin
  Set.new([1], 2)
rescue ArgumentError => e
  puts e.message
end

# Elements whose `hash` is Ruby code run inside `initialize`.
class Key
  def hash = raise("no hash")
end
begin
  Set.new([Key.new])
rescue => e
  puts e.message
end

# Somebody watches.
seen = []
TracePoint.new(:call, :c_call) { |t| seen << t.method_id }.enable { Set.new([1]) }
p seen.include?(:initialize)

class Sub < Set
  def initialize(list) = super(list.map { _1 + 1 })
end
p Sub.new([1, 2]).to_a

odd = [1, 2]
def odd.each = yield(:odd)
p Set.new(odd).size >= 1

class Set
  alias_method :old_initialize, :initialize
  def initialize(list = nil) = old_initialize(list && list + [:extra])
end
p Set.new([1]).to_a, Set.new.to_a
