# oracle: native
# Several Ractors trace the same methods at once, each for other events, while others run them untraced.
Warning[:experimental] = false

class Cell
  attr_accessor :value

  def initialize(value) = @value = value
  def add(n) = @value += n
end

def step(i) = i + 1
def list(i) = [i, i + 1].map { |x| x.gcd(0) }
def second(i) = list(i)[1]
def fails(i) = raise(IndexError, "no")

def round(i)
  cell = Cell.new(i)
  cell.add(step(i))
  cell.value = second(cell.value)
  fails(i) if i % 50 == 49
  cell.value
rescue IndexError
  step(i)
end

# The sum of what rounds answer; it tells who waits that it runs.
def rounds(n)
  i = sum = 0
  while i < n
    sum += round(i)
    i += 1
  end
  sum
end

ROUNDS = 100
SUM = rounds(ROUNDS)

def counted(events, times = 1)
  counts = Hash.new(0)
  trace = TracePoint.new(*events) { |t| counts[[t.event, t.method_id]] += 1 }
  sums = times.times.map { trace.enable { rounds(ROUNDS) } }
  [sums.uniq == [SUM], counts.sort_by(&:inspect)]
end

MASKS = Ractor.make_shareable([
  %i[call return], %i[c_call], %i[line b_call], %i[raise rescue], %i[call c_return b_return], %i[class thread_begin raise],
])

# Untraced Ractors, in loops that have long been hot.
idle = 2.times.map { Ractor.new { 20.times.map { [rounds(150), rounds(ROUNDS)] }.uniq } }

# Each alone, each in a Ractor of its own at once, and the main one, too.
alone = MASKS.map { |events| counted(events, 2) }
ractors = MASKS.map { |events| Ractor.new(events) { |events| rounds(150); counted(events, 2) } }
here = counted(MASKS[4], 2)
inside = ractors.map(&:value)
p inside == alone, here == alone[4]
alone.zip(MASKS) do |(is_same, counts), events|
  puts "#{events.join(" ")}: #{is_same}"
  counts.each { |(event, name), count| puts "  #{event} #{name.inspect} #{count}" }
end

# Tracing that begins and ends in the middle of a loop that is hot, many times.
def toggled(from, to)
  names = []
  trace = TracePoint.new(:call, :c_call) { |t| names << t.method_id if t.path == __FILE__ }
  i = sum = 0
  while i < 1000
    trace.enable if i == from
    sum += step(i).gcd(0)
    trace.disable if i == to
    i += 1
  end
  [sum, names.tally.slice(:step, :gcd, :+, :<, :==).sort]
end

starts = [1, 100, 500, 900].freeze
togglers = starts.map { |from| Ractor.new(from) { |from| 3.times.map { |turn| toggled(from + turn, from + turn + 20) }.uniq.size } }
p togglers.map(&:value)
p starts.map { |from| toggled(from, from + 20) }
p Ractor.new(starts) { |all| all.map { |from| toggled(from, from + 20) } }.value

# Threads of a Ractor that traces, some of which run already, and a target in each.
threads = 3.times.map do |number|
  Ractor.new(number) do |number|
    names = Thread::Queue.new
    go = Thread::Queue.new
    running = 3.times.map { Thread.new { rounds(50); go.pop; rounds(50) } }
    trace = TracePoint.new(:call) { |t| names << t.method_id }
    Thread.pass until go.num_waiting == 3
    trace.enable(target: number == 0 ? nil : method(number == 1 ? :step : :list))
    3.times { go << 1 }
    running.each(&:join)
    trace.disable
    Array.new(names.size) { names.pop }.tally.slice(:step, :list, :round, :second).sort
  end
end
threads.each { |ractor| p ractor.value }

p idle.map(&:value) == [[[rounds(150), SUM]]] * 2
