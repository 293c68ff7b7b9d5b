# oracle: native
# A file that one fiber is loading is none that another one of its thread can wait for, unless a scheduler runs that one meanwhile.
require "tmpdir"

FOLDER = Dir.mktmpdir
at_exit { Dir.children(FOLDER).each { |name| File.delete(File.join(FOLDER, name)) }; Dir.rmdir(FOLDER) }

def file(name, source)
  File.write(path = File.join(FOLDER, name), source)
  path.delete_suffix(".rb")
end

def outcome
  yield
rescue Exception => error
  [error.class, error.message]
end

path = file("slow.rb", "Fiber.yield; SLOW = 1\n")
first = Fiber.new { p outcome { require path } }
second = Fiber.new { p outcome { require path } }
first.resume
second.resume
first.resume
p SLOW, require(path)

autoload :Late, file("late.rb", "Fiber.yield; Late = 2\n")
first = Fiber.new { p outcome { Late } }
second = Fiber.new { p outcome { Late } }
first.resume
second.resume
p outcome { defined?(Late) }
first.resume
p Late

# A circle within one fiber is none between two.
file("circle_a.rb", "p require(#{File.join(FOLDER, "circle_b").dump})\n")
path = file("circle_b.rb", "p require(#{File.join(FOLDER, "circle_a").dump})\n")
Fiber.new { p require(path) }.resume

# The least of a scheduler: what sleeps goes on when it is due.
class Scheduler
  def initialize = @waiting = {}
  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  def kernel_sleep(time = 0) = (@waiting[Fiber.current] = Process.clock_gettime(Process::CLOCK_MONOTONIC) + time; Fiber.yield)
  def block(_blocker, timeout = nil) = (@waiting[Fiber.current] = Process.clock_gettime(Process::CLOCK_MONOTONIC) + (timeout || 0.001); Fiber.yield)
  def unblock(_blocker, fiber) = @waiting[fiber] = 0
  def io_wait(_io, events, _timeout) = events
  def fiber_interrupt(fiber, error) = fiber.raise(error)

  def close
    until @waiting.empty?
      now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      due = @waiting.select { |_, time| time <= now }.keys
      due.each { |fiber| @waiting.delete(fiber); fiber.resume }
    end
  end
end

path = file("scheduled.rb", "sleep 0.01; SCHEDULED = 3\n")
Thread.new do
  Fiber.set_scheduler(Scheduler.new)
  3.times { Fiber.schedule { p outcome { [require(path), SCHEDULED] } } }
end.join
