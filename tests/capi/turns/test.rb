require "./turns"

Thread.new { 1 }.join
p Turns.came
Turns.watch
thread = Thread.new { sleep 0.01 }
sleep 0.001 until thread.stop?
p Turns.kept?(thread), Turns.kept?(Thread.current)
thread.join
sleep 0.01
started, ready, resumed, suspended, exited = Turns.came
p started, ready > 0, resumed > 0, suspended > 0, exited
p 5.times.map { |i| Thread.new { i * i } }.sum(&:value)
sleep 0.01
p Turns.came.values_at(0, 4)
p Turns.unwatch
Turns.came
Thread.new { sleep 0.001 }.join
p Turns.came

Turns.keep(Thread.main, true)
p Turns.kept?(Thread.main)
Turns.keep(Thread.main, false)
p Turns.kept?(Thread.main)
p Turns.more_keys(7)
begin
  Turns.more_keys(2)
rescue ThreadError => e
  p e.message
end

reader, writer = IO.pipe
reader.timeout = 0.01
begin
  Turns.wait_readable(reader)
rescue IO::TimeoutError => e
  p e.message
end
p Turns.wait(reader, nil), Turns.wait(reader, 0.001)
writer << "x"
p Turns.wait_readable(reader), Turns.wait(reader, nil)
