# oracle: native
# Native threads that have ended one thread serve the next ones.
def deep(n) = n.zero? ? 0 : 1 + deep(n - 1)

puts "one after the other"
p 200.times.sum { |i| Thread.new(i) { |n| n }.value }
p Array.new(5) { |i| Thread.new { Thread.current[:a] } .value }
5.times { |i| Thread.new { Thread.current[:a] = i; Thread.current.name = "t#{i}"; Thread.current.thread_variable_set(:v, i) }.join }
p Thread.new { [Thread.current[:a], Thread.current.name, Thread.current.thread_variable_get(:v), $!, $~] }.value

puts "many at a time"
3.times do
  queue = Queue.new
  threads = Array.new(150) { |i| Thread.new { [i, queue.pop] } }
  150.times { queue << 1 }
  p threads.sum { |t| t.value.sum }
end
p Thread.list.size

puts "deep ones, and those that raise or are killed"
p Array.new(20) { |i| Thread.new { i.odd? ? deep(3000) : 1 } }.sum(&:value)
ended = Array.new(10) do |i|
  Thread.new do
    Thread.current.report_on_exception = false
    i.odd? ? raise("number #{i}") : Thread.stop
  end
end
ended.each_with_index { |t, i| Thread.pass until t.stop?; t.kill if i.even? }
p ended.map { |t| begin; t.value; rescue => e; e.message; end }
p Thread.new { begin; deep(1_000_000); rescue SystemStackError => e; e.class; end }.value
p Thread.new { deep(3000) }.value

puts "in a child"
p Thread.new { 1 }.value
read, write = IO.pipe
pid = fork do
  read.close
  write.puts Array.new(10) { |i| Thread.new { i } }.sum(&:value)
  write.puts Thread.list.size
end
write.close
puts read.read
Process.wait(pid)
p $?.success?
p Array.new(10) { |i| Thread.new { i } }.sum(&:value)
inner = Thread.new { Process.wait(fork { exit!(Thread.new { 7 }.value) }); $?.exitstatus }
p inner.value

puts "fibers in threads"
p Array.new(8) { |i| Thread.new { f = Fiber.new { |x| loop { x = Fiber.yield(x * i) } }; 5.times.map { |n| f.resume(n) } } }.map(&:value)
