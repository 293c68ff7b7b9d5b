# Array#flatten looks for to_ary of each element; sort_by sorts by many integers.
p [1, 2, 3].flatten, [1, 2, 3].flatten!, [1, [2, [3, [4]]], :a, "b", nil, 2.5].flatten, [1, [2, [3, [4]]]].flatten(1), [1, [2]].flatten(0), [].flatten!
class Pair
  def initialize(*parts) = @parts = parts
  def to_ary = @parts
  def inspect = "pair"
end
class Never
  def to_ary = nil
  def inspect = "never"
end
class Missing
  def respond_to_missing?(name, _) = name == :to_ary
  def method_missing(name, *) = name == :to_ary ? [8, 9] : super
end
class Refuses
  def respond_to?(*) = false
  def to_ary = raise
  def inspect = "refuses"
end
p [1, Pair.new(2, [3]), 4, Never.new, Missing.new, Refuses.new, Refuses.new, 5].flatten
class Definer
  def to_ary
    Symbol.define_method(:to_ary) { [to_s] }
    [0]
  end
end
p [:a, :b, Definer.new, :c, [:d]].flatten
Symbol.remove_method(:to_ary)
p [:a, :b].flatten
one = Object.new
def one.to_ary = [1]
def one.inspect = "one"
p [Object, one, Object, one].flatten
a = [1]
a << [a]
begin; a.flatten; rescue => e; p e; end
begin; [1, BasicObject.new].flatten.size.then { p it }; rescue => e; p e.class; end
class Sub < Array; end
p Sub[1, Sub[2]].flatten.class, [Sub[1, [2]], 3].flatten
p (0...100).sort_by { |i| -i }.first(3), (0...200).sort_by { |i| i * 7 % 211 }.first(5), Set[*1..50].sort_by { |i| i % 50 * -2**40 }.first(5)
