# oracle: native
# A hash of up to eight entries that gets a ninth asks its keys for their hashes again.
class Key
  attr_accessor :n
  attr_reader :asked

  def initialize(n) = (@n = n; @asked = 0)
  def hash = (@asked += 1; @n.hash)
  def eql?(other) = other.is_a?(Key) && @n == other.n
end

def filled(size, key = Key.new(0))
  hash = { key => :first }
  (1...size).each { |n| hash[n] = n }
  [hash, key]
end

[7, 8].each do |size|
  hash, key = filled(size)
  before = key.asked
  hash[:ninth] = 9
  p [size, key.asked - before]
  key.n = 100
  p hash[Key.new(100)], hash[Key.new(0)]
  hash[:tenth] = 10
  p hash.key?(Key.new(100)), hash.size
end

# The key is found by the hash that it has when the ninth entry comes.
hash, key = filled(8)
key.n = 5
p hash[Key.new(5)]
hash[:ninth] = 9
p hash[Key.new(5)], hash.size

# The ninth entry may turn out to be one that is there.
hash, key = filled(8)
key.n = 7
hash[Key.new(7)] = :again
p hash.size, hash[key]

# Arrays as keys, deletions in between.
list = [1]
hash = { list => 1 }
7.times { |n| hash[[n, n]] = n }
list << 2
p hash[[1, 2]]
hash.delete([3, 3])
hash[[9]] = 9
p hash[[1, 2]]
hash[[10]] = 10
p hash[[1, 2]], hash[[1]], hash.size

# Asking may raise, freeze or change the hash (which CRuby 3.1 does not survive).
class Trouble < Key
  attr_accessor :act

  def hash = (act&.call; super)
end

[
  ->(hash) { raise "no hash" },
  ->(hash) { hash.freeze },
  ->(hash) { hash.delete(3) },
  ->(hash) { hash.clear },
  ->(hash) { hash.replace({ 1 => 2 }) },
].each do |act|
  key = Trouble.new(0)
  hash, = filled(8, key)
  key.act = -> { key.act = nil; act.(hash) }
  begin
    hash[:ninth] = 9
    p hash.size, hash[:ninth]
  rescue => e
    puts "#{e.class}: #{e.message[0, 24]}"
    p hash.size
  end
end
