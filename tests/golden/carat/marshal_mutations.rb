# Damaged dumps: loading them gives an object or an exception, whatever the bytes.
Pair = Struct.new(:left, :right)
Point = Data.define(:x, :y)
class Plain; def initialize(*values) = (@a, @b = values); end
class Custom
  def initialize(value) = @value = value
  def marshal_dump = [@value, self.class]
  def marshal_load(array) = @value = array
end
class Old
  def _dump(level) = "old"
  def self._load(text) = new
end
class Text < String; end
class List < Array; end
module Mark; end
shared = "shared"
looped = [1]
looped << looped << shared << shared
error = (raise KeyError.new("message", receiver: {}, key: 1) rescue $!)
values = [
  nil, 12, -70_000, 2**70, 1.5, "text", "é", "b\xFF".b, "x".encode("UTF-16LE"), :symbol, :"é", [1, [2, {a: 3}]], Hash.new(7).merge("k" => :v),
  {}.compare_by_identity.merge!("i" => 1), 1..5, ("a"..), 3r, 2i, /a.b/mi, Pair.new(1, "r"), Point.new(x: 1, y: [2]), Plain.new(1, :b), Custom.new("c"),
  Old.new, Text.new("sub"), List[1, 2], "extended".dup.extend(Mark), String, Comparable, Set[1, 2, [3]], Time.at(0, 5, :nsec).utc, looped, error, Random.new(3)
]
dumps = values.map { |value| Marshal.dump(value) } << Marshal.dump(values.first(20))
state = 12_345
random = ->(limit) { state = (state * 1_103_515_245 + 12_345) & 0x7FFF_FFFF; (state >> 8) % limit }
kinds = "0TFieCodufl\"/[{}SMcm:;I@\x00\x01\x06\xFF".b
outcomes = 0
1500.times do |round|
  dump = dumps[random.(dumps.size)].dup
  (1 + random.(4)).times do
    at = 2 + random.(dump.bytesize - 1)
    case random.(5)
    when 0 then dump.setbyte(at, random.(256)) if at < dump.bytesize
    when 1 then dump.slice!(at, 1 + random.(6))
    when 2 then dump.insert(at, kinds.byteslice(random.(kinds.bytesize), 1)) if at < dump.bytesize
    when 3 then dump = dump.byteslice(0, at)
    else dump = dump.byteslice(0, at) + dumps[random.(dumps.size)].byteslice(2..)
    end
  end
  begin
    loaded = Marshal.load(dump, freeze: round.odd?)
    loaded.hash
    loaded.inspect
    GC.start if round % 100 == 0
  rescue Exception
    nil
  end
  outcomes += 1
end
p outcomes
p values[19].extend(Mark).singleton_class.instance_variables, Marshal.load(Marshal.dump(values[19])).singleton_class.include?(Mark)
begin
  Marshal.load("\x04\b" + "[\x06" * 100_000 + "0")
  puts "deep"
rescue SystemStackError, ArgumentError
  puts "deep"
end
deep = []
100_000.times { deep = [deep] }
begin
  Marshal.dump(deep)
  puts "deep"
rescue SystemStackError, ArgumentError
  puts "deep"
end
