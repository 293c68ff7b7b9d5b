# Interpolation of parts of every kind, short and long, and Array.new with small sizes: as they are made at once, and where they are not.
def times_of(n = 300) = n.times.map { yield }.uniq
def told(s) = [s, s.encoding.name, s.valid_encoding?, s.frozen?, s.ascii_only?]

class Kin < String
  def to_s = "kin"
end
class Plain
  def to_s = "plain"
end
class Odd
  def to_s = 3
end

def pair(a, b) = "#{a}: #{b}"
def one(a) = "#{a}"
def many(a, b, c) = "<#{a}|#{b}|#{c}>"

parts = ["word", 12, -7, :symbol, nil, true, 1.5, 2**70, "", "é", "\xff".b, "a".b, "a".encode("US-ASCII"), :"ü", Kin.new("k"), Plain.new, [1], 3r]
p times_of { parts.map { |part| told(one(part)) } }.first
p times_of { parts.map { |part| told(pair("left", part)) } }.first
p times_of { parts.map { |part| told(pair(part, 5)) } }.first
p times_of { pair("only", "strings") }, times_of { pair("string", 3) }, times_of { pair(4, "string") }, times_of { pair(1, 2) }
p times_of { many("a", 2, :c) }, times_of { many("x" * 60, "y" * 60, "z" * 60).size }, times_of { many("", "", "") }
p times_of { "#{"a".encode("US-ASCII")}#{"b"}".encoding.name }, times_of { "#{"b"}#{"a".encode("US-ASCII")}".encoding.name }
p times_of { "#{1}#{2}".encoding.name }, times_of { "#{""}#{"a".encode("US-ASCII")}".encoding.name }
p times_of { one("x" * 127).size }, times_of { one("x" * 128).size }, times_of { one("x" * 129).size }
p one(Odd.new)[/\A#<Odd/]
begin
  pair("é", "\xff".b + "é".b)
rescue => e
  puts e.class
end
begin
  pair("é".encode("UTF-16LE"), "é")
rescue => e
  puts e.class
end
made = one("abc")
made << "d"
p made, one("abc")
source = +"abc"
copy = one(source)
source << "d"
p copy

class Integer
  alias text_before to_s
  def to_s(*) = "number"
end
redefined = [one(3), pair(3, "s"), many(1, "a", 2)]
class Integer
  alias to_s text_before
end
p redefined, one(3), pair(3, "s")
class String
  alias text_before to_s
  def to_s = "string"
end
p one("abc"), pair("a", 1)
class String
  alias to_s text_before
end

# Arrays of a size
def filled(n, x) = Array.new(n, x)
def sized(n) = Array.new(n)
p times_of { [filled(0, 1), filled(1, :a), filled(3, nil), sized(0), sized(2)] }
p times_of { [filled(40, 7).sum, filled(64, 1).size, filled(65, 1).size, sized(200).size] }
list = filled(3, +"x")
p list.all? { |x| x.equal?(list[0]) }, list.frozen?
list << 4
p list
class List < Array
  def initialize(*) = super(2, :own)
end
p List.new(5), List.new(5).class
begin
  filled(-1, 0)
rescue ArgumentError => e
  puts e.message, e.backtrace_locations.size > 0
end
begin
  filled("3", 0)
rescue TypeError => e
  puts e.message
end
p Array.new([1, 2]), Array.new(2.9, 0), Array.new(2) { |i| i }, Array.new
class Array
  alias initialize_before initialize
  def initialize(*) = push(:mine)
end
own = [filled(3, 0), sized(2)]
class Array
  alias initialize initialize_before
end
p own, filled(3, 0), sized(2)
seen = []
TracePoint.new(:c_call) { |t| seen << t.method_id if t.self.is_a?(Array) && t.method_id == :initialize }.enable { filled(2, 0) }
p seen
