# carat: core
# frozen_string_literal: true

# Monitor: a lock that its holder may take again, and the module that gives one to any object.

# A reentrant lock.
class Monitor
  def initialize
    @mutex = Thread::Mutex.new
    @count = 0
    @owner = nil
  end

  # Takes the lock, waiting for it if need be. Whoever ended while it held the lock left its count behind.
  def enter
    unless @owner.equal?(Fiber.current)
      @mutex.lock
      @owner = Fiber.current
      @count = 0
    end
    @count += 1
    nil
  end
  alias mon_enter enter

  # Takes the lock if it is free; returns whether it did.
  def try_enter
    unless @owner.equal?(Fiber.current)
      return false unless @mutex.try_lock
      @owner = Fiber.current
      @count = 0
    end
    @count += 1
    true
  end
  alias try_mon_enter try_enter
  alias mon_try_enter try_enter

  # Gives the lock back once.
  def exit
    raise ThreadError, "current thread not owner" unless @owner.equal?(Fiber.current)
    @count -= 1
    if @count == 0
      @owner = nil
      @mutex.unlock
    end
    nil
  end
  alias mon_exit exit

  # Runs the block with the lock taken.
  def synchronize
    enter
    begin
      yield
    ensure
      exit
    end
  end
  alias mon_synchronize synchronize

  # Returns whether anybody holds the lock.
  def mon_locked? = @mutex.locked?

  # Returns whether the running fiber holds the lock. Who ends gives the mutex back and stays the owner that is noted here,
  # but never runs again.
  def mon_owned? = @owner.equal?(Fiber.current)

  # Raises unless the running fiber holds the lock.
  def mon_check_owner
    raise ThreadError, "current thread not owner" unless mon_owned?
  end

  # Returns a new condition variable of this lock.
  def new_cond = MonitorMixin::ConditionVariable.new(self)

  # Waits for +condition+ with the lock given up, however often it was taken. Says whether somebody signalled in time.
  def wait_for_cond(condition, timeout)
    count = @count
    @owner = nil
    @count = 0
    begin
      condition.wait(@mutex, timeout) ? true : false
    ensure
      @owner = Fiber.current
      @count = count
    end
  end
end

# Makes any object a monitor.
module MonitorMixin
  # A condition variable of a Monitor.
  class ConditionVariable
    def initialize(monitor)
      @monitor = monitor
      @cond = Thread::ConditionVariable.new
    end

    # Waits for a signal, for +timeout+ seconds at most.
    def wait(timeout = nil)
      @monitor.mon_check_owner
      @monitor.wait_for_cond(@cond, timeout)
    end

    # Waits as long as the block's value is true.
    def wait_while
      wait while yield
    end

    # Waits until the block's value is true.
    def wait_until
      wait until yield
    end

    # Wakes one who waits.
    def signal
      @monitor.mon_check_owner
      @cond.signal
    end

    # Wakes all who wait.
    def broadcast
      @monitor.mon_check_owner
      @cond.broadcast
    end
  end

  def self.extend_object(object)
    super
    object.__send__(:mon_initialize)
  end

  def mon_try_enter = @mon_data.try_enter
  alias try_mon_enter mon_try_enter

  def mon_enter = @mon_data.enter

  def mon_exit = @mon_data.exit

  def mon_locked? = @mon_data.mon_locked?

  def mon_owned? = @mon_data.mon_owned?

  def mon_synchronize(&block) = @mon_data.synchronize(&block)
  alias synchronize mon_synchronize

  def new_cond
    mon_initialize unless @mon_data
    ConditionVariable.new(@mon_data)
  end

  def initialize(...)
    super
    mon_initialize
  end

  private

  # A copy gets a monitor of its own.
  def mon_initialize
    return if @mon_data && @mon_data_owner_object_id == object_id
    @mon_data = ::Monitor.new
    @mon_data_owner_object_id = object_id
  end
end
