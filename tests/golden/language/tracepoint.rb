# TracePoint: events with what they tell, targets, nesting and what is refused.
class Traced
  def double(x)
    y = x * 2
    helper { |z| z + y }
  end

  def helper
    yield 1
  end
  alias twice double
end
object = Traced.new
log = []
point = TracePoint.new(:line, :call, :return, :b_call, :b_return) do |tp|
  value = tp.return_value if %i[return b_return].include?(tp.event)
  log << [tp.event, tp.method_id, tp.callee_id, tp.defined_class, value]
end
p point.inspect, point.enabled?
result = point.enable { object.twice(4) }
p result, point.enabled?
log.each { |entry| p entry }
raised = []
TracePoint.new(:raise) { |tp| raised << tp.raised_exception.message }.enable do
  Integer("x") rescue nil
  raise "mine" rescue nil
end
p raised
classes = []
TracePoint.new(:class, :end) { |tp| classes << [tp.event, tp.self] }.enable do
  class Traced
    X = 1
  end
end
p classes
calls = []
only = TracePoint.new(:call) { |tp| calls << [tp.method_id, tp.parameters] }
only.enable(target: object.method(:double)) { object.double(1) }
p calls
locals = nil
TracePoint.new(:return) { |tp| locals ||= tp.binding.local_variables }.enable { object.double(1) }
p locals
def attempt = p(yield)
attempt { TracePoint.new(:line) } rescue puts $!.message
attempt { TracePoint.new(:nope) {} } rescue puts $!.message
attempt { point.lineno } rescue puts $!.message
attempt { only.enable(target: Object.new) {} } rescue puts $!.message
attempt { only.enable(target: proc {}) {} } rescue puts $!.message
attempt { only.enable(target_line: 3) {} } rescue puts $!.message
attempt { TracePoint.allow_reentry {} } rescue puts $!.message
values = []
trace_var(:$watched) { |value| values << value }
trace_var(:$watched, proc { |value| values << [:second, value] })
$watched = 1
p untrace_var(:$watched).size
$watched = 2
p values
