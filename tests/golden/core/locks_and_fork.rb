# oracle: native
# Locks and queues in a forked child, which has one of its parent's threads.
lock, queue, condition = Mutex.new, Queue.new, ConditionVariable.new
other = Mutex.new
holder = Thread.new { lock.synchronize { sleep } }
Thread.pass until lock.locked?
waiters = [Thread.new { lock.lock }, Thread.new { queue.pop }, Thread.new { other.synchronize { condition.wait(other) } }]
Thread.pass until waiters.all?(&:stop?)
$stdout.flush
Process.wait(fork do
  p lock.locked?, queue.num_waiting
  lock.lock
  p lock.owned?
  thread = Thread.new { lock.synchronize { :locked } }
  Thread.pass until thread.stop?
  lock.unlock
  p thread.value
  thread = Thread.new { queue.pop }
  Thread.pass until thread.stop?
  queue << :popped
  p thread.value
  thread = Thread.new { other.synchronize { condition.wait(other) }; :signalled }
  Thread.pass until thread.stop?
  other.synchronize { condition.signal }
  p thread.value
  begin
    lock.unlock
  rescue ThreadError
    p $!.message
  end
  $stdout.flush
  exit!
end)
p lock.locked?, queue.num_waiting
queue << 1
p waiters[1].value
