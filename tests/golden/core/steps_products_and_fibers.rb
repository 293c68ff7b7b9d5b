# Backward steps in Array#[], products with infinities, copies of Method objects, and $~ of fibers.
def c(n) = begin; p [n, yield]; rescue Exception => e; p [n, e.class, e.message]; end
c(24) { [1, 2, 3].slice((...0).step(-1)) }
c(25) { [[1, 2, 3].slice((0..).step(2)), [1, 2, 3].slice((..0).step(-1)), [1,2,3,4][(-1..0).step(-2)], [1,2,3,4][(...1).step(-1)], [1,2,3,4][(...-1).step(-1)], [1,2,3,4][(3...).step(-1)], [1,2,3,4][(3...0).step(-1)]] }
c(26) { [1, 2, 3, 4][(...0) % -2] }
c(27) { [Complex(Float::INFINITY, 0) * Complex(1, 0), Complex(0, Float::INFINITY) * Complex(1, 0), Complex(Float::INFINITY, Float::INFINITY) * Complex(1, 1), Complex(1, 0) * Complex(Float::INFINITY, 0), Complex(1,2) * Complex(Float::NAN, 0), Complex(-0.0, 0.0)*Complex(1,0), Complex(1.0, -Float::INFINITY)* Complex(0, 1)] }
c(37) { /a/ =~ "a"; Fiber.new { /b/ =~ "b" }.resume; $~ }
c(38) { /a/ =~ "a"; [1].each { /c/ =~ "c" }; $~ }
c(41) { m = 1.method(:+); def m.foo = 3; m.clone.foo }
def matches
  "x" =~ /x/
  f = Fiber.new { a = $~; "y" =~ /y/; Fiber.yield [a, $~]; [$~, ("w" =~ /w/; $~)] }
  [f.resume, $~, ("z" =~ /z/; $~), f.resume, $~]
end
p matches
def enumerates
  e = Enumerator.new { |y| "q" =~ /q/; y << $~; y << $~ }
  "x" =~ /x/
  [e.next, $~, e.next, $~, e.map(&:to_s), $~]
end
p enumerates
fibers = %w[a b c].map { |s| Fiber.new { s =~ /./; GC.start; Fiber.yield; $~ } }
fibers.each(&:resume)
p fibers.map(&:resume)
