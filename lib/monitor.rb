# frozen_string_literal: true

# Monitor: a lock that its holder may take again, and the module that gives one to any object.
require "monitor/lock"

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
