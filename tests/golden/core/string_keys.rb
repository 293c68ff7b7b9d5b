# String keys of hashes: what is kept, what is found, and which object it is.
def sizes(*counts) = counts.map { |count| yield count }

p sizes(0, 3, 8, 9, 40, 300) { |count| (0...count).to_h { |i| ["k#{i}", i] }.then { |h| [h.size, h["k0"], h["k7"], h["k#{count - 1}"], h["none"], h.key?("k39")] } }
h = {}
20.times { |i| h["key#{i}"] = i }
p h.keys.all?(&:frozen?), h["key7"], h.fetch("key19"), h["key20"], h.dig("key3"), h.values_at("key1", "zz")
h["key7"] = :again
h["lit"] = 1
h["lit"] = 2
p h["key7"], h["lit"], h.size, h.keys.last, h.keys.last.frozen?

# Lengths around words, equal but for one byte.
[0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 40].each do |length|
  word = "x" * length
  others = (0...length).map { |i| word.dup.tap { |w| w.setbyte(i, 121) } }
  all = (others + [word]).each_with_index.to_h
  p [length, all.size, all[word] == others.size, others.each_index.all? { |i| all[others[i].dup] == i }, all[word + "x"]]
end

# Encodings: ASCII is the same in all that contain it, other bytes are not.
e = { "a" => 1, "é" => 2, "é".b => 3, "" => 4 }
p e.size, e["a".b], e["a".encode("UTF-16LE")], e["é".b], e["é".dup.force_encoding("ISO-8859-1")], e["".encode("UTF-16LE")]
f = e.merge((0..20).to_h { |i| [i, i] })
p f.size, f["a".b], f["a".encode("UTF-16LE")], f["é".b], f["é".dup.force_encoding("ISO-8859-1")], f["".encode("UTF-16LE")]

# The key that is there stays; one that was made for the assignment cannot be written any more; others can.
key = +"name"
g = { "other" => 0 }
g[key] = 1
key << "!"
p g, key, key.frozen?, g.keys.last.equal?(key)
g["#{key}?"] = (key << "!"; 2)
p g, g.keys.map(&:frozen?)

# Objects that are no strings, with the hash of one.
class Twin
  def initialize(text) = @text = text
  def hash = @text.hash
  def eql?(other) = other.is_a?(String) ? other == @text : super
end
t = (0..20).to_h { |i| [Twin.new("k#{i}"), i] }
p t["k3"], t.size, t[Twin.new("k3")]
t["k3"] = 7
p t.size, t["k3"]

class Name < String; end
n = { Name.new("n") => 1 }
p n["n"], n[Name.new("n")], n.keys[0].class

# By identity every literal is another object; other receivers get strings of their own.
i = {}.compare_by_identity
3.times { i["a"] = 1 }
i["x#{1}"] = 2
p i.size, i["a"], i.keys.last.frozen?
class Taker
  def []=(key, value)
    @key = key << value
  end
  attr_reader :key
end
k = Taker.new
def k.class = Taker
k[+"a"] = "b"
k["c#{1}"] = "d"
p k.key, k.key.frozen?
class Sub < Hash
  def []=(key, value)
    super(key + "!", value)
  end
end
s = Sub.new
s["a"] = 1
s["b#{2}"] = 2
p s
d = Hash.new { |hash, missing| hash[missing] = missing.upcase }
p d["abc"], d["abc"], d, d.keys[0].frozen?
v = Hash.new("default")
p v["x"], v["x#{1}"], v
def v.[]=(key, value)
  super(key.frozen?, value)
end
v["q#{1}"] = 1
p v.to_a

z = { "a" => 1 }.freeze
begin
  z["b#{1}"] = 2
rescue => error
  p error.class
end
y = { "a" => 1 }
y.each do
  y["b#{1}"] = 2
rescue => error
  p error.message
  y["a"] = 3
end
p y
words = %w[apple pear apple fig pear apple]
p words.each_with_object({}) { |w, c| c[w.dup] = (c[w] || 0) + 1 }
