# oracle: native
# Copies of locks, locks that `initialize` did not see, frozen ones, and locks handed to Ractors.
require "monitor"

def try
  p yield
rescue Exception => error
  p [error.class, error.message.gsub(/0x\h+/, "")]
end

class QuietMutex < Mutex
  def initialize = nil
end

class QuietMonitor < Monitor
  def initialize = nil
end

try { Mutex.allocate.locked? }
try { QuietMutex.new.synchronize { 1 } }
try { Queue.allocate.push(1) }
try { SizedQueue.allocate.push(1) }
try { ConditionVariable.allocate.signal.class }
try { Mutex.new.freeze.lock.class }
try { [Mutex.new.freeze.dup.frozen?, Mutex.new.freeze.clone.frozen?] }
try { m = Mutex.new; m.instance_variable_set(:@a, 1); m.dup.instance_variables }
try { m = Mutex.new; m.lock; [m.dup.locked?, m.clone.locked?, m.dup.lock.class] }
try { Mutex.new(1) }
try { Mutex.new.synchronize }
try { Mutex.new.synchronize(1) { } }
try { m = Mutex.new; m.synchronize { m.synchronize { } } }
try { m = Mutex.new; m.synchronize { m.unlock; 3 } }
try { m = Mutex.new; begin; m.synchronize { raise "x" }; ensure; p m.locked? end }
try { m = Mutex.new; [[1, 2].each { |i| m.synchronize { break i } }, m.locked?] }
try { m = Mutex.new; catch(:t) { m.synchronize { throw :t } }; m.locked? }
try { Mutex.instance_method(:synchronize).arity }
try { Mutex.instance_method(:synchronize).owner }
class LoudMutex < Mutex
  def lock = raise("not asked")
  def unlock = raise("not asked")
end
try { LoudMutex.new.synchronize { 2 } }

try { QuietMonitor.new.synchronize { 1 } }
try { Monitor.allocate.enter }
try { Monitor.new.freeze.enter }
try { m = Monitor.new; m.enter; d = m.dup; [d.mon_locked?, d.mon_owned?, m.clone.mon_locked?, d.enter, d.exit] }
try { Monitor.new.instance_variables }
try { Monitor.new.synchronize }
try { Monitor.new.exit }
try { m = Monitor.new; m.enter; m.enter; m.exit; p m.mon_owned?; m.exit; [m.mon_owned?, m.mon_locked?] }
try { m = Monitor.new; [m.try_enter, Thread.new { [m.try_enter, m.mon_locked?, m.mon_owned?, (m.exit rescue $!.message)] }.value, m.try_enter] }
try { Monitor.new.mon_check_owner }
try { m = Monitor.new; m.synchronize { [m.wait_for_cond(ConditionVariable.new, 0.001), m.mon_owned?, m.exit, m.mon_owned?, m.enter] } }
try do
  m = Monitor.new
  condition = m.new_cond
  seen = []
  waiting = Thread.new { m.synchronize { m.synchronize { seen << :waits; condition.wait; seen << [m.mon_owned?, :woken] } } }
  Thread.pass until seen == [:waits]
  m.synchronize { condition.signal; seen << :signals }
  waiting.join
  [seen, m.mon_locked?]
end
try { m = Monitor.new; Thread.new { m.enter; m.enter }.join; [m.mon_locked?, m.try_enter, m.exit, m.mon_locked?] }
try { m = Monitor.new; m.enter; Fiber.new { [m.mon_owned?, m.try_enter, (m.enter rescue $!.class)] }.resume }

try { Ractor.new(Mutex.new.lock) { |m| [m.class, m.locked?, m.lock.class] }.value }
try { r = Ractor.new { Ractor.receive }; r.send(Mutex.new, move: true) }
try do
  object = Object.new
  object.instance_variable_set(:@mutex, Mutex.new)
  Ractor.new(object) { |o| o.instance_variable_get(:@mutex).synchronize { 3 } }.value
end
try { m = Monitor.new; [(m.wait_for_cond(ConditionVariable.new, 0.001) rescue $!.message), Thread.new { m.enter }.join.class] }
