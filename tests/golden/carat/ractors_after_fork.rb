# A forked child has no Ractor but its own: what waits for another one finds it at its end.
ractor = Ractor.new { Ractor.receive }
Process.wait(fork { p ractor.value, ractor.inspect.include?("terminated") })
p $?.exitstatus
Process.wait(fork { p Ractor.new { 1 + 1 }.value })
ractor.send(:done)
p ractor.value
