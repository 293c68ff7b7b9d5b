# oracle: native
# Threads that meet at a constant that is being loaded wait for it.
autoload :AutoloadedSlowly, "#{__dir__}/fixtures/autoloaded_slowly.rb"
p 4.times.map { |i| Thread.new { sleep i * 0.03; AutoloadedSlowly::A } }.map { |t| t.value rescue $!.class }
