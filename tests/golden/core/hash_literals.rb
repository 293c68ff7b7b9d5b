# Hashes that come from literals: each evaluation gives one of its own, whatever was done to those before.
def literal = {a: 1, "b" => 2, nil => 3, 1.5 => 4, 2 => 5}
def large = {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, "j" => 10, 11.5 => 12, 1 => 2}
def mixed(x) = {a: x, "b" => x, x => 1, c: 2}
def called = {(1..2) => 1, 2r => 3, 3i => 4, 99999999999999999999 => 5}
def values = {a: 1..2, b: 2r, c: nil, d: :e}
2.times do
  p literal, large, mixed(3), mixed(:a), mixed("b"), mixed([1]), called, values
  h = literal
  h[:new] = 1
  h.delete(nil)
  p h, literal, literal.frozen?, literal.default
  l = large
  l[:m] = 9
  l.each { |k, v| l[k] = v.to_s }
  p l, large
end

# Overwritten keys stay where they were first.
eval "$VERBOSE = nil; p({a: 1, b: 2, a: 3, 'x' => 1, 'x' => 2, 5 => 1, 5 => 2}); p({a: self.class, b: 2, a: 3})"

key = +"str"
h = {key => 1, "b" => 2}
key << "x"
p h, h.keys[0].frozen?

# One entry after the other.
h = {}
12.times { |i| h[i] = i; h[:"k#{i}"] = i }
p h
h = {}
h[:a] = 1; h[:b] = 2
h.delete(:a)
h[:c] = 3; h[:a] = 4; h[:d] = 5
p h, h.size
h.each { |k, _| h.delete(k) }
p h
h = {a: 1}
begin
  h.each { h[:a] = 2; h[:z] = 1 }
rescue => e
  p e, h
end
begin
  {a: 1}.freeze[:b] = 1
rescue => e
  p e
end
class Sums < Hash
  def []=(key, value)
    super(key, value + 1)
  end
end
s = Sums.new
s[:a] = 1; s[:b] = 2; s[:c] = 3
p s
d = Hash.new { |hash, k| hash[k] = k.to_s }
d[:x]; d[:y]
p d, d.compare_by_identity.size
