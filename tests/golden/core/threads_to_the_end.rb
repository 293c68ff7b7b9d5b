# oracle: native
# A program, and a Ractor, ends when its threads have put away what they have, however long that takes.
def in_child
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    $stdout.reopen(writer)
    yield
  end
  writer.close
  puts reader.read
  puts Process.wait2(pid)[1].success?
end

in_child do
  thread = Thread.new do
    sleep
  ensure
    sleep 1.2
    puts "put away"
  end
  Thread.pass until thread.stop?
end

Warning[:experimental] = false
reader, writer = IO.pipe
ractor = Ractor.new(writer.fileno) do |descriptor|
  Thread.new do
    sleep
  ensure
    sleep 1.2
    200.times { |i| Array.new(500) { |j| "#{i} #{j}" } }
    IO.for_fd(descriptor, "w", autoclose: false).syswrite("e")
  end
  sleep 0.05
  1
end
ractor.respond_to?(:value) ? ractor.value : ractor.take
10.times do
  GC.start
  Array.new(1000) { |i| "#{i}" }
  sleep 0.02
end
p reader.read(1)
GC.start

# A thread that is killed right after an exception was sent to it tells of the exception.
require "stringio"
shown = StringIO.new
before, $stderr = $stderr, shown
thread = Thread.new do
  Thread.current.report_on_exception = true
  sleep
end
Thread.pass until thread.stop?
thread.raise("sent")
thread.kill
begin
  thread.join
rescue => e
  $stderr = before
  p e.message, shown.string.scan(/terminated with exception|sent \(RuntimeError\)/)
end
