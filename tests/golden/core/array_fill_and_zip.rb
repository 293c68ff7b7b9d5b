# Array#fill with numbers that need no conversion and with others; zip with a block; sort! in place; union.

def try
  p yield
rescue => e
  puts "#{e.class}: #{e.message}"
end

class Number
  def initialize(n, &block)
    @n, @block = n, block
  end

  def to_int = (@block&.call; @n)
end

def fresh = [0, 1, 2, 3, 4]

[[9], [9, 1], [9, -2], [9, -9], [9, 5], [9, 7], [9, nil], [9, 1, 2], [9, 1, 0], [9, 1, -1], [9, 3, 4], [9, 5, 2], [9, 7, 1],
 [9, nil, 2], [9, nil, nil], [9, 2, nil], [9, -2, 1], [9, -2, 5], [9, 1..2], [9, 1...-1], [9, 3..], [9, ..1], [9, 4..6], [9, 1.9, 2.9],
 [9, Number.new(1), Number.new(2)], [9, "1"], [9, 1, "2"], [9, -9..1], [], [1, 2, 3, 4],
 [9, 1..2, 3]].each do |args|
  try { fresh.fill(*args) }
  try { fresh.freeze.fill(*args) }
end
try { [].fill(1) }
try { [].fill(1, 0, 2) }
try { [].fill(1, 2, 1) }
try { fresh.fill { |i| i * i } }
try { fresh.fill(1) { |i| i * i } }
try { fresh.fill(1, 2) { |i| i * i } }
try { fresh.fill(1, 2, 3) { |i| i * i } }
try { a = fresh; a.fill { |i| a.clear if i == 2; i * 10 } }

# A conversion may change the array.
a = fresh
try { a.fill(9, Number.new(1) { a.clear }, Number.new(2)) }
a = fresh
try { a.fill(9, Number.new(1) { a.freeze }, 2) }
p a

class Sub < Array; end
p Sub[1, 2, 3].fill(0, 1).class
shared = (1..40).to_a
part = shared[10, 20]
part.fill(0, 1, 3)
p shared[10, 5], part[0, 5]
part.fill(:x)
p shared[10, 5], part[0, 5]

puts "zip"
pair = []
p [1, 2, 3].zip([4, 5]) { |x, y| pair << [x, y] }
p pair
p [1, 2].zip([3, 4]) { |x| pair << x }
p pair.last(2)
[1, 2].zip([3, 4]) { |x, (y, z), *r| p [x, y, z, r] }
[[1, 2]].zip([[3, 4]]) { |(a, b), (c, d)| p [a, b, c, d] }
[1].zip([2]) { |x, y, z| p [x, y, z] }
[1].zip([2]) { |*all| p all }
[1].zip([2]) { |x, *rest| p [x, rest] }
[1].zip([2]) { |x, k: 3| p [x, k] }
[1, 2].zip([3, 4], [5]) { |x, y, z| p [x, y, z] }
[1, 2].zip { |x| p x }
[1, 2].zip(3..9) { |x, y| p [x, y] }
[1, 2].zip([5, 6].each) { |x, y| p [x, y] }
try { [1, 2].zip(5) { |x, y| p [x, y] } }
try { [1, 2].zip([3, 4], &->(x, y) { p [x, y] }) }
try { [1, 2].zip([3, 4], &->(x) { p x }) }
try { [1, 2].zip([3, 4], &:first) }
p [1, 2, 3].zip([4, 5, 6]) { |x, y| break y if x == 2 }
# Receiver and argument change meanwhile.
a, b = [1, 2, 3, 4], [5, 6, 7, 8]
a.zip(b) { |x, y| p [x, y]; b.clear if x == 2; a.pop if x == 1 }
a = [1, 2]
a.zip(a) { |x, y| p [x, y]; a << 9 if a.size < 4 }

class Listed
  def to_ary = [7, 8]
end
[1, 2].zip(Listed.new) { |x, y| p [x, y] }

puts "sort!"
a = [3, 1, 2]
p a.sort!.equal?(a), a
a = %w[b a c]
p a.sort!.equal?(a), a
a = [2.5, 1, 3r]
p a.sort!
shared = (1..40).to_a.reverse
part = shared[5, 20]
part.sort!
p part, shared[5, 20]
try { [3, 1].freeze.sort! }
try { [3, nil, 1].sort! }
try { [3, "a"].sort! }
p Sub[2, 1].sort!.class
class Integer
  alias old_order <=>
  def <=>(other) = -old_order(other)
end
p [1, 3, 2].sort!
class Integer
  alias <=> old_order
end
p [1, 3, 2].sort!

puts "union"
p [1, 2, 1].union, [1, 2].union([2, 3]), [1].union([2], [1, 3], [3]), [].union([]), [1, 1].union([])
p Sub[1, 1].union([2]).class
try { [1].union(2) }
p [1].union(Listed.new)
a = [1, 2]
u = a.union
u << 3
p a
