# oracle: native
# A thread that is killed in the block of a popen does not wait for the program; one that leaves it does.
ready = Queue.new
thread = Thread.new do
  IO.popen("sleep 30") do |stream|
    ready << stream
    sleep
  end
end
stream = ready.pop
began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
thread.kill
thread.join
p stream.closed?, Process.clock_gettime(Process::CLOCK_MONOTONIC) - began < 15

IO.popen("exit 3") { |_| }
p $?.exitstatus
p IO.popen("cat; exit 4", "r+") { |io| io << "a"; io.close_write; io.read }, $?.exitstatus
p IO.popen("exit 5") { |io| io.close; 1 }, $?.exitstatus
begin
  IO.popen("exit 6") { |_| raise "left" }
rescue => error
  p error.message, $?.exitstatus
end

# What was sent before to a thread that is killed, and waits behind a mask, is forgotten.
ready = Queue.new
thread = Thread.new do
  Thread.handle_interrupt(RuntimeError => :never) do
    ready << 1
    sleep
  ensure
    ready << Thread.pending_interrupt?
  end
end
ready.pop
Thread.pass until thread.stop?
thread.raise("late")
thread.kill
p thread.join.equal?(thread), ready.pop, thread.status
