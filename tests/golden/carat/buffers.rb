# What buffers cost, as GC.stat counts it, and what sharing spares.
COUNTERS = %i[buffers_grown buffers_moved buffers_copied_on_write buffers_unshared buffer_bytes_copied].freeze

def costs
  before = GC.stat
  yield
  after = GC.stat
  COUNTERS.to_h { |key| [key.to_s.delete_prefix("buffers_").to_sym, after[key] - before[key]] }
end

def show(name) = puts("#{name}: #{yield}")

# With the capacity set nothing moves.
s = String.new
s.capacity = 400_000
show("reserved") { costs { 100_000.times { s << "bbb" } } }
show("its size") { [s.bytesize, s.capacity >= 400_000] }
t = +""
show("growing") { costs { 100_000.times { t << "bbb" } }.values_at(:grown, :copied_on_write) }
show("the same") { s == t }

# Slices share, from wherever they are taken.
big = "0123456789" * 5000
slice = nil
show("slice") { costs { slice = big[15, 40_000] } }
show("slice of the slice") { costs { slice = slice[15, 30_000] } }
show("written to") { costs { slice << "!" }.values_at(:copied_on_write) }
show("source") { [big.bytesize, big[-3..], slice[-3..]] }
other = big.byteslice(7, 2000)
show("source written to") { costs { big.setbyte(7, 65) }.values_at(:copied_on_write) }
show("slice") { other[0, 3] }

# In a slot that holds them whole they are moved out once.
medium = "abcdefghij" * 50
parts = nil
show("from a slot") { costs { parts = [medium[0, 300], medium[1, 300], medium[2, 300]] }.values_at(:grown) }
show("parts") { parts.map { |part| part[0] }.join }

# A small slice does not keep a large buffer.
small = ("y" * 1_000_000)[5, 200]
show("unshared") { costs { GC.start }.fetch(:unshared) > 0 }
show("still there") { small == "y" * 200 }

# Sums of sums continue what they were added to, which stays what it was.
sum = "z" * 2000
sums = Array.new(capacity: 100)
show("sums") do
  costs do
    100.times do |i|
      sum += i.to_s
      sums << sum
    end
  end.values_at(:moved, :copied_on_write)
end
show("their sizes") { sums.map(&:bytesize).each_slice(25).map(&:last) }
show("two of one") { [(sums[50] + "left")[-6..], (sums[50] + "right")[-7..], sums[51][-6..]] }

# Room without elements.
show("array") { [Array.new(capacity: 100), Array.new(2, :x, capacity: 10)] }
[-1, 2**62, 2**70, "x", :x, Object, Float::INFINITY].each do |capacity|
  Array.new(capacity: capacity)
rescue ArgumentError, TypeError, RangeError => e
  puts "#{capacity.inspect}: #{e.class}: #{e.message}"
end
s = +"abc"
show("below the length") { (s.capacity = 1) && s }
[-1, 2**63, nil, "x", :x, Object, Float::NAN].each do |capacity|
  s.capacity = capacity
rescue ArgumentError, RangeError, TypeError => e
  puts "#{capacity.inspect}: #{e.class}: #{e.message}"
end
["abc".freeze, :abc.name, -"abc"].each do |frozen|
  frozen.capacity = 10
rescue FrozenError => e
  puts e.message
end
show("of a class of its own") { (t = Class.new(String).new("abc")).capacity = 100; [t, t.capacity >= 100] }
show("of a view") { (t = ("x" * 500)[0, 300]).capacity = 1000; [t.size, t.capacity >= 1000] }
show("with room already") { (t = String.new("é", capacity: 100)).capacity = 50; [t, t.capacity >= 100] }
show("of a binary one") { (t = "\xFF".b).capacity = 64; [t, t.encoding, t.capacity >= 64] }
h = {}.compare_by_identity
h["key"] = 1
p h["key"], { "key" => 2 }["key"], Hash.new { |_, k| k << "!" }["key"]
