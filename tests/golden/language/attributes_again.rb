# Attributes that are read before they are set, and set for the first time, often enough to be compiled, and what may change meanwhile.
class Node
  attr_accessor :left, :right, :key, :value, :extra
  attr_reader :parent
end
class Leaf < Node
  attr_writer :parent
end

def fill(node, n)
  node.left = n
  node.right = [n]
  node.key = :"k#{n % 3}"
  node.value ||= n + 1
  node
end

def show(node) = [node.parent, node.left, node.right, node.key, node.value, node.extra]
def fields(node) = node.instance_variables

sum = 0
400.times do |n|
  node = fill(Node.new, n)
  leaf = fill(Leaf.new, n)
  leaf.parent = node
  sum += show(node).compact.size + (leaf.parent.equal?(node) ? 1 : 0)
end
p sum, show(fill(Node.new, 7)), fields(fill(Node.new, 7)), fields(fill(Leaf.new, 1))

# Another order makes other shapes; an object may have more fields than its slot has room for.
def backwards(node, n)
  node.extra = n
  node.value = n
  node.key = n
  node
end
300.times { |n| backwards(Node.new, n) }
p fields(backwards(Node.new, 1)), show(backwards(Node.new, 2)), show(fill(backwards(Node.new, 3), 4))
p fields(fill(backwards(Leaf.new, 3), 4))

class Wide
  20.times { |i| attr_accessor :"a#{i}" }
end
eval "def widen(w, n)\n#{20.times.map { |i| "w.a#{i} = n + #{i}" }.join("\n")}\nw\nend"
eval "def widths(w) = [#{20.times.map { |i| "w.a#{i}" }.join(", ")}]"
300.times { |n| widen(Wide.new, n) }
p widths(widen(Wide.new, 5)).sum, widths(Wide.new).compact, widen(Wide.new, 1).instance_variables.size

# Frozen objects, also between two writes, and objects that are copied, removed from and reset.
def set(node, value)
  node.extra = value
rescue FrozenError => e
  e.message.sub(/0x\h+/, "")
end
300.times { set(Node.new, 1) }
p set(Node.new, 2), set(Node.new.freeze, 2), set(fill(Node.new, 1).freeze, 2)[/.*Node/]
copy = fill(Node.new, 3).dup
p copy.extra, set(copy, 4), copy.extra, show(copy.clone)
copy.remove_instance_variable(:@extra)
p copy.extra, fields(copy), set(copy, 5), fields(copy)
begin
  1.instance_eval { extend Module.new }
rescue TypeError => e
  puts e.message
end
class Integer
  attr_writer :mark
  attr_reader :mark
end
def mark(x, value)
  x.mark = value
rescue FrozenError => e
  e.message
end
p 300.times.map { |n| mark(n, 1) }.last, 5.mark

# Many variations of one class, and classes as receivers.
class Loose
  12.times { |i| attr_accessor :"v#{i}" }
end
300.times do |n|
  loose = Loose.new
  12.times.map { |i| (i * 5 + n) % 12 }.each { |i| loose.send(:"v#{i}=", i) }
  raise unless 12.times.all? { |i| loose.public_send(:"v#{i}") == i }
end
loose = Loose.new
300.times { loose.v3 }
loose.v3 = 1
p loose.v3, loose.v4, loose.instance_variables
class Settings
  class << self
    attr_accessor :level, :name
  end
end
def level(c) = c.level
300.times { level(Settings) }
Settings.level = 4
p level(Settings), Settings.name.inspect, level(Class.new(Settings))

# Sent, by name and by list.
def sent(node, name, value)
  node.send(name, value)
  node.public_send(:key=, value)
  [node.send(:extra), node.public_send(*[:key]), node.__send__(:left)]
end
300.times { |n| sent(Node.new, :extra=, n) }
p sent(Node.new, :extra=, 1), sent(Leaf.new, :parent=, 2)
begin
  sent(Node.new, :parent=, 1)
rescue NoMethodError => e
  puts e.message
end
begin
  sent(Node.new.freeze, :extra=, 1)
rescue FrozenError => e
  puts e.message.sub(/0x\h+/, "")
end
class Node
  private attr_writer :secret
  attr_reader :secret
  def keep(x)
    self.secret = x
    self
  end
end
p 300.times.map { |n| Node.new.keep(n).secret }.last
begin
  Node.new.public_send(:secret=, 1)
rescue NoMethodError => e
  puts e.message
end
p Node.new.send(:secret=, 3)

# The value is what is given, whatever stands around.
def value_of(node) = [(node.left = 1), (node.right, node.key = 2, 3), (begin; node.value += 1; rescue NoMethodError; :nil; end), (node.extra ||= 5), (node.extra &&= 6)]
p 300.times.map { value_of(Node.new) }.uniq
def safe(node, x) = node&.left = x
p 300.times.map { |n| safe(n.even? ? Node.new : nil, n) }.tally.size

# Redefined, and traced.
def put(node, x)
  node.left = x
  node.left
end
300.times { put(Node.new, 1) }
calls = []
TracePoint.new(:c_call, :call) { |t| calls << t.method_id if t.self.is_a?(Node) }.enable { put(Node.new, 2) }
p calls
class Node
  def left=(x)
    @left = [x]
  end
end
p put(Node.new, 1)
class Node
  attr_writer :left
  def left = @left && -@left
end
p put(Node.new, 1)
class Leaf
  attr_reader :left
end
p 300.times.map { [put(Node.new, 4), put(Leaf.new, 4)] }.uniq

# Objects that are not made, and those that are, when somebody looks.
class Pair
  attr_accessor :a, :b
end
def total(n)
  pair = Pair.new
  pair.a = n
  pair.b = pair.a + 1
  pair.b += 1 if n == 250
  binding.local_variable_get(:pair).b if n == 260
  pair.a + pair.b
end
p 300.times.sum { |n| total(n) }
def kept(n)
  pair = Pair.new
  pair.a = n
  pair.b = pair if n > 200
  n > 250 ? pair : pair.a
end
p 300.times.map { |n| kept(n) }.count { |x| Pair === x && x.b.equal?(x) }
