# oracle: native
# Fields of classes read and written in loops: by name, by attributes, of several classes, frozen, removed, beside a Ractor; and
# objects compared with themselves alone, until a class says otherwise.
module Settings
  class << self
    attr_accessor :level
    attr_reader :absent
    attr_writer :kept
  end

  def self.count = @count
  def self.count=(count)
    @count = count
  end
  def self.bump = @bumps = (@bumps || 0) + 1
  def self.none = @none
  def self.none=(value)
    @none = value
  end
  def self.kept = @kept
end

def turns(n = 3000)
  i = 0
  while i < n
    Settings.count = i
    Settings.level = Settings.count + 1
    Settings.bump
    Settings.kept = "kept #{i}" if i % 100 == 0
    raise "absent" if Settings.none || Settings.absent
    i += 1
  end
  [Settings.count, Settings.level, Settings.kept]
end

p turns, Settings.bump
GC.start
p turns, Settings.kept

# A field that a loop reads as absent comes, and goes.
def wait_for_none(n)
  seen = []
  i = 0
  while i < n
    seen << Settings.none if i % 1000 == 999
    Settings.none = :there if i == n / 2
    Settings.remove_instance_variable(:@none) if i == 3 * n / 4
    i += 1
  end
  seen
end
p wait_for_none(8000)

# More classes than a site remembers.
class Base
  class << self
    attr_accessor :number
    def total = @total ||= 0
    def add(n)
      @total = total + n
    end
  end
end
kinds = Array.new(12) { |i| Class.new(Base) { self.number = i } }
500.times { |i| kinds.each { |kind| kind.add(kind.number + i) } }
p kinds.map(&:total), Base.total, Base.number

# New classes in the same place.
made = Array.new(200) { |i| Class.new { @a = i; @b = [i]; def self.both = [@a, @b] } }
p made.sum { |kind| kind.both.flatten.sum }

# A frozen class.
def write(n)
  n.times { |i| Settings.count = i }
rescue FrozenError => e
  puts e.message
end
write(3000)
copy = Settings.clone
Settings.freeze
write(3)
def write_level = Settings.level = 1
2.times { begin write_level; rescue => e then puts e.class end }
p copy.count, (copy.count = 5), copy.count, copy.level

# Another Ractor reads while the main one writes and adds; it may not write itself.
class Shared
  class << self
    attr_accessor :value
    def set(v)
      @set = v
    end
    def get = @set
  end
end
def write_shared(n)
  i = 0
  while i < n
    Shared.value = i
    Shared.set(-i)
    i += 1
  end
end
write_shared(3000)
reader = Ractor.new do
  seen = 0
  2000.times do
    value = Shared.value
    raise "value #{value.inspect}" unless value.is_a?(Integer) && Shared.get.is_a?(Integer)
    seen += 1
  end
  errors = [-> { Shared.value = 1 }, -> { Shared.set(1) }].map do |write|
    write.call
    nil
  rescue => e
    e.class
  end
  [seen, errors]
end
write_shared(3000)
40.times { |i| Shared.instance_variable_set(:"@more#{i}", i) }
write_shared(3000)
p reader.value
p Shared.value, Shared.get, Shared.instance_variables.size

# Objects that are equal to themselves alone.
class Plain; end
class Other
  attr_reader :id
  def initialize(id) = @id = id
end
def differences(list, other)
  n = 0
  list.each { |one| n += 1 if one != other }
  list.each { |one| n += 10_000 unless one == other }
  list.each { |one| n += 100_000_000 if one != nil }
  n
end
plain = Array.new(3000) { Plain.new }
others = Array.new(3000) { |i| Other.new(i % 3) }
p differences(plain, plain[5]), differences(others, others[7])
class Other
  def ==(other) = other.is_a?(Other) && id == other.id
end
p differences(plain, plain[5]), differences(others, others[7])
class Plain
  def !=(other) = false
end
p differences(plain, plain[5])
class Other
  undef_method :==
  def ==(other) = true
  def !=(other) = :different
end
p differences(others, others[7]), others[0] != others[1]

# A block of its own whose outer variables change their kind.
outer = 1
add = ->(x) { outer += x }
400.times { add.(1) }
p outer
outer = 0.5
400.times { add.(0.25) }
p outer
outer = "text"
add.("s")
p outer
sum = 0.0
define_method(:accumulate) { |x| sum += x } rescue self.class.send(:define_method, :accumulate) { |x| sum += x }
3000.times { accumulate(0.5) }
p sum
sum = 7
3000.times { accumulate(1) }
p sum
