# A fiber scheduler that finds addresses by Resolv is not asked by Resolv in turn.
# oracle: native
Warning[:experimental] = false
require "resolv"
require "socket"

class Scheduler
  def unblock(_blocker, fiber)
    @lock.synchronize { @ready << fiber }
    @wake.write("!")
  end

  def kernel_sleep(*) = nil

  def io_wait(io, events, timeout) = IO.select([io], nil, nil, timeout) && events

  def fiber_interrupt(*) = nil

  def address_resolve(name)
    @asked << name
    Resolv.getaddresses(name)
  end

  attr_reader :asked

  def initialize
    @asked = []
    @ready = []
    @lock = Mutex.new
    @wait, @wake = IO.pipe
  end

  def fiber(&) = Fiber.new(blocking: false, &).tap(&:resume)

  def block(*)
    Fiber.yield
    true
  end

  def scheduler_close
    until @done
      IO.select([@wait])
      @wait.read_nonblock(100)
      @lock.synchronize { @ready.slice!(0..) }.each(&:resume)
    end
  end

  attr_writer :done
end

Thread.new do
  scheduler = Scheduler.new
  Fiber.set_scheduler(scheduler)
  Fiber.schedule do
    p Addrinfo.tcp("localhost", 80).ip?, scheduler.asked.uniq
    p Resolv.getaddresses("none.invalid")
    begin
      Addrinfo.tcp("none.invalid", 80)
    rescue SocketError => e
      p e.class
    end
    scheduler.done = true
    scheduler.unblock(nil, Fiber.new {})
  end
end.join
