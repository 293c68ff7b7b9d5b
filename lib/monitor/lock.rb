# carat: core
# frozen_string_literal: true

# A lock that its holder may take again. Its frames count as native ones: CRuby's are.
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
