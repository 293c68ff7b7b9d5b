# Fiber#backtrace and backtrace_locations.
p Fiber.new {}.backtrace, Fiber.new {}.backtrace_locations, Fiber.new {}.backtrace(5), (Fiber.new {}.backtrace(-1) rescue $!)
def inner = Fiber.yield(1)
f = Fiber.new { [1].each { inner } }
f.resume
puts f.backtrace
p f.backtrace_locations.map(&:lineno), f.backtrace(1).size, f.backtrace(0, 1).size, f.backtrace(1..2).size, f.backtrace(50), f.backtrace_locations(50)
f.resume
p f.backtrace, f.backtrace_locations, f.backtrace(1)
def deep = Fiber.current.backtrace.first(2)
p deep
g = Fiber.new { h = Fiber.new { g.backtrace }; h.resume }
p g.resume.first
p((f.backtrace(:a) rescue $!), (Fiber.new {}.backtrace(1, -1) rescue $!))
