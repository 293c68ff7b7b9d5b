# oracle: native
# Calls with literals that nobody writes to, in compiled code that is recorded, traced and left by exceptions.
require "objspace"

class Reader
  def sum(list, by: 1) = list.sum * by
  def size(hash) = hash.size
end

class Writer
  def sum(list, by: 1) = (list << 4).sum * by
  def size(hash) = hash.merge!(c: 3).size
end

def work(reader)
  a = reader.sum([1, 2, 3])
  b = reader.size({ a: 1, b: 2 })
  c = reader.sum([1, 2, 3], by: 2)
  a + b + c
end

readers = [Reader.new, Writer.new]
p (0...3000).sum { |n| work(readers[n % 7 == 0 ? 1 : 0]) }
p ObjectSpace.trace_object_allocations { (0...3000).sum { |n| work(readers[n % 7 == 0 ? 1 : 0]) } }
lines = []
trace = TracePoint.new(:call) { |tp| lines << caller_locations(2, 1).first.lineno if tp.method_id == :sum && lines.size < 40 }
p trace.enable { (0...300).sum { |n| work(readers[n % 2]) } }, lines.tally
p 20.times.map { |n| ObjectSpace.trace_object_allocations { work(readers[n % 2]) } }.tally
def broken(list) = raise(ArgumentError, "#{list}")
p 3.times.map { begin; broken([1, 2]); rescue ArgumentError => e; [e.message, e.backtrace[1][/\d+/]]; end }
