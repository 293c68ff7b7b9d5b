# While the begin or the end of a native method is told, that method has no line among the callers.
def yielder = yield

# Down to the program's own outermost line.
def lines
  found = caller_locations(2).map { |location| [location.lineno, location.label] }
  found.take(found.index { |_, label| label == "<main>" } + 1)
end

def shown(backtrace)
  lines = backtrace.map { |line| line[/:\d+:.*/] }
  lines.take(lines.index { |line| line.include?("<main>'") && !line.include?("block") } + 1)
end

class Item
  def name = :item
end

[:c_call, :c_return, :return].each do |event|
  seen = []
  trace = TracePoint.new(event) do |t|
    seen << [t.event, t.method_id, t.lineno, lines] if %i[upcase map to_s name split].include?(t.method_id)
  end
  trace.enable do
    yielder { "abc".upcase }
    [3].map { |x| x.to_s }
    Item.new.name
    "a b".split(" ")
  end
  seen.each { |line| p line }
end

# Nor in the backtrace of an error, or for a hook that turns itself off.
trace = TracePoint.new(:c_return) do |t|
  next unless t.method_id == :upcase
  trace.disable
  p shown(caller(0))
  raise "in the hook"
end
begin
  trace.enable { "abc".upcase }
rescue => e
  p e.message, shown(e.backtrace)
end
p shown(caller(0))
