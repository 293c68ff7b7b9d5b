require_relative "values"

def attempt
  yield
rescue Exception => error
  "#{error.class}: #{error.message}"
end

puts "strings"
p Values.fill(5), Values.fill(60), Values.fill(300).size, Values.fill(30).encoding
[5, 100, 200, 5000].each { |size| p Values.stays("ab" + "c" * size) }
long = "é" * 100
p Values.stays(long), Values.c_length("x" * 40), Values.c_length(+"" << "a" * 23), attempt { Values.c_length("a\0b") }
text = +"abc"
copy = text.dup
p Values.overwrite(text), copy, attempt { Values.overwrite("frozen".freeze) }, Values.grow(+"s"), Values.grow("q" * 200).size
one = +"grow"
Values.c_length(one)
one << " and more " * 10
p Values.c_length(one), one.size
p Values.encodings("héllo"), Values.encodings("x".encode("UTF-16LE")), Values.encodings("\xFF")

puts "collections"
p Values.doubled([1, "a", 3]), Values.doubled((1..10).to_a).sum, Values.false?([false, true]), Values.false?([nil])
p Values.keep_fresh(Array.new(40)).uniq.size, Values.keep_fresh(Array.new(3))
hash = {a: 1, drop: 2, b: 3, stop: 4, c: 5}
p Values.pairs(hash), hash, Values.table(0), Values.table(10), Values.table(5000)

puts "numbers"
p Values.pack(0), Values.pack(-1), Values.pack(2**100), Values.pack(-2**127), Values.pack(2**127)[0], Values.limits

puts "the rest"
object = Object.new
p Values.hidden(object), object.instance_variables, Values.operators, Values.beside
count = 0
thread = Thread.new { 5.times { Values.beside } }
count += 1 until thread.join(0.001)
p count > 1, thread.value

p Values.many([]).map(&:size)
odd = Class.new { def freeze = Values.freeze_itself(self) }.new
p odd.freeze.frozen?
