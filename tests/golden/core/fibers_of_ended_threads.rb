# oracle: native
# The first fiber of a thread ends with the thread; others stay what they were.
first = nil
thread = Thread.new { first = Fiber.current; sleep }
Thread.pass until thread.stop?
p first.alive?
thread.kill.join
p first.alive?, first.inspect[/\(\w+\)/]

Thread.new { first = Fiber.current; Fiber.new { }.resume }.join
p first.alive?, first.inspect[/\(\w+\)/]

Thread.new { first = Fiber.current; raise IOError }.tap { |failing| failing.report_on_exception = false }.join rescue p $!.class
p first.alive?

suspended = nil
Thread.new { Fiber.new { suspended = Fiber.current; Fiber.yield }.resume }.join
p suspended.alive?, suspended.inspect[/\(\w+\)/]
begin
  first.resume
rescue FiberError => error
  p error.message
end
