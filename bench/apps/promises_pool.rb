# needs: ruby-concurrent
require "concurrent"
pool = Concurrent::FixedThreadPool.new(4)
square = ->(i) { Concurrent::Promises.future_on(pool, i) { |x| x * x } }
sums = 8.times.map do |round|
  Concurrent::Promises.zip(*Array.new(120) { |i| square.(i + round).then_on(pool) { |x| x + 1 }.rescue { -1 } }).then { |*all| all.sum }.value!
end
p sums
counter = Concurrent::AtomicFixnum.new
map = Concurrent::Map.new
latch = Concurrent::CountDownLatch.new(1500)
1500.times { |i| pool.post { counter.increment; map.compute_if_absent(i % 50) { i % 50 }; latch.count_down } }
latch.wait
p counter.value, map.size, map.keys.sum
agent = Concurrent::Agent.new(0)
200.times { |i| agent.send { |v| v + i } }
agent.await_for(5)
delayed = Concurrent::Promises.delay { 21 }.then { |x| x * 2 }
failing = Concurrent::Promises.future { raise ArgumentError, "no" }.then { 1 }
p agent.value, delayed.value, failing.reason.message, failing.rejected?
future = Concurrent::Promises.resolvable_future
waiting = Array.new(20) { |i| future.then(i) { |v, j| v * j } }
future.fulfill 3
p waiting.sum(&:value)
pool.shutdown
p pool.wait_for_termination(5)
