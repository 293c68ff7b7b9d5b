# Short-lived objects beside a million live ones: how long the longest pause is, by the processor's clock, and how long the
# longest one in which a collection began, which leaves out what the machine did meanwhile. The figures go to standard error,
# because they are of one run on one machine.
class Link
  def initialize(number, link)
    @number = number
    @link = link
  end
end

def processor_time = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)

live = Array.new(1_000_000) { |i| Link.new(i, nil) }
GC.start
longest = of_collections = 0.0
last = processor_time
count = GC.count
made = 0
while made < 1_000_000
  Link.new(made, live)
  now = processor_time
  pause = now - last
  longest = pause if pause > longest
  of_collections = pause if GC.count != count && pause > of_collections
  count = GC.count
  last = now
  made += 1
end
warn format("longest pause %.2f ms, of a collection %.2f ms, %d collections", longest * 1000, of_collections * 1000, GC.count)
puts "#{live.size} live, #{made} made"
