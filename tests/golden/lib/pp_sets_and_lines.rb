# pp of sets, hashes with operators as keys, ranges, data without some readers; printing on one line.
require "pp"

# A subclass that is shown as subclasses always were.
class Names < Set; end

# A subclass that is shown as sets are.
class CoreNames < Set::CoreSet; end

pp Set[*1..30], Names[1, 2], CoreNames[1, 2], Names[*("aaaaaaaa".."aaaaaaaz")]
p Names[1], CoreNames[1], Set::CoreSet[2], Set::CoreSet.superclass
set = Set[1]
set << set
pp set
p set
pp({:% => 1, :"0" => 2, :"a?" => 3, :"a=" => 4, :+ => 5, :[] => 6, :A => 7, :"@a" => 8, "x" => 9, :é => 10})
pp nil..false, (1..), (..2), (nil..nil), 1...3
puts PP.singleline_pp([{}, {a: 1}, 1..2, Set[1]], +"")
Without = Data.define(:first, :second) { undef first }
Hidden = Data.define(:first, :second) { private :first }
pp Without.new(1, 2), Hidden.new(1, 2)

line = PP::SingleLine.new(+"")
line.pp([1, [2]])
line.flush
buffer = +""
single = PrettyPrint::SingleLine.new(buffer)
single.group(1, "(", ")") do
  p single.first?
  single.text "a"
  single.breakable
  single.nest(2) { single.text "b" }
  p single.first?
end
single.flush
puts buffer

p PP.sharing_detection
shared = [1]
PP.sharing_detection = true
pp [shared, shared]
PP.sharing_detection = false
pp [shared, shared]
