# oracle: native
# A collection that is due is done once for all threads, not once for each.
def collections(threads)
  before = GC.count
  make = -> { (800_000 / threads).times { |i| i % 200 == 0 ? Thread.pass : $kept = [i] } }
  threads.times.map { Thread.new(&make) }.each(&:join)
  GC.count - before
end
collections(1)
one, eight = collections(1), collections(8)
p one > 5, eight < 2 * one

# Many threads that wait for their turn leave time to the one that runs.
many = 300.times.map { Thread.new { Thread.pass until Thread.current[:done] } }
sum = 0
1000.times { |i| sum += i; Thread.pass if i % 100 == 0 }
many.each { it[:done] = true }
many.each(&:join)
p sum

# Closing a stream ends the calls on it, however many threads sleep.
sleeping = 50.times.map { Thread.new { sleep } }
reader, writer = IO.pipe
waiting = Thread.new do
  reader.read
rescue IOError => e
  e.message
end
Thread.pass until waiting.stop?
reader.close
p waiting.value
writer.close
200.times { IO.pipe.each(&:close) }
sleeping.each(&:kill).each(&:join)

# Bytes from one thread to another, while a third computes.
busy = Thread.new { i = 0; i += 1 until Thread.current[:done]; :done }
reader, writer = IO.pipe
taking = Thread.new { 3000.times.sum { reader.read(1).ord } }
3000.times { writer.write("a") }
p taking.value
large = Thread.new { reader.read(1_000_000).size }
writer.write("b" * 1_000_000)
p large.value
busy[:done] = true
p busy.value
