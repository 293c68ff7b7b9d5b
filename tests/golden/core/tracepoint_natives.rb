# Calls of native methods that instructions or other native code bypass, as a TracePoint sees them.
def events(*kinds)
  seen = []
  TracePoint.new(*kinds) { |t| seen << [t.event, t.method_id, t.defined_class.to_s[/\A[^#]*/]] }.enable { yield }
  seen.each { p _1 }
end

puts "attributes and hooks"
events(:c_call, :c_return) do
  class Traced
    attr_accessor :y
    def x = 1
  end
  Traced.new.y = 1
end
Pair = Struct.new(:a)
pair = Pair.new(1)
events(:c_call, :c_return) { pair.a = pair.a }

puts "operators"
events(:c_call) do
  x = 1 + 1
  "a".length
  [1, 2].max
  x < 3
end

puts "exceptions"
events(:c_call, :c_return, :raise) do
  raise TypeError, "x"
rescue TypeError
  nil
end

puts "missing"
TracePoint.new(:c_call) { |t| p t.method_id if t.defined_class == BasicObject }.enable { zork rescue nil }

puts "attribute under another name"
klass = Class.new { attr_writer :bar; alias_method :set_bar, :bar=; remove_method :bar= }
object = klass.new
TracePoint.new(:c_call) { |t| p [t.method_id, t.parameters] }.enable { object.set_bar(1) }

puts "values of blocks"
def iterate = yield
def leaves = iterate { break :broken }
TracePoint.new(:b_return, :return) { |t| p [t.event, t.method_id, t.return_value] if t.method_id != :p }.enable { leaves }
count = 0
TracePoint.new(:b_return) { count += 1 }.enable { lambda { return }.call; 2.times { lambda { return 1 }.call } }
p count

puts "methods that blocks define"
block = proc {}
object.define_singleton_method(:one, &block)
object.define_singleton_method(:two, &block)
point = TracePoint.new(:call, :return) { |t| p [t.event, t.method_id] }
point.enable(target: object.method(:one)) { object.one; object.two }

puts "fibers"
seen = 0
TracePoint.new(:fiber_switch) { seen += 1 }.enable { f = Fiber.new { Fiber.yield }; f.resume; f.resume }
p seen

puts "compiled code"
TracePoint.new(:script_compiled) { |t| p [t.instruction_sequence.path, t.eval_script] }.enable { eval("a = 1", nil, "there") }

puts "parameters, lines, rescues"
TracePoint.new(:b_call) { |t| p t.parameters unless t.parameters.empty? }.enable { lambda { |p, q| }.call(1, 2); proc { |p, q| }.call }
def rescues
  raise "x"
rescue ArgumentError
  1
rescue
  2
end
first = method(:rescues).source_location[1]
TracePoint.new(:rescue) { |t| p t.lineno - first }.enable { rescues }
TracePoint.new(:line) { |t| p t.inspect[/ in '.*'>/] if t.method_id == :rescues }.enable { rescues }

puts "functions"
lines = []
Thread.current.add_trace_func(proc { |event, _, line, id, _, owner| lines << [event, id, owner] if id == :rescues })
rescues
Thread.current.set_trace_func(nil)
rescues
p lines.first, lines.size
