# oracle: native
# A signal handler and a finalizer may wait while their thread waits for something else, which comes about meanwhile.

# Runs the waits while a handler waits in them: what they wait for comes while the handler sleeps.
def wait_while_handler_waits(name, meanwhile)
  begun = false
  trap(:USR1) { begun = true; sleep 0.1 }
  helper = Thread.new do
    sleep 0.05
    Process.kill(:USR1, Process.pid)
    sleep 0.005 until begun
    meanwhile.call
  end
  result = yield
  helper.join
  puts "#{name}: #{result.inspect}"
end

queue = Queue.new
wait_while_handler_waits("Queue#pop", -> { queue << :item }) { queue.pop }

sized = SizedQueue.new(1)
sized << 1
wait_while_handler_waits("SizedQueue#push", -> { sized.pop }) { sized << 2; sized.size }

ends = false
thread = Thread.new { sleep 0.005 until ends; :ended }
wait_while_handler_waits("Thread#value", -> { ends = true; thread.join }) { thread.value }

mutex = Mutex.new
locked = Queue.new
release = Queue.new
holder = Thread.new { mutex.synchronize { locked << true; release.pop } }
locked.pop
wait_while_handler_waits("Mutex#lock", -> { release << true; holder.join }) { mutex.synchronize { :locked } }

condition = ConditionVariable.new
is_done = false
wait_while_handler_waits("ConditionVariable#wait", -> { mutex.synchronize { is_done = true; condition.signal } }) do
  mutex.synchronize { condition.wait(mutex) until is_done }
  :signalled
end

# A handler that waits for the very queue for which its thread waits.
both = Queue.new
from_handler = nil
trap(:USR1) { from_handler = both.pop }
helper = Thread.new do
  sleep 0.05
  Process.kill(:USR1, Process.pid)
  sleep 0.05
  both << 1
  sleep 0.01 until from_handler
  sleep 0.05
  both << 2
end
p both.pop + from_handler
helper.join

# Sleep is not over because a handler waited.
trap(:USR1) { both.pop }
helper = Thread.new { sleep 0.02; Process.kill(:USR1, Process.pid); sleep 0.02; both << 1 }
begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
sleep 0.3
p Process.clock_gettime(Process::CLOCK_MONOTONIC) - begun >= 0.3
helper.join
trap(:USR1, "DEFAULT")

# Finalizers that wait, and run one in another.
class Watched
  def self.finalizer(thread, gate) = proc { gate << true; thread.value }

  def initialize
    gate = Queue.new
    ObjectSpace.define_finalizer(self, Watched.finalizer(Thread.new { gate.pop; sleep 0.001 }, gate))
  end
end
20.times { Watched.new }
GC.stress = true
200.times { Object.new }
GC.stress = false
puts "done"
