# oracle: native
# Fibers of several threads, each with a scheduler of its own, wait for what another fiber of their thread writes, while the other
# threads want their turn.

class Scheduler
  def initialize = (@readable = {}; @ready = [])

  def io_wait(io, events, _timeout)
    return events if events & IO::READABLE == 0
    @readable[io] = Fiber.current
    Fiber.yield
    events
  end

  def run
    until @readable.empty? && @ready.empty?
      @ready.shift&.resume while @ready.any?
      next if @readable.empty?
      ready, = IO.select(@readable.keys)
      ready.each { |io| @readable.delete(io).resume }
    end
  end

  def close = run
  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  def kernel_sleep(_ = nil) = (@ready << Fiber.current; Fiber.yield)
  def block(*) = raise("nobody waits")
  def unblock(*) = raise("nobody waits")
end

def exchange(number)
  input, output = IO.pipe
  found = []
  Fiber.set_scheduler(Scheduler.new)
  Fiber.schedule do
    found << input.read(number + 5)
    found << input.gets
    found << input.read
  end
  Fiber.schedule do
    output.write("x" * number)
    sleep 0
    output.write("hello", "line\n", "rest")
    output.close
  end
  Fiber.set_scheduler(nil)
  found.map(&:size)
end

threads = 12.times.map { |number| Thread.new { 20.times.map { exchange(number) }.uniq } }
busy = Thread.new { Thread.pass until threads.none?(&:alive?) }
p threads.map(&:value)
busy.join
