# What arrays and hashes within each other show, and whose `inspect` is asked.
p [[1, [2.5, nil, []]], {a: [{}, { "b" => [:c, "d"] }]}], { [1] => { [2] => [3] } }, [{ "x y": 1, "é" => ["ü"] }]
a = [1]
a << [a, { a => a }]
h = { k: 1 }
h[:self] = [h, { h: h }]
p a, h

class Shown < Array
  def inspect = "<#{super}>"
end
class Named < Hash
  def inspect = "named"
end
class Aliased < Array
  alias inspect size
end
class Plain < Array
  define_method(:inspect, Kernel.instance_method(:inspect))
end
class Text < String
  define_method(:inspect, Kernel.instance_method(:inspect))
end
class Other < Array
  alias inspect to_s
end
p [[Shown[1, [2]]], { Shown[3] => Named[a: 1] }], [Other[1, [2]]]
puts [[Plain[1]], Text.new("x"), { Text.new("y") => Plain[] }].inspect.gsub(/0x\h+/, "0x")
begin
  [[Aliased[1, 2]]].inspect
rescue => e
  p e.class
else
  puts [[Aliased[1, 2]]].inspect.sub(/0x\h+/, "0x")
end

# The encoding of the whole.
p [["a"], 1].inspect.encoding, [[1], ["é"]].inspect.encoding, [[], [:é]].inspect.encoding, [[1], ["a"]].inspect.encoding
p [{ "é".encode("EUC-JP") => ["é".encode("UTF-16LE")] }, "\xff"].inspect
p [[[:a]]].inspect.encoding, { 1 => [2] }.inspect.encoding, { é: [1] }.inspect.encoding, [{ a: 1 }].inspect.encoding

# Elements change while they are shown.
class Growing
  def initialize(list) = @list = list
  def inspect = (@list << 0 if @list.size < 5; "grown")
end
list = [1]
list << [Growing.new(list), 2] << { key: [Growing.new(list)] }
puts [list, list].inspect
begin
  [[1, [Class.new { def inspect = raise("stop") }.new]]].inspect
rescue => e
  p e.message
end
p [[a]] # the guard was left

class Array
  def inspect = "mine"
end
p [[1]], { a: [1] }
