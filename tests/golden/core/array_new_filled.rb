# Array.new with a size and an element, of sizes within and beyond a slot.

[0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 49, 50, 63, 64, 65, 66, 127, 128, 129, 1000].each do |size|
  filled = Array.new(size, 0)
  empty = Array.new(size)
  element = "e"
  same = Array.new(size, element)
  p [size, filled.size, filled.uniq, empty.size, empty.uniq, same.all? { |e| e.equal?(element) }]
  filled << 1
  filled.unshift(2)
  empty[size + 3] = 4
  same.pop
  p [filled.size, filled.first, filled.last, empty.size, empty.last, same.size]
end

# Elements that are young when the array is made, and older arrays that hold it.
holders = []
50.times do |i|
  holders << Array.new(50, "element #{i}".dup) << Array.new(5, [i])
  GC.start if i % 20 == 0
end
2_000.times { |i| "garbage #{i}" * 3 }
GC.start
p holders.each_slice(2).with_index.all? { |(a, b), i| a.uniq == ["element #{i}"] && b == [[i]] * 5 }
p holders[0].map(&:object_id).uniq.size

def attempt
  yield
rescue StandardError, NoMemoryError => error
  [error.class, error.message]
end

p attempt { Array.new(-1, 0) }
p attempt { Array.new(2**64, 0) }
p attempt { Array.new("3", 0) }
p attempt { Array.new(3.9, 0) }
p attempt { Array.new(nil, 0) }
p attempt { Array.new(1, 2, 3) }
p attempt { Array.new([1, 2]) }
p attempt { Array.new(3, nil) }
size = Object.new
def size.to_int = 4
p attempt { Array.new(size, :x) }

class Kept < Array
  def initialize(*) = super.tap { push(:own) }
end
p Kept.new(3, 1), Kept.new(3, 1).class
class Plain < Array; end
p Plain.new(50, 1).class, Plain.new(50, 1).sum

copy = Array.new(50, 0)
other = copy.dup
other[0] = 1
part = copy[10, 30]
part[0] = 5
p copy.uniq, other.first(2), part.first(2)
copy.freeze
p attempt { copy << 1 }[0], copy.hash == Array.new(50, 0).hash

class Array
  alias_method :plain_initialize, :initialize
  def initialize(*arguments) = plain_initialize(*arguments).tap { self[0] = :redefined }
end
p Array.new(3, 0)
