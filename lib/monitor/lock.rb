# carat: core
# frozen_string_literal: true

require "monitor.so"

# What of a monitor runs Ruby code. Its frames count as native ones: CRuby's are.
class Monitor
  # Runs the block with the lock taken.
  def synchronize
    raise LocalJumpError, "no block given" unless block_given?
    Primitive.monitor_enter(self)
    begin
      yield
    ensure
      Primitive.monitor_exit(self)
    end
  end
  alias mon_synchronize synchronize

  # Returns a new condition variable of this lock.
  def new_cond = MonitorMixin::ConditionVariable.new(self)
end
