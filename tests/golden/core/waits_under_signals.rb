# Signals that come all the time do not make a wait longer than it was to be.
# oracle: native
require "socket"
require "io/wait"
require "timeout"
trap("USR1") {}
storm = fork do
  parent = Process.ppid
  loop do
    sleep 0.02
    Process.kill("USR1", parent)
  end
rescue Errno::ESRCH
  exit!
end

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def waits(name)
  start = now
  result = begin
    yield
  rescue StandardError => error
    error.class
  end
  result = result.class if result.is_a?(Integer) || result.is_a?(Float)
  took = now - start
  puts "#{name}: #{result.inspect} #{took < 0.19 ? "too short" : took > 4 ? "too long" : "in time"}"
end

reader, writer = IO.pipe
left, right = UNIXSocket.pair
drain, full = IO.pipe
nil while full.write_nonblock("x" * 4096, exception: false) != :wait_writable
server = TCPServer.new("127.0.0.1", 0)
thread = Thread.new { sleep }

waits("sleep") { sleep 0.2 }
waits("select") { IO.select(nil, nil, nil, 0.2) }
waits("select of one") { IO.select([reader], nil, nil, 0.2) }
waits("select of several") { IO.select([reader, left], [full], [right], 0.2) }
waits("wait_readable") { reader.wait_readable(0.2) }
waits("wait_writable") { full.wait_writable(0.2) }
waits("wait") { left.wait(0.2) }
waits("join") { thread.join(0.2) }
waits("value of a queue") { Timeout.timeout(0.2) { Queue.new.pop } }
waits("Timeout of a read") { Timeout.timeout(0.2) { left.read(1) } }
waits("Timeout of accept") { Timeout.timeout(0.2) { server.accept } }
waits("Timeout of a child") { Timeout.timeout(0.2) { Process.wait } }
drain.close
Process.kill("KILL", storm)
Process.wait(storm)
