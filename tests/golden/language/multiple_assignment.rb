# Multiple assignment: splats, nesting, targets of every kind, and evaluation order.
a, b = 1, 2
p a, b
a, b = b, a
p [a, b]
a, b, c = 1, 2
p c
a, b = [3, 4, 5]
p [a, b]
a, *b = 1, 2, 3
p a, b
*a, b = 1, 2, 3
p a, b
a, *b, c = 1, 2
p [a, b, c]
a, (b, *c), d = 1, [2, 3, 4], 5
p [a, b, c, d]
a, (b, (c, d)), e = 1, [2, [3, 4]], 5
p [a, b, c, d, e]
a, = [9, 8]
p a
*, a = 1, 2, 3
p a
a = *nil
p a
a = *1
p a
a = 1, 2
p a
a = *[1], 2, *[3, 4]
p a
a, b = nil
p [a, b]
a, b = { x: 1 }
p [a, b]
(a, b), c = [1, 2], 3
p [a, b, c]

object = Struct.new(:left, :right).new
array = [0, 0, 0]
hash = {}
object.left, array[1], hash[:k], @ivar, $global, CONST = 1, 2, 3, 4, 5, 6
p object.to_a, array, hash, @ivar, $global, CONST
object.left, object.right = object.right, object.left
p object.to_a
array[0], *array[1], array[2] = 7, 8, 9, 10
p array

log = []
target = ->(name) { log << name; object }
value = ->(name) { log << name; name }
target.(:t1).left, target.(:t2).right = value.(:v1), value.(:v2)
p log

p (a, b = 5, 6)
def pair = [1, 2]
x, y = pair
p x + y
first, (second, third) = 1, 2
p [first, second, third]
class ToAry
  def to_ary = [:converted, :too]
end
m, n = ToAry.new
p m, n
a = b = c = 4
p a + b + c
a, b = b = 1, 2
p a, b
i = 0
i, list = 1, [10, 20]
list[i], i = 99, 0
p list, i
[[1, [2, 3]], [4, [5, 6]]].each { |p1, (p2, p3)| print p1, p2, p3, " " }
puts
{ a: 1, b: 2 }.each_with_index { |(k, v), index| print k, v, index, " " }
puts
for u, v in [[1, 2], [3, 4]] do print u * v, " " end
puts
begin
  raise "into attribute"
rescue => @rescued
end
p @rescued.message
q, r = 17.divmod(5)
p q, r
h = { one: 1 }
h[:two], h[:three] = *[2, 3]
p h
s = +"ab"
s[0], s[1] = s[1], s[0]
p s
