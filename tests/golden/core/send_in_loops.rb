# `send` of a literal name in loops that are compiled: what it leads to changes, overflows, raises, and says where it was called.
class Plain
  attr_reader :kept
  attr_accessor :both

  def initialize = (@kept, @both = 1, 2)
  def none = 7
  def one(x) = x + 1
  def two(x, y) = x * y
  def optional(x, y = x + 1, z = y * 2) = [x, y, z].sum
  def locals(a, b)
    c = a
    d = nil
    e = b if d
    [a, b, c, d, e]
  end
  def rest(x, *more) = x + more.size
  def keywords(x, k: 3) = x + k
  def place = caller(1, 1)[0][/\d+:in.*/]
  def nested(x) = send(:one, send(:two, x, 2))
  define_method(:made) { |x| x + @kept }
  define_method(:made_with, &:to_s)

  private def hidden(x) = x - 1
  protected def guarded = 1
end

def all(o, n)
  sum = 0
  n.times do |i|
    sum += o.send(:none) + o.send(:one, i) + o.send(:two, i, 3) + o.send(:optional, i) + o.send(:optional, i, 1)
    sum += o.send(:optional, i, 1, 2) + o.send(:rest, i, 1, 2) + o.send(:keywords, i) + o.send(:keywords, i, k: 1)
    sum += o.send(:hidden, i) + o.send(:guarded) + o.public_send(:one, i) + o.__send__(:made, i) + o.send(:kept) + o.send(:both)
    sum += o.send(:both=, i) + o.send(:nested, i) + o.send(:made_with, i).size
  end
  sum
end
p all(Plain.new, 10), all(Plain.new, 3000)

def locals(o, n) = (i = 0; last = nil; while i < n; last = o.send(:locals, i, -i); i += 1; end; last)
p locals(Plain.new, 3000)

# Numbers that grow out of the machine's, floats and strings where integers were.
def grow(o, n)
  x = 1
  n.times { |i| x = o.send(:two, x, i.even? ? 3 : 1) }
  x
end
p grow(Plain.new, 200).to_s.size, grow(Plain.new, 3000).digits.sum
def each_kind(o, list) = list.map { |x| o.send(:one, x) }
2000.times { each_kind(Plain.new, [1, 2]) }
p each_kind(Plain.new, [1, 2.5, 2**64, 1r])

# Errors have the places and messages that they have without the compiler.
def raising(o, n)
  n.times { |i| o.send(:one, i == n - 1 ? nil : i) }
end
[10, 3000].each do |n|
  raising(Plain.new, n)
rescue NoMethodError => e
  puts e.message, e.backtrace.first(3).map { _1[/\d+:in.*/] }
end
[-> { Plain.new.public_send(:hidden, 1) }, -> { Plain.new.public_send(:guarded) }, -> { Plain.new.send(:one) }, -> { Plain.new.send(:nowhere) },
 -> { Plain.new.send }, -> { Plain.new.send(1) }].each do |call|
  2.times do
    call.()
  rescue StandardError => e
    puts "#{e.class}: #{e.message}"
  end
end
def places(o, n) = (i = 0; at = nil; while i < n; at = o.send(:place); i += 1; end; at)
p places(Plain.new, 3000)

# The name changes its meaning, then `send` does.
def count(o, n) = (i = sum = 0; while i < n; sum += o.send(:none); i += 1; end; sum)
o = Plain.new
p count(o, 3000)
class Plain
  def none = 8
end
p count(o, 3000)
def o.none = 9
p count(o, 3000), count(Plain.new, 3000)
class Plain
  def send(name) = name.size
end
p count(o, 3000), count(Plain.new, 10)
class Plain
  remove_method :send
  undef none
  def method_missing(name, *) = name == :none ? 5 : super
  def respond_to_missing?(*) = true
end
p count(Plain.new, 3000)

# Names that vary.
def various(o, names, n)
  sum = 0
  n.times { |i| sum += o.send(names[i % names.size], i) }
  sum
end
p various(Plain.new, %i[one optional both= rest made hidden], 3000), various(Plain.new, ["one", :keywords], 100)

# A callee that is left in the middle.
def leaves(list) = list.each { |x| list.send(:each) { |y| return [x, y] if x + y > 2 } }
1000.times { leaves([1, 2]) }
p leaves([1, 2])
def catching(o, n) = (1..n).sum { |i| catch(:done) { o.send(:one, i); throw :done, i } }
p catching(Plain.new, 3000)
