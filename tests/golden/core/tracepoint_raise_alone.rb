# oracle: native
# Whoever is told of exceptions alone is told of each once, with the variables of who raises, however hot the code is.
log = []
trace = TracePoint.new(:raise) do |event|
  names = event.binding.local_variables & %i[number doubled unused text list]
  log << [event.raised_exception.class, event.lineno, names.map { |name| event.binding.local_variable_get(name) }]
end

def divide(number)
  unused = "kept #{number}"
  doubled = number * 2
  doubled / (number % 1000)
rescue ZeroDivisionError
  -1
end

def check(number)
  text = number.to_s
  list = [number, text]
  raise ArgumentError, "large" if list[0] > 2990
  list.size
end

def deep(number)
  doubled = number + number
  [1].each { |unused| check(doubled / 2) }
  0
rescue ArgumentError => e
  e.message.size
end

def fetch(list, number)
  unused = list.size
  list.fetch(number)
rescue IndexError
  unused
end

def convert(number)
  text = "x#{number}"
  number % 1500 == 7 ? text.nothing : 12
rescue NoMethodError
  raise TypeError, "again" rescue 5
end

total = 0
trace.enable
3000.times { |i| total += divide(i) + deep(i) + fetch([1, 2, 3], i % 4) + convert(i) }
trace.disable
p total, log.size, log.map(&:first).tally
kinds = log.group_by { |entry| entry[0..1] }
kinds.each { |kind, entries| p kind, entries.size, entries.first.last, entries.last.last }
log.clear

# Own methods called `raise`, exceptions of other threads and fibers, and what a hook raises itself.
class Own
  def raise(*) = Kernel.raise(IOError, "own")
end
trace.enable
Own.new.raise rescue nil
fiber = Fiber.new { Fiber.yield }
fiber.resume
fiber.raise(KeyError, "fiber") rescue nil
catch(:done) { throw :done }
throw :nobody rescue nil
[3, 1].sort { |a, b| raise RangeError } rescue nil
loop { raise StopIteration }
def missing = nothing_of_that_name
missing rescue nil
Thread.new { Thread.current.report_on_exception = false; raise EOFError }.join rescue nil
trace.disable
p log.map { |kind, line, _| [kind, line] }
outer = TracePoint.new(:raise) { |event| raise "from the hook" unless event.raised_exception.message == "from the hook" }
outer.enable { begin; raise "first"; rescue => e; p e.message, e.cause&.message; end }
