# ObjectSpace.dump of every representation. CRuby's keys in CRuby's order; ours before memsize. Addresses, shape numbers and
# classes differ from run to run and are replaced.
require "objspace"

def show(label, object)
  line = ObjectSpace.dump(object)
  line = line.gsub(/0x\h+/, "0x1").gsub(/"shape_id":\d+/, '"shape_id":1').gsub(/\["0x1"(, "0x1")*\]/, '["0x1"]')
  # Whether a collection has seen it depends on when one ran.
  line = line.sub(/, "old":true(, "uncollectible":true)?/, "")
  # What lies outside the heap in native data is its own business.
  line = line.sub(/"memsize":\d+/, '"memsize":1') if line.match?(/"type":"(CLASS|MODULE|DATA|FILE|REGEXP|MATCH)"/)
  puts "#{label}: #{line.chomp}"
end

class Point
  def initialize(x, y)
    @x = x
    @y = y
  end
end

Pair = Struct.new(:a, :b)
Place = Data.define(:city)
string_with_field = +"with a field"
string_with_field.instance_variable_set(:@f, 1)
grown = +""
20.times { grown << "0123456789" }
long = "abcdefghij" * 200
view = long[100, 1000]
array = Array.new(300, 1)
rest = array[10, 200]
grown_array = []
20.times { |i| grown_array << i }

show "nil", nil
show "true", true
show "false", false
show "integer", 42
show "flonum", 1.5
show "flonum, large", 1e20
show "flonum, small", 0.00001234
show "symbol", :"a \"symbol\""
show "string, short", "abc"
show "string, empty", ""
show "string, frozen", "abc".dup.freeze
show "string, unique", -"unique"
show "string, 37 bytes", "hello, Friends. How are we all today?"
show "string, valid", "héllo"
show "string, broken", "\xff"
show "string, binary", "\xff".b
show "string, UTF-16", "ab".encode("UTF-16LE")
show "string, control characters", "\0\b\t\n\f\r\e\x7f\"\\"
show "string, ivar", string_with_field
show "string, grown", grown
show "string, reserved", String.new(capacity: 2000)
show "array, empty", []
show "array, short", [1, 2, 3]
show "array, references", ["a", :b, nil]
show "array, grown", grown_array
show "array, frozen", [1].freeze
show "hash, empty", {}
show "hash, short", {a: 1}
show "hash, ten", (1..10).to_h { |i| [i, i] }
show "hash, default proc", Hash.new { 1 }
show "object", Object.new
show "object, ivars", Point.new(1, "y")
show "struct", Pair.new(1, "b")
show "data", Place.new(city: "Rome")
show "range", (1..10)
show "range, endless", (1..)
show "bignum", 2**100
show "float", 1e300
show "rational", 1r / 3
show "complex", Complex(1, 2)
show "regexp", /a+b/
show "match", "xaab".match(/a+/)
show "proc", proc { 1 }
show "method", method(:puts)
show "exception", ArgumentError.new("wrong")
show "stream", $stdout
show "mutex", Mutex.new
show "class", Point
show "module", Comparable
show "singleton class", Point.singleton_class

puts "-- buffers that are shared"
def storage(object) = ObjectSpace.dump(object).scan(/"(?:capacity|offset|slack|holders|shared|embedded|memsize)":\w+/).join(" ")
puts storage("x" * 5000)
source = "x" * 5000
slice = source[1000, 3000]
puts "owner: #{storage(source)}", "view:  #{storage(slice)}"
source = nil
slice << "!"
puts "after a write: #{storage(slice)}"
