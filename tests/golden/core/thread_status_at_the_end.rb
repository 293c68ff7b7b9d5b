# oracle: native
# What threads that were woken, and the main thread of a program that ends, count as.
main = Thread.current
sleeper = Thread.new { Thread.stop; :woken }
Thread.pass until sleeper.stop?
p sleeper.status
sleeper.wakeup
p sleeper.status, sleeper.stop?
p sleeper.value, sleeper.status

trapped = false
trap(:USR1) { p [:trap, main.status, main.stop?]; trapped = true }
sender = Thread.new do
  Thread.pass until main.stop?
  Process.kill(:USR1, $$)
  sleep 0.01 until trapped
  Thread.pass until main.stop?
  p main.status
end
sender.join

at_exit { p [:at_exit, main.status, main.alive?, Thread.new { Thread.main.status }.value] }
trap(:EXIT) { p [:trap, main.status, main.alive?] }
KEPT = Object.new
ObjectSpace.define_finalizer(KEPT, proc { p [:finalizer, main.status, main.alive?, main.stop?, Thread.current == main] })
last = Thread.new do
  sleep
ensure
  p [:ensure, main.status, main.alive?, main.stop?]
end
Thread.pass until last.stop?
