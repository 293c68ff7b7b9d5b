# Integers of short texts, parts of a time for patterns, ljust and its kin of ASCII, fetch_values, ^ of sets, first of hashes.

def try
  p yield
rescue => e
  puts "#{e.class}: #{e.message}"
end

texts = ["", " ", "0", "-0", "+7", "- 7", "--7", "12", "0012", "12ab", "1_2", "1__2", "_1", "1_", "0x1f", "0X1F", "-0x1f", "0x", "0xg", "0b101",
         "0b2", "0o17", "017", "08", "0d19", "0_8", "zz", "Zz", "9" * 12, "9" * 13, "9" * 18, "9" * 19, "9" * 25, "-" + "9" * 19, "z" * 12, "z" * 13,
         "f" * 15, "f" * 16, "\t\n 42", "42\0", "4\u00e92", "\u0664", "0 1", "0x_1", "0x1_f", "1e5", "1.5", "+", "-", "9223372036854775807",
         "-9223372036854775808", "4611686018427387904", "-4611686018427387905"]
texts.each do |text|
  p [text, text.to_i, text.hex, text.oct, text.to_i(2), text.to_i(8), text.to_i(16), text.to_i(36), text.to_i(0)]
end
try { "1".to_i(1) }
try { "1".to_i(37) }
try { "1".to_i(-2) }
try { "1".encode("UTF-16LE").to_i }
try { "1".encode("UTF-16LE").hex }
p "1".to_i.class, ("7" * 40).to_i

puts "parts of a time"
t = Time.utc(2024, 2, 29, 12, 34, 56.75r)
p t.deconstruct_keys(nil)
p t.deconstruct_keys([])
p t.deconstruct_keys([:zone, :year, :nothing, :year, "year", 1, nil, :sec])
p t.deconstruct_keys(%i[month day yday wday hour min sec subsec dst zone])
p t.deconstruct_keys(nil).keys
try { t.deconstruct_keys(1) }
try { t.deconstruct_keys("year") }
case t
in { year: 2024, month: Integer => month, wday: 4 } then p month
end
far = Time.utc(2**70, 3, 4)
p far.deconstruct_keys(%i[year month day])
p Time.new(2024, 1, 2, 3, 4, 5, "+05:30").deconstruct_keys(%i[hour min zone dst])
p Time.new(2024, 1, 2, 3, 4, 5, "+05:30").freeze.deconstruct_keys(%i[hour min])
p t.deconstruct_keys(nil).frozen?
class Dated < Time
  def year = 1
end
p Dated.utc(2024).deconstruct_keys([:year])

puts "ljust"
["", "abc", "h\u00e9", "abc".b, "abc".encode("UTF-16LE"), "abc".encode("US-ASCII")].each do |text|
  [-1, 0, 2, 3, 4, 7, 8].each do |width|
    [[], ["*"], ["\u00e9"], ["ab"], ["*".encode("US-ASCII")], ["\xff".b]].each do |pad|
      results = %i[ljust rjust center].map do |name|
        result = text.public_send(name, width, *pad)
        [result, result.encoding, result.valid_encoding?, result.ascii_only?]
      rescue => e
        "#{e.class}: #{e.message}"
      end
      p results
    end
  end
end
try { "a".ljust(5, "") }
try { "a".center(5, 1) }
text = "abc"
p text.ljust(2).equal?(text), text.ljust(9).frozen?, "abc".freeze.center(9).frozen?
class Text < String; end
p Text.new("a").ljust(5).class, Text.new("a").ljust(0).class

puts "fetch_values"
h = { a: 1, b: nil, "c" => 3 }
p h.fetch_values, h.fetch_values(:a, :b, "c"), h.fetch_values(:a, :x, :b, :y) { |key| "no #{key}" }
try { h.fetch_values(:a, :x, :y) }
begin
  h.fetch_values(:a, :x)
rescue KeyError => e
  p e.key, e.receiver.equal?(h)
end
p h.fetch_values(:x, :a) { |key| h[:a] = 5; key }
p Hash.new(7).merge(a: 1).fetch_values(:a)
p h.fetch_values(:a, :x) { break 3 }
class Key
  def initialize(n) = @n = n
  def hash = (puts "hash #{@n}"; 1)
  def eql?(other) = (puts "eql? #{@n}"; true)
end
p({ Key.new(1) => :one }.fetch_values(Key.new(2)))

puts "sets"
require "set"
p Set[1, 2, 3] ^ Set[3, 4], Set[1, 2] ^ [2, 2, 5], Set[1] ^ Set[], Set[] ^ [1], Set[1, 2] ^ Set[2, 1]
a = Set["x", "y"]
b = Set["y", "z"]
c = a ^ b
p c, a, b, c.to_a.map(&:frozen?)
p (a ^ a), (a.freeze ^ b).frozen?
try { a ^ 1 }
class Group < Set; end
p (Group[1] ^ [2]).class
i = Set[1].compare_by_identity
p (i ^ Set[1, 2]).compare_by_identity?

# What subclasses have of their own.
class Merging < Set::CoreSet
  def merge(*) = (puts "merge"; super)
  def subtract(*) = (puts "subtract"; super)
  def initialize_copy(*) = (puts "copy"; super)
end
p Merging[1] | [2], Merging[1] - [1], Merging[1] ^ [1, 2], Merging[1] & [1]
class Asking < Set
  def merge(*) = (puts "merge"; super)
  def initialize_copy(*) = (puts "copy"; super)
end
p Asking[1] | [2]
p Set[1] | Set[2], Set[1] | (2..3), Set[1].freeze | [2], (Set[1].freeze | [2]).frozen?, Set[1] | { a: 1 }
try { Set[1] | 2 }
try { Set[1].each { |n| Set[1].merge([n]) } }
s = Set[1]
try { s.each { s.merge([2]) } }
try { Set[1].freeze.merge([2]) }
p Set[1].merge([2], Set[3], 4..5), Set[1].merge

puts "first"
h = { a: 1, b: 2, c: 3 }
p h.first, h.first(2), h.first(0), h.first(9), h.take(1), {}.first, {}.first(2)
try { h.first(-1) }
try { h.first("x") }
p h.first(2).map(&:frozen?)
h.first(1) << 4
h.first << 4
p h
h.delete(:a)
p h.first, h.first(1)
class Backwards < Hash
  def each
    yield :z, 0
    yield :y, 1
  end
end
p Backwards[a: 1].first, Backwards[a: 1].first(2), Backwards[a: 1].take(1)
p Hash[(1..20).map { |n| [n, n * n] }].first(3)
