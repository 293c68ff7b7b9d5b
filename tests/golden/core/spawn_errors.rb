# oracle: native
# What spawn says of redirections, limits and files that cannot be opened; what a failed exec leaves; programs in a FIFO.
require "tmpdir"

def try(name)
  puts "#{name}: #{yield.inspect}"
rescue SystemCallError, ArgumentError, TypeError => e
  puts "#{name}: #{e.class}"
  puts e.message if e.is_a?(Errno::ENOENT)
end

try("in") { Process.spawn("true", in: "d/notexist") }
try("out") { Process.spawn("true", out: "d/notexist") }
try("chdir") { Process.spawn("true", chdir: "d/notexist") }
try("program") { Process.spawn("d/notexist", in: "/dev/null") }
try("twice") { Process.spawn("true", [1, STDOUT] => 2) }
IO.popen("cat", "r+") do |duplex|
  try("duplex") { Process.spawn("true", out: duplex) }
  try("duplex target") { Process.spawn("true", duplex => STDOUT) }
end
try("upper case") { system("true", rlimit_NOFILE: 1000) }
try("no limits") { system("true", rlimit_nofile: []) }
try("one limit") { system("true", rlimit_nofile: [100]) }
try("too many limits") { system("true", rlimit_nofile: [1, 2, 3]) }
try("clock") { Process.clock_gettime(:foo) }

reader, writer = IO.pipe
child = fork do
  trap(:USR1) { writer.syswrite("usr1\n"); exit! }
  begin
    exec "/no/such/program"
  rescue SystemCallError
    writer.syswrite("failed\n")
  end
  sleep
end
writer.close
puts reader.gets
Process.kill(:USR1, child)
puts reader.gets
Process.wait(child)

Dir.mktmpdir do |folder|
  fifo = File.join(folder, "fifo.rb")
  File.mkfifo(fifo)
  Thread.new { File.write(fifo, "puts 'from a FIFO'\n") }
  load fifo
  main = Thread.current
  Thread.new { sleep 0.001 until main.stop?; main.raise(IOError, "enough") }
  begin
    load fifo
  rescue IOError => e
    puts e.message
  end
end

deferred = Thread.handle_interrupt(RuntimeError => :never) do
  queue = Thread::Queue.new
  done = false
  thread = Thread.new do
    queue << :begun
    begin
      Thread.pass until done
    rescue RuntimeError
      next :too_early
    end
    begin
      Thread.handle_interrupt(RuntimeError => :immediate) { Thread.pass }
      :never
    rescue RuntimeError
      :in_time
    end
  end
  queue.pop
  thread.raise
  done = true
  thread.value
end
p deferred
p Thread.new {}.join(Struct.new(:to_f).new(1.5)).class

Thread.new do
  group = ThreadGroup.new
  group.add(Thread.current)
  group.freeze
  begin
    Thread.new {}.join
  rescue ThreadError => e
    puts e.message
  end
end.join
