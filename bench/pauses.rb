# Short-lived objects beside a million live ones: how long the longest pause is, by the processor's clock. The figures go
# to standard error, because they are of one run on one machine.
class Link
  def initialize(number, link)
    @number = number
    @link = link
  end
end

def processor_time = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)

live = Array.new(1_000_000) { |i| Link.new(i, nil) }
GC.start
longest = 0.0
last = processor_time
made = 0
while made < 1_000_000
  Link.new(made, live)
  now = processor_time
  longest = now - last if now - last > longest
  last = now
  made += 1
end
warn format("longest pause %.2f ms, %d collections", longest * 1000, GC.count)
puts "#{live.size} live, #{made} made"
