# A scheduler runs other fibers while one of them sleeps or waits.
class Scheduler
  def initialize
    @time = 0
    @sleeping = []
    @ready = []
    @blocked = 0
  end

  def fiber(&block)
    fiber = Fiber.new(blocking: false, &block)
    fiber.resume
    fiber
  end

  def kernel_sleep(duration = nil)
    @sleeping << [@time + duration, Fiber.current]
    Fiber.yield
  end

  def block(blocker, timeout = nil)
    @blocked += 1
    Fiber.yield
    @blocked -= 1
    true
  end

  def unblock(blocker, fiber)
    @ready << fiber
  end

  def io_wait(io, events, timeout) = nil

  def fiber_interrupt(fiber, exception) = nil

  def close
    until @ready.empty? && @sleeping.empty?
      if (fiber = @ready.shift)
        fiber.resume
      else
        @sleeping.sort_by!(&:first)
        @time, fiber = @sleeping.shift
        fiber.resume
      end
    end
    puts "closed at #{@time}, #{@blocked} blocked"
  end
end

begin
  Fiber.set_scheduler(Object.new)
rescue ArgumentError => error
  puts error.message
end
p Fiber.scheduler, Fiber.current_scheduler
begin
  Fiber.schedule { }
rescue RuntimeError => error
  puts error.message
end

scheduler = Scheduler.new
Fiber.set_scheduler(scheduler)
p Fiber.scheduler.equal?(scheduler), Fiber.current_scheduler

Fiber.schedule do
  p Fiber.current_scheduler.equal?(scheduler), Fiber.current.blocking?
  3.times { |i| puts "a#{i}"; sleep 2 }
end
Fiber.schedule do
  2.times { |i| puts "b#{i}"; sleep 3 }
end

queue = Thread::Queue.new
Fiber.schedule { 2.times { puts "got #{queue.pop}" } }
Fiber.schedule { sleep 1; queue << :x; sleep 1; queue << :y }

mutex = Thread::Mutex.new
2.times { |i| Fiber.schedule { mutex.synchronize { puts "in #{i}"; sleep 1; puts "out #{i}" } } }

Fiber.new(blocking: true) { p Fiber.current_scheduler }.resume
Fiber.set_scheduler(nil)
p Fiber.scheduler
