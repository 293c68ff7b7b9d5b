# oracle: native
# What takes too long is ended: nested, in threads, with the program's own classes.
require "timeout"

def show
  p yield
rescue Exception => error
  puts "#{error.class}: #{error.message}"
end

show { Timeout.timeout(0.05) { sleep } }
show { Timeout.timeout(0.05) { loop {} } }
show { Timeout.timeout(5) { 2 } }
show { Timeout.timeout(nil) { 3 } }
show { Timeout.timeout(0) { 4 } }
show { Timeout.timeout(7) { |seconds| seconds } }
show { Timeout.timeout(0.05, ArgumentError) { sleep } }
show { Timeout.timeout(0.05, ArgumentError, "too long") { sleep } }
show { Timeout.timeout(0.05, nil, "too long") { sleep } }
show { Timeout.timeout(5) { Timeout.timeout(0.05) { sleep } } }
show { Timeout.timeout(0.05) { Timeout.timeout(5) { sleep } } }
show { Timeout.timeout(0.05) { begin; sleep; rescue => error; p error; end } }
show { Timeout.timeout(0.05) { begin; sleep; ensure; puts "cleaned up"; end } }
show { 1000.times { Timeout.timeout(10) {} } }
threads = 5.times.map do |number|
  Thread.new do
    Timeout.timeout(0.02 * (number + 1)) { sleep }
  rescue Timeout::Error
    number
  end
end
show { threads.map(&:value) }
show { Timeout::Error.ancestors.take(2) }
