# The texts of numbers are in US-ASCII; a range's inspect has the encoding of the left limit's.
numbers = [1r, Complex(1, 2), Complex(1r, Float::NAN)]
numbers.each { |value| p [value.to_s, value.to_s.encoding, value.inspect, value.inspect.encoding] }
ranges = [1..2, 1.., ..1, "a".."b", "a".b.."b".b, :a..:b, 1.5...2, nil..nil, "a".."é", nil.."é"]
ranges.each { |value| p [value.inspect, value.inspect.encoding] }

p 1.fdiv(0r), -1.fdiv(0r), 0.fdiv(0r), 1r.fdiv(0r), -1r.fdiv(-0.0), 1r.fdiv(0), (2**70).fdiv(0r), 1.fdiv(1/3r), 1.5.fdiv(0r), 1r.fdiv(0i)
[-> { 1.fdiv(Complex(2, 0.5)) }, -> { 1r.fdiv(nil) }, -> { 1.fdiv(nil) }].each do |divide|
  p divide.call
rescue StandardError => error
  p error
end

# A Complex whose imaginary part is exactly 0 is its real part where it is joined with another part.
p Complex(Complex(3, 0), 1.5), Complex(1, Complex(2, 0)), Complex("3", -2.5), Complex(Complex(1, 2), 3)
