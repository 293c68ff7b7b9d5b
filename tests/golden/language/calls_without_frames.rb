# Native methods, primitives and operators that compiled code calls without a frame: what they answer, and where they do not.

def symbols(all)
  found = []
  all.each { |symbol| found << symbol.to_s << symbol.name.frozen? << symbol.to_sym }
  found
end
200.times { symbols(%i[a b c]) }
p symbols([:a, :"b c", :+])

def unused(symbol, n)
  i = 0
  while i < n
    symbol.to_s
    symbol.name
    i += 1
  end
  i
end
p unused(:a, 5000)

text = :shared.to_s
text << "!"
p text, :shared.to_s

# ---- hashes ----
def look(hash, keys) = keys.map { |key| [hash[key], hash.key?(key), hash.include?(key)] }
mixed = { 1 => :one, "two" => 2, sym: 3, 2.5 => 4, nil => 5 }
300.times { look(mixed, [1, "two", :sym, 2.5, nil, 7]) }
p look(mixed, [1, "two", :sym, 2.5, nil, 7, [1]])
p look(Hash.new { |_, key| "made of #{key}" }.merge(1 => 1), [1, 2])
p look(Hash.new(0), [1])
class Odd
  def hash = raise("hash of Odd")
end
begin
  look(mixed, [1, Odd.new])
rescue => e
  p e.message
end
identical = {}.compare_by_identity
identical["a"] = 1
p look(identical, ["a", :a])

require "set"
def members(set, elements) = elements.map { |element| set.include?(element) }
set = Set[1, :a, "b", nil]
300.times { members(set, [1, :a, "b", nil, 3]) }
p members(set, [1, :a, "b", nil, 3, [1]])
begin
  members(set, [Odd.new])
rescue => e
  p e.message
end

# ---- arrays ----
def turn(array)
  array.push(array.shift)
  array.push(array.pop)
  [array.first, array.last]
end
300.times { turn([1, 2, 3]) }
p turn([1, 2, 3]), turn([])
begin
  turn([1, 2].freeze)
rescue => e
  p e.class, e.message
end

def shift_all(array)
  sum = 0
  while (element = array.shift)
    sum += element
  end
  sum
end
p shift_all((1..2000).to_a)

# What a method changes is seen behind it.
def grow(array, n)
  i = 0
  while i < n
    array << i
    array[array.size - 1] += 1
    i += 1
  end
  array.size
end
p grow([], 3000)
def sliced(array, n)
  parts = []
  i = 0
  while i < n
    part = array.first
    copy = array[0, 2]
    array[0] = i
    parts << [part, copy] if i % 1000 == 999
    i += 1
  end
  parts
end
p sliced([0, 1, 2, 3], 3000)
def shrink(array)
  sum = 0
  until array.empty?
    sum += array[array.size - 1]
    array.pop
    sum += array[0] || 0
  end
  sum
end
p shrink((1..3000).to_a)

# ---- numbers ----
def numbers(all) = all.map { |n| [n.even?, n.odd?, n.zero?, n.abs, n.pred, ~n, n <=> 3, n[1], n.to_f] }
300.times { numbers([1, 2, -3]) }
p numbers([1, 2, -3, 0, 2**62, -2**62, 2**70, 4_611_686_018_427_387_903, -4_611_686_018_427_387_904])
def floats(all) = all.map { |f| [f.to_i, f.abs, f.nan?] }
300.times { floats([1.5, -2.5]) }
p floats([1.5, -2.5, 0.0, -0.0, 1e-300, 1e18])
p((floats([1e300]) rescue $!.class), (floats([Float::NAN]) rescue $!.class), (floats([Float::INFINITY]) rescue $!.class))
def order(pairs) = pairs.map { |a, b| [a == b, a != b, a < b, a <= b, a > b, a >= b] }
300.times { order([[1, 2], [1.5, 2], [2**70, 1]]) }
p order([[1, 2], [1.5, 2], [2**70, 1], [1e300, 1e301], ["a", "b"]])
p((order([[1, "a"]]) rescue $!.message))

# ---- strings ----
def bytes(strings) = strings.map { |s| [s.getbyte(0), s.getbyte(-1), s.getbyte(99), s.bytesize, s.eql?("ab"), s <=> "b"] }
300.times { bytes(%w[ab é]) }
p bytes(["ab", "é", ""])
def codes(strings) = strings.map { |s| s.ord }
300.times { codes(%w[a b]) }
p codes(["a", "é"])
p((codes([""]) rescue $!.message))
p(bytes(["a"]).size, ("a" <=> 1), (("a".getbyte("x")) rescue $!.class))

def equal_to(list, other) = list.map { |one| [one == other, one != other, one.nil?, !one] }
class Same
  def ==(_) = :yes
  def !=(_) = :no
  def ! = "not"
  def nil? = "nil?"
end
300.times { equal_to(["a", :a, nil, 1, 1.5], "a") }
p equal_to(["a", :a, nil, 1, 1.5, [1], Same.new], "a")
p equal_to([Object, nil], Object)

# ---- what is defined anew while code runs ----
class Symbol
  alias plain_to_s to_s
end
def names(n)
  found = []
  n.times do |i|
    Symbol.class_eval { def to_s = "new #{plain_to_s}" } if i == 700
    found << :a.to_s if i % 350 == 0
    :a.to_s
  end
  found
end
p names(1401)
class Symbol
  alias to_s plain_to_s
end

def pushes(n)
  array = []
  n.times do |i|
    array.push(i)
  end
  array.sum
end
p pushes(1000)
def keys(hash, n)
  count = 0
  n.times do |i|
    hash.define_singleton_method(:key?) { |_| true } if i == 600
    count += 1 if hash.key?(:none)
  end
  count
end
p keys({ a: 1 }, 1000)

# ---- doubles and many values live meanwhile ----
def mix(n, symbols)
  a = b = c = d = e = f = 0
  x = y = z = 0.5
  i = 0
  while i < n
    a += 1; b += 2; c += 3; d += 4; e += 5; f += 6
    x += 0.25; y *= 1.0001; z -= 0.125
    a += symbols[i & 1].name.bytesize
    b += 1 if symbols.include?(:b)
    x += a.to_f
    i += 1
  end
  [a, b, c, d, e, f, x, y.round(6), z, i]
end
p mix(3000, %i[a bc])
