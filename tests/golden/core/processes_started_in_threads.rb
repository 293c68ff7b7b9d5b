# oracle: native
# A child that waits for a pipe's file before it runs its program keeps no other thread waiting; the child of a fork in a
# thread ends where that thread does.
require "tmpdir"

Dir.mktmpdir do |dir|
  pipe = File.join(dir, "pipe")
  File.mkfifo(pipe)
  starter = Thread.new { Process.spawn("cat", in: pipe, out: File::NULL) }
  sleep 0.05
  puts "alive"
  File.write(pipe, "x")
  Process.wait(starter.value)
  p $?.success?

  writer = Thread.new { system("echo hi", out: pipe) }
  reader = Thread.new { IO.popen(["cat", in: pipe], &:read) }
  p writer.value, reader.value
end

Thread.new do
  if (stream = IO.popen("-"))
    p stream.read
    Process.wait(stream.pid)
    p $?.exitstatus
  else
    puts "child"
    exit 3
  end
end.join

Thread.new do
  pid = fork
  if pid
    Process.wait(pid)
    p $?.exitstatus
  else
    at_exit { $stdout.flush }
    Thread.current[:left] = true
  end
end.join
p Thread.current[:left]
