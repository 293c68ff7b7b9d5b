# oracle: native
# A Ractor's trace points are told of what its own threads do, and of nothing else.
Warning[:experimental] = false

class Pair
  attr_accessor :left

  def initialize(left) = @left = left
  def add(other) = left + other

  define_method(:twice, &Ractor.shareable_proc { |x| x * 2 })

  def method_missing(name, *rest) = name == :ghost ? rest.size : super
  def respond_to_missing?(name, _all) = name == :ghost
end

def pass
  yield 1
end

def risky(x)
  raise ArgumentError, "odd" if x % 2 == 1
  x
rescue ArgumentError => e
  e.message.size
ensure
  x + 1
end

def show(title, answer)
  puts "#{title}:"
  answer.each { |line| puts "  #{line.inspect}" }
end

# The last words of whoever raised.
def cause_of(ractor)
  ractor.value
rescue Ractor::RemoteError => e
  "#{e.cause.class}: #{e.cause.message}"
end

show "calls", Ractor.new {
  log = []
  trace = TracePoint.new(:call, :return, :c_call, :c_return) { |t| log << [t.event, t.method_id, t.defined_class] }
  pair = Pair.new(1)
  trace.enable do
    pair.add(2)
    pair.left = 3
    pair.left
    pair.twice(4)
    pair.ghost(1, 2)
    [3, 1].sort
    "a".upcase.to_sym
  end
  log
}.value

show "lines and blocks", Ractor.new {
  log = []
  trace = TracePoint.new(:line, :b_call, :b_return) { |t| log << [t.event, t.lineno, t.path == __FILE__] }
  trace.enable do
    pass { |x| x + 1 }
    [1, 2].each do |x|
      x.to_s
    end
  end
  log
}.value

show "exceptions", Ractor.new {
  log = []
  trace = TracePoint.new(:raise, :rescue, :return) do |t|
    log << [t.event, t.lineno, t.method_id, t.event == :return ? t.return_value : t.raised_exception.class]
  end
  trace.enable do
    risky(1)
    risky(2)
    [].fetch(4) rescue 0
  end
  log
}.value

show "what an event knows", Ractor.new {
  log = []
  trace = TracePoint.new(:call, :b_return) do |t|
    known = [t.self.class, t.binding.local_variables, t.parameters, t.callee_id, t.inspect.sub(/ \S+:/, " ")]
    known << t.return_value if t.event == :b_return
    log << known
  end
  trace.enable { pass { |y| Pair.new(y).add(y) } }
  log
}.value

show "classes, compiled text and fibers", Ractor.new {
  log = []
  trace = TracePoint.new(:class, :end, :script_compiled, :fiber_switch) do |t|
    log << [t.event, t.event == :script_compiled ? t.eval_script : t.lineno]
  end
  fiber = Fiber.new { Fiber.yield 1 }
  trace.enable do
    eval "class Made; end"
    fiber.resume
    fiber.resume
  end
  log
}.value

show "threads", Ractor.new {
  log = []
  here = TracePoint.new(:b_call) { |t| log << [:here, t.self.class] }
  everywhere = TracePoint.new(:thread_begin, :thread_end, :call) { |t| log << [t.event, t.method_id] }
  everywhere.enable
  Thread.new { pass { 1 } }.join
  here.enable(target_thread: Thread.current)
  Thread.new { pass { 2 } }.join
  pass { 3 }
  here.disable
  everywhere.disable
  log.reject { |_, name| name == :disable }
}.value

show "targets", Ractor.new {
  log = []
  trace = TracePoint.new(:call, :line) { |t| log << [t.event, t.method_id] }
  trace.enable(target: method(:risky))
  pass { risky(2) }
  trace.disable
  at_line = TracePoint.new(:line) { |t| log << [t.lineno, t.method_id] }
  at_line.enable(target: method(:risky), target_line: 23) { risky(4) }
  log
}.value

show "inside a hook", Ractor.new {
  log = []
  trace = TracePoint.new(:call) do |t|
    log << [:plain, t.method_id]
    pass { 1 }
    TracePoint.allow_reentry { pass { 2 } } if log.size < 3
  end
  trace.enable { pass { 3 } }
  failing = TracePoint.new(:b_call) { |t| raise IOError, "from the hook" if t.self.is_a?(Ractor) && log.frozen? }
  log.freeze
  caught =
    begin
      failing.enable(target_thread: nil) { pass { 4 } }
    rescue IOError => e
      [e.message, failing.enabled?]
    end
  log + [caught]
}.value

show "set_trace_func", Ractor.new {
  log = []
  set_trace_func(proc { |event, file, line, name, _, owner| log << [event, file == __FILE__, line > 0, name, owner] })
  pass { |x| x + 1 }
  set_trace_func(nil)
  pass { 1 }
  log << :thread
  thread = Thread.current
  thread.add_trace_func(proc { |event, _, _, name| log << [event, name] if event == "call" })
  thread.set_trace_func(proc { |event, _, _, name| log << [event, name] if event == "return" })
  pass { 2 }
  Thread.new { pass { 3 } }.join
  thread.set_trace_func(nil)
  pass { 4 }
  log
}.value

# Everybody keeps to what is his own.
seen = []
main = TracePoint.new(:call) { |t| seen << t.method_id if t.path == __FILE__ }
main.enable
inner = Ractor.new {
  log = []
  trace = TracePoint.new(:call) { |t| log << t.method_id }
  trace.enable { Ractor.new { pass { risky(2) } }.join }
  log.reject { |name| %i[new join value].include?(name) || name.to_s.include?("monitor") } & [:pass, :risky]
}.value
risky(4)
main.disable
p inner, seen

seen.clear
main.enable(target: method(:pass))
Ractor.new { pass { 1 } }.value
pass { 2 }
main.disable
p seen

seen.clear
set_trace_func(proc { |event, _, _, name| seen << name if event == "call" })
Ractor.new { risky(1); set_trace_func(nil) }.value
risky(2)
set_trace_func(nil)
p seen.count(:risky)

# What is refused.
unsent = TracePoint.new(:call) {}
begin
  Ractor.new { Ractor.receive }.send(unsent)
rescue => e
  puts "#{e.class}: #{e.message}", e.cause.message
end
begin
  Ractor.new { Ractor.receive }.send(unsent, move: true)
rescue => e
  puts "#{e.class}: #{e.message}"
end
begin
  Ractor.make_shareable(unsent)
rescue => e
  puts "#{e.class}: #{e.message}"
end
p Ractor.shareable?(unsent)
Shared = unsent
Thread.report_on_exception = false
puts cause_of(Ractor.new { Thread.current.report_on_exception = false; Shared })
puts cause_of(Ractor.new { Thread.current.report_on_exception = false; TracePoint.new(:call) })
puts cause_of(Ractor.new { Thread.current.report_on_exception = false; TracePoint.new(:nothing) {} })
puts cause_of(Ractor.new { Thread.current.report_on_exception = false; TracePoint.new(:call) {}.lineno })
puts cause_of(Ractor.new { Thread.current.report_on_exception = false; TracePoint.allow_reentry {} })
puts cause_of(Ractor.new { Thread.current.report_on_exception = false; TracePoint.new(:line) {}.enable(target_line: 3) })
puts cause_of(Ractor.new { Thread.current.report_on_exception = false; TracePoint.new(:line) {}.enable(target_thread: 3) })
puts cause_of(Ractor.new { Thread.current.report_on_exception = false; set_trace_func(3) })
puts cause_of(Ractor.new {
  Thread.current.report_on_exception = false
  trace = TracePoint.new(:call) {}
  trace.enable(target: method(:pass))
  trace.enable(target: method(:risky))
})
puts cause_of(Ractor.new {
  Thread.current.report_on_exception = false
  trace = TracePoint.new(:call) {}
  trace.enable { trace.enable {} }
})

# A trace point that a Ractor ends with is told of nothing elsewhere.
left = Ractor.new { one = TracePoint.new(:call) { |t| raise "told" }; one.enable; one }.value
answers = [left.enabled?]
risky(2)
answers << left.enable << left.disable << left.enabled? << left.enable
risky(2)
p answers << left.disable << left.enabled?
