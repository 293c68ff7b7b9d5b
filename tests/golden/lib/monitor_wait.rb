# A condition of a monitor says whether somebody signalled in time.
require "monitor"

monitor = Monitor.new
p monitor.synchronize { monitor.new_cond.wait(0.01) }
p monitor.mon_locked?
