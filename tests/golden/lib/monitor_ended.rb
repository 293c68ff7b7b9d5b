# oracle: native
# A monitor whose holder ended, and a condition that is made before the object is.
require "monitor"

monitor = Monitor.new
Thread.new do
  monitor.enter
  monitor.enter
end.join
monitor.enter
monitor.exit
p Thread.new { monitor.synchronize { :entered } }.join(5)&.value
Thread.new { monitor.enter }.join
p monitor.try_enter
monitor.exit
p Thread.new { monitor.try_enter.tap { monitor.exit } }.value

class Early
  include MonitorMixin
  attr_reader :cond

  def initialize
    @cond = new_cond
    super
  end
end
early = Early.new
early.synchronize { early.cond.signal }
p early.mon_locked?
