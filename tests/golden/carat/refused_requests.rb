# What asks for more than there is, or never ends, raises; the program goes on.
def refused
  yield
  "done"
rescue SystemStackError
  "too deep"
rescue NoMemoryError, ArgumentError, RangeError, IndexError
  "refused"
end

puts "-- too large"
puts refused { "x" * (2**62) }
puts refused { "x" * (2**64) }
puts refused { Array.new(2**60) }
puts refused { [1] * (2**62) }
puts refused { [][2**61] = 1 }
puts refused { [].fill(1, 0, 2**62) }
puts refused { 2**(2**60) }
puts refused { 10**(10**15) }
puts refused { 1 << (2**64) }
puts refused { "x".ljust(2**62) }
puts refused { String.new(capacity: 2**62) }
puts refused { "%#{2**40}d" % 1 }
puts refused { ["x"].pack("a#{2**62}") }
puts refused { "abc".unpack("j2222222222222") }
puts refused { Random.bytes(2**62) }
puts 2**40_000 == 1 << 40_000, (6**100).to_s.size, (-12**31).bit_length

puts "-- too deep"
class Shown; def inspect = [self].inspect; end
class Equal; def ==(other) = [self] == [other]; end
class Compared; include Comparable; def <=>(other) = self < other ? -1 : 1; end
class Missing; def method_missing(name, *rest) = foo(*rest); end
class Converted; def to_s = "#{self}"; end
class Keyed; def hash = {self => 1}.hash; end
puts refused { Shown.new.inspect }
puts refused { Equal.new == Equal.new }
puts refused { Compared.new < 1 }
puts refused { Missing.new.bar }
puts refused { Converted.new.to_s }
order = ->(a, b) { [2, 1].sort(&order) }
puts refused { [2, 1].sort(&order) }
each = ->(a) { [1].each(&each) }
puts refused { [1].each(&each) }
nested = []
400_000.times { nested = [nested] }
record = nil
link = Struct.new(:record)
400_000.times { record = link.new(record) }
puts refused { record.inspect }
puts refused { nested == nested.dup.map(&:dup) }
puts refused { nested.hash }
puts refused { Fiber.new { Converted.new.to_s }.resume }

puts "-- and on"
puts [1, [2, [3]]].flatten.inspect, [[1]] == [[1]]

puts "-- many arguments"
def count(*all) = all.size
many = Array.new(200_000, 1)
puts count(*many), [].push(*many).size, [0].send(:push, *many).size
