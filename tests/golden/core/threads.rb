# oracle: native
# Threads: values, exceptions, locals, queues, mutexes, condition variables, and what ends them.
t = Thread.new(1, 2) { |a, b| a + b }
p t.value, t.alive?, t.status, Thread.current.alive?, Thread.main == Thread.current, t.join.equal?(t)
failing = Thread.new { Thread.current.report_on_exception = false; raise ArgumentError, "in thread" }
begin
  failing.join
rescue ArgumentError => error
  p error.message, failing.status
end
mutex = Mutex.new
count = 0
10.times.map { Thread.new { 100.times { mutex.synchronize { count += 1 } } } }.each(&:join)
p count, mutex.locked?, mutex.try_lock, mutex.locked?, mutex.owned?, (mutex.lock rescue $!.message), mutex.unlock.equal?(mutex), (mutex.unlock rescue $!.message)
queue = Queue.new
consumer = Thread.new { items = []; while (item = queue.pop) do items << item end; items }
5.times { queue << _1 }
queue.close
p consumer.value, queue.closed?, queue.empty?, (queue.push(1) rescue $!.class), queue.pop
sized = SizedQueue.new(2)
producer = Thread.new { 6.times { sized.push(_1) }; :produced }
p 6.times.map { sized.pop }, producer.value, sized.max, (sized.pop(true) rescue $!.message)
local = Thread.new { Thread.current[:a] = 1; Thread.current.thread_variable_set(:b, 2); [Thread.current[:a], Thread.current.thread_variable_get(:b), Thread.current.key?(:a), Thread.current.keys.include?(:a)] }
p local.value, Thread.current[:a]
ready = false
condition = ConditionVariable.new
waiter = Thread.new { mutex.synchronize { condition.wait(mutex) until ready; :woken } }
mutex.synchronize { ready = true; condition.signal }
p waiter.value
sleeper = Thread.new { begin; sleep; ensure; queue2 = 1; end }
Thread.pass until sleeper.stop?
p sleeper.status, sleeper.kill.join.status, sleeper.alive?
interrupted = Thread.new { begin; sleep; rescue => e; "rescued #{e.message}"; end }
Thread.pass until interrupted.stop?
interrupted.raise("from main")
p interrupted.value
p Thread.new { Thread.exit; 1 }.value, Thread.new { throw :x rescue $!.class }.value, Thread.new { Thread.stop; :resumed }.tap { |th| Thread.pass until th.stop?; th.run }.value
p Thread.new { sleep 10 }.join(0.01), Thread.new { Thread.current.name = "worker"; Thread.current.name }.value, Thread.new { catch(:a) { throw :a, 3 } }.value
results = 4.times.map { |i| Thread.new(i) { |n| n * n } }.map(&:value)
p results, Thread.list.size >= 1, Thread.new { Thread.current.priority }.value, Thread.new {}.join.inspect[0, 9]
once = Thread.new { Thread.handle_interrupt(RuntimeError => :never) { 1 + 1 } }
p once.value
monitor_log = []
require "monitor"
monitor = Monitor.new
monitor.synchronize { monitor.synchronize { monitor_log << :reentrant } }
p monitor_log
lazy = Thread.new { Thread.pass; :passed }
p lazy.value, Thread.abort_on_exception
