# oracle: native
# A fiber that waits for a mutex is told once that it is free.
class Scheduler
  attr_reader :told

  def initialize
    @ready = []
    @told = 0
  end

  def run
    while (fiber = @ready.shift)
      fiber.resume if fiber.alive?
    end
  end
  alias close run

  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)

  def block(_blocker, _timeout = nil)
    Fiber.yield
    true
  end

  def unblock(_blocker, fiber)
    @told += 1
    @ready << fiber
  end

  def kernel_sleep(_time = nil)
    @ready << Fiber.current
    Fiber.yield
    true
  end

  def fiber_interrupt(fiber, _exception) = @ready << fiber

  def io_wait(_io, events, _timeout) = events
end

thread = Thread.new do
  scheduler = Scheduler.new
  Fiber.set_scheduler(scheduler)
  mutex = Mutex.new
  order = []
  Fiber.schedule do
    mutex.lock
    sleep 0
    mutex.unlock
    3.times { mutex.synchronize { order << :first } }
    order << scheduler.told
  end
  Fiber.schedule { mutex.synchronize { order << :second } }
  scheduler.run
  p order, scheduler.told
end
thread.join
