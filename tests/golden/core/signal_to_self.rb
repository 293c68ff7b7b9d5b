# oracle: native
# A signal that the process sends to itself has come when the call returns, whichever thread sends it.
# A process that was started with the signal ignored goes on to ignore it.
trap(:INT, "DEFAULT")

def interrupted?
  asked, sent = Thread::Queue.new, Thread::Queue.new
  sender = Thread.new do
    asked.pop
    Process.kill(:INT, Process.pid)
    sent << true
  end
  inner = false
  begin
    Thread.handle_interrupt(SignalException => :never) do
      asked << true
      sent.pop
    rescue Interrupt
      inner = true
    end
    :lost
  rescue Interrupt
    inner ? :inner : :outer
  ensure
    sender.join
  end
end
p Array.new(100) { interrupted? }.tally

count = 0
trap(:USR2) { count += 1 }
100.times { Process.kill(:USR2, $$) }
p count
sleeper = Thread.new { 20.times { Process.kill(:USR2, $$); Thread.pass } }
sleeper.join
reader, writer = IO.pipe
Thread.new { sleep 0.05; Process.kill("USR2", $$); sleep 0.05; writer << "x" }
before = count
p reader.read(1), count - before
trap(:USR2, "IGNORE")
p Process.kill(:USR2, $$), Process.kill(0, $$)
