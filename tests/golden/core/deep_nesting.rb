# Deep and recursive structures, in the main thread, another thread, and a fiber.
# oracle: native
def outcome
  yield
rescue Exception => e
  "#{e.class}: #{e.message}"
end

def results
  a = [1]
  a << a
  h = {a: 1}
  h[:h] = h
  b = [1]
  b << b
  deep = []
  100_000.times { deep = [deep] }
  wide = [1]
  20.times { |i| wide = [wide, i] }
  cycle = inner = []
  40.times { inner = (inner << [])[0] }
  inner << cycle
  [
    a.inspect, h.inspect.include?("{...}"), outcome { a.join }, outcome { a.flatten }, outcome { cycle.flatten },
    a == b, a.hash == b.hash, deep.flatten, wide.flatten.size, wide.flatten(3).size, deep.flatten(1).size,
  ]
end

def endless(n) = endless(n + 1)

main = results
puts main.map(&:inspect)
p Thread.new { results }.value == main
p Fiber.new { results }.resume == main
x = Object.new
def x.inspect = [self].inspect
p outcome { x.inspect }
p outcome { endless(0) }
p Fiber.new { outcome { endless(0) } }.resume
p Thread.new { outcome { endless(0) } }.value
p outcome { eval("[" * 20_000 + "]" * 20_000) }[/\A\w+/]
