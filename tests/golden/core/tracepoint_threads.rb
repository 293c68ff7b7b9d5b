# oracle: native
# A trace point that several threads are telling at once knows for each of them of what.
Warning[:experimental] = false

def first(x) = x
def second(x) = x

def told
  log = []
  in_first, in_second, first_ended = Array.new(3) { Thread::Queue.new }
  trace = TracePoint.new(:call, :return) do |t|
    case [t.event, t.method_id]
    when [:call, :first]
      in_first << 1
      in_second.pop
      log << [t.event, t.method_id, t.lineno]
    when [:call, :second]
      in_second << 1
      first_ended.pop
      log << [t.event, t.method_id, t.lineno]
    when [:return, :first], [:return, :second]
      log << [t.event, t.method_id, t.return_value]
    end
  end
  go = Thread::Queue.new
  one = Thread.new { go.pop; first(1); first_ended << 1 }
  other = Thread.new { in_first.pop; second(2) }
  trace.enable
  go << 1
  one.join
  other.join
  trace.disable
  outside =
    begin
      trace.lineno
    rescue => e
      e.message
    end
  log << outside << trace.inspect
end

def started = Thread.new { told }.value

p told
p Ractor.new { told }.value
p 3.times.map { Ractor.new { started } }.map(&:value).uniq
