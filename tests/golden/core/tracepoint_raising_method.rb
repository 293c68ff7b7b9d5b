# An exception is raised in the method of the core that raises it, as trace points see it.
events = []
trace = TracePoint.new(:raise) { |t| events << [t.method_id, t.callee_id, t.defined_class, t.self.class, t.raised_exception.class] }

def own = raise("own")
def failing = fail(IOError)
class Refuser
  def to_str = raise(KeyError)
end

trace.enable do
  Integer("x") rescue 0
  [1].fetch(9) rescue 0
  {a: 1}.fetch(:b) rescue 0
  [2].first("x") rescue 0
  [3, nil].sort rescue 0
  own rescue 0
  failing rescue 0
  [4].each { |x| x.digits(1) } rescue 0
  [5].map(&:absent) rescue 0
  [6].map { |x| raise ArgumentError } rescue 0
  nil.absent rescue 0
  Absent rescue 0
  "".dup + Refuser.new rescue 0
  [1].first(-1) rescue 0
  "".freeze.concat("x") rescue 0
  Struct.new("lower") rescue 0
  catch(:a) { throw :b } rescue 0
  loop { raise StopIteration }
  [].each_slice(0) {} rescue 0
  3.clamp(2, 1) rescue 0
end
events.each { |event| p event }
