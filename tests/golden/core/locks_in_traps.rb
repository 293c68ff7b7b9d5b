# oracle: native
# A signal handler takes no Mutex, and no other signal interrupts it. Timeouts work there.
require "monitor"
require "logger"
require "timeout"

LOCK = Thread::Mutex.new
MONITOR = Monitor.new
CONDITION = Thread::ConditionVariable.new
QUEUE = Thread::Queue.new

def try(name)
  p [name, yield]
rescue Exception
  p [name, $!.class, $!.message]
end

trap("USR1") do
  try(:lock) { LOCK.lock }
  try(:synchronize) { LOCK.synchronize { 1 } }
  try(:try_lock) { [LOCK.try_lock, LOCK.locked?, LOCK.owned?, LOCK.unlock == LOCK] }
  try(:monitor) { MONITOR.synchronize { 1 } }
  try(:try_enter) { [MONITOR.try_enter, MONITOR.exit, MONITOR.mon_owned?] }
  try(:wait) { LOCK.try_lock && CONDITION.wait(LOCK, 0.01) }
  try(:locked) { LOCK.locked? }
  try(:sleep) { LOCK.try_lock && LOCK.sleep(0.01) }
  try(:locked) { LOCK.locked? }
  try(:signal) { CONDITION.signal && CONDITION.broadcast && 1 }
  try(:queue) { QUEUE << 1; QUEUE.pop }
  try(:thread) { Thread.new { LOCK.synchronize { 5 } }.value }
  try(:fiber) { Fiber.new { LOCK.synchronize { 5 } }.resume }
  try(:enumerator) { [1].each.next }
  try(:timeout) { Timeout.timeout(5) { 5 } }
  try(:expired) { Timeout.timeout(0.01) { sleep 1 } }
  try(:puts) { puts "x" }
  $seen = []
  trap("USR2") { $seen << :usr2 }
  Process.kill("USR2", Process.pid)
  sleep 0.01
  try(:other_signal) { $seen.dup }
  try(:raise) { raise "x" }
  LOCK.lock
  p :not_reached
end

begin
  Process.kill("USR1", Process.pid)
  sleep 1
  p :not_reached
rescue ThreadError
  p $!
end
try(:seen) { $seen }
try(:after) { LOCK.synchronize { 1 } }

# A handler that interrupts who holds the lock.
trap("USR1") { try(:held) { LOCK.lock }; try(:held) { LOCK.owned? } }
LOCK.synchronize do
  Process.kill("USR1", Process.pid)
  sleep 0.01
end

# The other signals come when one handler raises.
trap("USR1") { Process.kill("USR2", Process.pid); raise "from the handler" }
$seen.clear
begin
  Process.kill("USR1", Process.pid)
  sleep 1
rescue
  p $!
end
100.times { break unless $seen.empty?; sleep 0.01 }
p $seen

# A fiber that was there before is not in the handler.
fiber = Fiber.new { Fiber.yield LOCK.synchronize { 1 } }
trap("USR1") { try(:other_fiber) { fiber.resume } }
Process.kill("USR1", Process.pid)
sleep 0.01

# A log says what is wrong with it.
reader, writer = IO.pipe
$stderr = writer
log = Logger.new($stdout)
trap("USR1") { log.info("not logged") }
Process.kill("USR1", Process.pid)
sleep 0.01
$stderr = STDERR
writer.close
print reader.read

trap("EXIT") { try(:exit) { LOCK.synchronize { 2 } } }
at_exit { try(:at_exit) { LOCK.synchronize { 2 } } }
