# What Rational, Complex and rationalize make of numbers at the edge of what they take.

def report(name)
  shown = yield.inspect
rescue StandardError => error
  shown = "#{error.class}: #{error.message}"
ensure
  puts "#{name}: #{shown}"
end

# A NaN or an infinite Float is an error even where others give nil.
report("NaN") { Rational(Float::NAN, exception: false) }
report("NaN and a number") { Rational(Float::NAN, 1, exception: false) }
report("a number and NaN") { Rational(1, Float::NAN, exception: false) }
report("NaN and a text") { Rational(Float::NAN, "x", exception: false) }
report("a text and NaN") { Rational("x", Float::NAN, exception: false) }
report("a number as text and NaN") { Rational("1", Float::NAN, exception: false) }
report("infinity and an object") { Rational(Float::INFINITY, Object.new, exception: false) }
report("NaN and nil") { Rational(Float::NAN, nil, exception: false) }
own = Class.new { def to_r = Float::NAN.to_r }.new
report("an object that gives NaN") { Rational(own, exception: false) }

# What is no number is nil, or an error, as the second part is a plain number or something else.
[1, 1.5, 1r, Complex(1, 0), Complex(1, 2), "1", "1+2i", "c", "1/2", :b, nil, {}].each do |second|
  report("a hash and #{second.inspect}") { Complex({}, second, exception: false) }
end

# The limits are those of Float arithmetic.
[0.01, 0.5, 1, 1.5, 1/100r, 2**64, 2**70, 1e300, 0.0, 1e-20].each do |margin|
  [3.7, -3.7, 0.3333, 1e20].each do |number|
    report("#{number} within #{margin}") { number.rationalize(margin) }
  end
end
report("within infinity") { 3.7.rationalize(Float::INFINITY) }

# A derived class makes its own.
class Pair < Complex; end
[Pair.rect(1, 2), Pair.rectangular(1.5), Pair.polar(1, 2), Pair.polar(3), Complex.rect(1, 2)].each do |number|
  p [number.class, number, number.frozen?]
end
p Pair.rect(1, 2) == Complex(1, 2), Pair.rect(1, 2).hash == Complex(1, 2).hash
