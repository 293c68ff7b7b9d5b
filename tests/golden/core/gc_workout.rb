# Programs that make much garbage among little that lives: what lives must still be right. Meant for --gc-stress.
class Node
  attr_accessor :value, :left, :right
  def initialize(value) = @value = value
  def insert(other)
    if other < value
      left ? left.insert(other) : self.left = Node.new(other)
    else
      right ? right.insert(other) : self.right = Node.new(other)
    end
  end
  def each(&block)
    left&.each(&block)
    yield value
    right&.each(&block)
  end
  include Enumerable
end
seed = 7
random = -> { seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff }
root = Node.new(random.() % 1000)
300.times { root.insert(random.() % 1000) }
p root.count, root.first(3), root.sum, root.each_cons(2).all? { |a, b| a <= b }

strings = Array.new(200) { |i| "string number #{i} " * (i % 7 + 1) }
slices = strings.map { |s| s[3..-4] }
strings.each_with_index { |s, i| s << "!" if i.even? }
p strings.sum(&:size), slices.sum(&:size), slices[6], strings.map(&:hash).uniq.size, slices.map { |s| s.sub("number", "no.").upcase }.last(1)

table = {}
500.times { |i| table["key#{i}"] = [i, i.to_s, { i => i * 1.5 }] }
250.times { |i| table.delete("key#{i * 2}") }
p table.size, table["key7"], table.sum { |_, (n, s, h)| n + s.size + h[n] }

queue = [[0, 0]]
seen = { [0, 0] => 0 }
until queue.empty?
  x, y = queue.shift
  [[1, 2], [2, 1], [-1, 2], [2, -1], [1, -2], [-2, 1], [-1, -2], [-2, -1]].each do |dx, dy|
    to = [x + dx, y + dy]
    next if to.any? { |c| c < 0 || c > 7 } || seen.key?(to)
    seen[to] = seen[[x, y]] + 1
    queue << to
  end
end
p seen.size, seen.values.max, seen[[7, 7]]

fibers = Array.new(20) { |i| Fiber.new { |v| 5.times { v = Fiber.yield("#{i}:#{v}") }; :done } }
p 6.times.map { |round| fibers.map { |f| f.resume("r#{round}") }.last }
lazy = (1..Float::INFINITY).lazy.map { |n| n.to_s * 2 }.select { |s| s.size == 4 }.map(&:to_i).first(3)
p lazy
closures = Array.new(100) { |i| acc = [i]; ->(v) { (acc << v).sum } }
3.times { |round| closures.each { |c| c.(round) } }
p closures.sum { |c| c.(1) }
memo = Hash.new { |h, (a, b)| h[[a, b]] = a.zero? || b.zero? ? 1 : h[[a - 1, b]] + h[[a, b - 1]] }
10.times { |i| memo[[i, i]] }
p memo[[9, 9]], memo.size
text = +""
1000.times { |i| text << i.to_s << (i % 10 == 9 ? "\n" : ",") }
p text.lines.map { |l| l.split(",").sum(&:to_i) }.sum, text.scan(/\d*7\d*/).size, text.gsub(/\d+/) { |d| (d.to_i % 10).to_s }.count("7")
errors = 50.times.map { |i| begin; raise ArgumentError, "e#{i}"; rescue => e; e; end }
p errors.map(&:message).last, errors.sum { |e| e.backtrace.size.positive? ? 1 : 0 }
p (1..200).each_slice(7).map { |s| s.each_with_object({}) { |v, h| h[v.to_s.to_sym] = v } }.reduce(&:merge).size
structs = Array.new(100) { |i| Struct.new(:a, :b).new(i, [i]) }
p structs.sum { |s| s.a + s.b.first }, structs.map(&:class).uniq.size
objects = Array.new(50) { Object.new.tap { |o| o.instance_variable_set(:@v, [1]); def o.v = @v } }
GC.start
p objects.sum { |o| o.v.first }, 2**200 * 3**100 % 1_000_007, (1..60).inject(:lcm), 30.times.inject([1]) { |row, _| [1, *row.each_cons(2).map(&:sum), 1] }.max
binding_values = 20.times.map { |i| local = "v#{i}"; binding }
p binding_values.map { |b| b.local_variable_get(:local) }.join.size
