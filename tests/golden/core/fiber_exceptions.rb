# Exceptions that one fiber raises in another, and where a fiber that ends leaves to.
fiber = Fiber.new { begin; Fiber.yield; rescue => e; [e.class, e.message, e.cause]; end }
fiber.resume
begin
  raise "outer"
rescue
  p fiber.raise(ArgumentError, "given")
end
fiber = Fiber.new { begin; Fiber.yield; rescue => e; [e.message, e.cause]; end }
fiber.resume
p fiber.raise("told", cause: IOError.new("why"))
fiber = Fiber.new { begin; Fiber.yield; rescue => e; e.message; end }
fiber.resume
p fiber.raise
begin
  Fiber.new { Fiber.yield }.tap(&:resume).raise("x", cause: 1)
rescue TypeError => e
  puts e.message
end
p catch(:tag) { Fiber.new { begin; throw :tag, 1; rescue UncaughtThrowError => e; e.message; end }.resume }
inner = Fiber.new { :inner }
p Fiber.new { inner.transfer; :outer }.resume
states = []
fiber = Fiber.new { states << :third }
second = Fiber.new { states << :second; fiber.transfer }
Fiber.new { states << :first; second.transfer; states << :again }.resume
p states
