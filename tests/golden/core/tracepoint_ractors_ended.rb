# oracle: native
# Ractors that end while they trace: what they traced with is forgotten, and whoever comes after them is not traced.
Warning[:experimental] = false

def work(n) = (1..n).sum { |i| [i, 1].sort[0] }

def same(answers) = p(answers.uniq)

# By value, by an exception, with threads that run on, and with set_trace_func.
same(20.times.map { |i|
  Ractor.new(i) { |i|
    count = 0
    TracePoint.new(:call, :c_call, :line) { |t| count += t.lineno }.enable
    work(i + 1)
    count > 0
  }.value
})
same(10.times.map { |i|
  begin
    Ractor.new(i) { |i|
      Thread.current.report_on_exception = false
      kept = []
      TracePoint.trace(:call, :return) { |t| kept << t.binding << t.method_id.to_s * 10 if t.path == __FILE__ }
      work(i + 1)
      raise IOError, kept.size.to_s
    }.value
  rescue Ractor::RemoteError => e
    [e.cause.class, e.cause.message]
  end
})
same(10.times.map {
  Ractor.new {
    queue = Thread::Queue.new
    TracePoint.trace(:b_call) { |t| queue << t.event }
    Thread.new { loop { work(3) } }
    queue.pop
  }.value
})
same(10.times.map {
  Ractor.new {
    names = []
    set_trace_func(proc { |event, _, _, name| names << name if event == "call" && name == :work })
    work(2)
    names
  }.value
})
GC.start
same(10.times.map { work(20) })
same(10.times.map { Ractor.new { work(20) }.value })
GC.start

# The end of its first thread is told of.
ended = Ractor::Port.new
Ractor.new(ended) { |port| TracePoint.trace(:thread_end, :call) { |t| port << [t.event, t.method_id] if %i[thread_end work].include?(t.method_id || t.event) }; work(1); 3 }.join
p ended.receive, ended.receive
Ractor.new(ended) { |port|
  Thread.current.report_on_exception = false
  TracePoint.trace(:thread_end) { |t| port << t.event }
  raise "ends"
}.join rescue p $!.cause.message
p ended.receive

# Blocks that only the list of enabled trace points keeps, and what they keep.
kept = Ractor.new {
  log = []
  3.times { |i|
    text = "block #{i}" * 3
    TracePoint.new(:call) { |t| log << text if t.method_id == :work }.enable
  }
  GC.start
  junk = Array.new(2000) { |i| "junk #{i}" }
  GC.start
  work(1)
  GC.start
  work(junk.size - 1999)
  log
}.value
p kept

# Under stress.
p Ractor.new {
  log = []
  trace = TracePoint.new(:call, :c_call, :b_call, :return, :raise) { |t| log << [t.event, t.method_id.to_s, t.self.class.name] }
  begin
    GC.stress = true
    trace.enable do
      work(1)
      begin
        raise KeyError
      rescue KeyError
        work(0)
      end
    end
  ensure
    GC.stress = false
  end
  log.uniq.reject { |_, name| %w[new times sum exception backtrace initialize each].include?(name) }
}.value
