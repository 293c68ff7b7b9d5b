# Set#hash, Set#^ and the inclusion of hashes.
p Set[1, 2, 3].hash == Set[3, 2, 1].hash, Set[1].hash == Set[2].hash, Set[].hash == Set[].hash
p Set["a", Set[1]].hash == Set[Set[1], "a"].hash, Set[1.0].hash == Set[1].hash, Set[1, 2].eql?(Set[2, 1])
p({Set[1, 2] => :found}[Set[2, 1]], [Set[1], Set[1]].uniq.size, Set[Set[1], Set[1]].size)
p Set[1, 2].hash.is_a?(Integer), Class.new(Set)[1].hash == Class.new(Set)[1].hash
ring = Set[1]
ring << ring
p ring.hash == ring.hash
class Counted
  attr_reader :asked
  def initialize = @asked = 0
  def hash = (@asked += 1; 7)
  def eql?(other) = true
end
counted = Counted.new
set = Set[counted]
before = counted.asked
set.hash
p counted.asked - before, set.hash == Set[Counted.new].hash
class Fails
  def initialize = @fails = false
  def fail! = @fails = true
  def hash = @fails ? raise("no hash") : 1
end
failing = Fails.new
set = Set[failing]
failing.fail!
2.times { set.hash rescue p $!.message }

p Set[1, 2] ^ Set[2, 3], Set[1, 2] ^ [3, 3, 2], Set[] ^ Set[1], Set[1] ^ Set[], Set[1, 2] ^ (2..4), Set[1] ^ {1 => 2}
same = Set[1, 2]
p same ^ same, same, (same.freeze ^ Set[3]).frozen?
twins = Set.new.compare_by_identity << "a".dup << "a".dup
p Set[1] ^ twins, twins ^ Set["a"], twins ^ ["b", "b"], twins ^ twins, (twins ^ [1]).compare_by_identity?
p Set[1] ^ 3 rescue p $!.class, $!.message
p Set[1, 2].frozen?, (Class.new(Set)[1] ^ [2]).class.superclass.name

small, large = {a: 1}, {b: 2, a: 1}
p small <= large, small < large, large >= small, large > small, small <= small, small < small, large <= small, {} <= {}
p({a: 1.0} <= {a: 1}, {a: 1} <= {a: 2}, {1 => 2} <= {1.0 => 2}, {a: nil} <= {b: nil, c: 1}, {a: nil} <= Hash.new(nil))
p({"a" => 1}.compare_by_identity <= {"a" => 1}, {a: Float::NAN} <= {a: Float::NAN})
p small <= 3 rescue p $!.class, $!.message
to_hash = Object.new
def to_hash.to_hash = {a: 1, b: 1}
p small <= to_hash, large >= to_hash
class Adds
  def initialize(hash) = @hash = hash
  def ==(other) = (@hash[rand] = 1; true)
end
changing = {}
changing[:a] = Adds.new(changing)
begin
  changing <= {a: 1, b: 2}
rescue => error
  p error.class, error.message
end
changing[:later] = 1
p changing.size
