# Fiber.new ignores arguments, and refuses keywords that it does not know.
def made
  p yield
rescue => e
  puts "#{e.class}: #{e.message}"
end

made { Fiber.new(1) { |x| [x] }.resume(2) }
made { Fiber.new(1, nil, { a: 1 }) { |x| [x] }.resume }
made { Class.new(Fiber).new(:name, blocking: true) { |x| Fiber.current.blocking? }.resume }
made { Fiber.new(1, foo: 1) {} }
made { Fiber.new(1) }
