# A hash literal that is put into a local, and pairs that the statements behind it add.

def plain(i)
  h = { a: i, b: 1 }
  h[:c] = 2
  h
end

def constants(i)
  h = { a: 1, "x" => 2 }
  h[:z] = i
  h
end

def empty(i)
  h = {}
  h[:a] = i
  h["b"] = 2 if i > 1
  h[:c] = 3 unless i > 2
  h[:a] = 4
  h
end

def many
  h = { a: 1 }
  h[:b] = 2
  h[:c] = 3
  h[:d] = 4
  h[:e] = 5
  h[:f] = 6
  h[:g] = 7
  h[:h] = 8
  h[:i] = 9
  h[:j] = 10
  h
end

def nested
  h = { a: { b: 1 }, l: -> { k = { m: 1 }; k[:n] = 2; k } }
  h[:a][:c] = 2
  h[:d] = h[:a].dup
  h[:d][:e] = 3
  [h[:a], h[:d], h[:l].call]
end

def frozen
  h = { a: 1 }
  h.freeze
  h[:b] = 2
rescue => error
  [error.class, h]
end

def anew
  h = { a: 1 }
  h = 5
  h[0] = 1
rescue NoMethodError => error
  error.message
end

def identity
  h = {}
  h.compare_by_identity
  h["a".dup] = 1
  h["a".dup] = 2
  h.size
end

def iterated
  h = { a: 1 }
  h.each { h[:b] = 2 }
rescue => error
  [error.class, h]
end

def with_default
  h = {}
  h.default = 0
  h[:a] += 1
  h["k"] = h[:b]
  h
end

class Odd
  def hash = 1
  def eql?(other) = true
end

def computed(i)
  h = { Odd.new => i, Odd.new => 2, **{ q: 1 } }
  h[:z] = 1
  [h.size, h[:q], h.values]
end

def strings
  key = +"k"
  h = { key => 1 }
  h["k"] = 2
  h[:k] = 3
  key << "!"
  [h, h.keys[0].frozen?]
end

3.times do |i|
  p plain(i), constants(i), empty(i), empty(i + 2), computed(i)
end
p constants(7), many, many.size, nested, nested.map(&:size)
p frozen, anew, identity, iterated, with_default, strings
kept = Array.new(200) { |i| plain(i).merge(empty(i)) }
GC.start
p kept.sum { |h| h[:a] + h[:c] + h.size }, kept.last
x = { a: 1 }
x[:b] = x
p x
