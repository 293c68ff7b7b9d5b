# Structures that contain themselves hash alike if they are equal, however deep their circles are.
Node = Struct.new(:child)
Other = Struct.new(:child)
Point = Data.define(:at)

def circle(kind, length)
  first = kind.new(nil)
  last = first
  (length - 1).times { last = kind.new(last) }
  first.child = last
  first
end

one, two, three = circle(Node, 1), circle(Node, 2), circle(Node, 3)
p [one, two, three].map(&:hash).uniq.size
p two.child.hash == one.hash, one.hash == one.hash
p one == circle(Node, 1), one.eql?(circle(Node, 1)), one.hash == circle(Node, 1).hash
p one.hash == circle(Other, 1).hash
p Node.new(1).hash == Node.new(1).hash, Node.new(one).hash == Node.new(two).hash

list = []
point = Point.new(list)
list << point
p point.hash == point.hash, list.hash == list.hash
table = {}
table[:self] = table
node = Node.new(table)
table[:node] = node
p table.hash == table.hash, node.hash == node.hash
p Node.new([one]).hash == Node.new([one]).hash
p({ one => 1 }[circle(Node, 1)])

class Counting
  attr_reader :asked
  def hash
    @asked = asked.to_i + 1
    7
  end
end
counting = Counting.new
Node.new(Node.new(counting)).hash
p counting.asked
