# Rationals, Complexes and large Integers around the sizes at which their ways part.
small = 3
limits = [2**31, 2**61, 2**62 - 1, 2**62, 2**63, 2**64, 2**126, 2**127, 2**128, 2**200]
numbers = limits.flat_map { |n| [n - 1, n, n + 1, -n, -n - 1] } + [0, 1, -1, small, -small, 10**18, 10**19]

puts "== division"
checks = 0
numbers.product(numbers) do |a, b|
  next if b == 0
  q, r = a.divmod(b)
  raise "#{a} #{b}" unless q * b + r == a && r.abs < b.abs && (r == 0 || (r < 0) == (b < 0)) && a / b == q && a % b == r
  checks += 1
end
p checks
[[2**100, 2**64 + 3], [-(2**100), 7], [2**127, -1], [-(2**127), -1], [2**126, 2**126], [-(2**62), -1]].each { |a, b| p a.divmod(b) }
p((2**100).divmod(0)) rescue p $!
p((2**100) % 0) rescue p $!

puts "== powers with a modulus"
[[3, 20, 1007], [3, 1000, 2**70], [-3, 3, 1000], [3, 5, -7], [2**70, 3, 10**9], [-5, 2**20, 2**65 + 1], [7, 0, 2**80], [7, 0, 1],
 [2**31, 31, 2**32 - 1], [-1, 3, 2**32], [3, 2**70, 2**40 + 1]].each { |a, e, m| p a.pow(e, m) }

puts "== digits"
p((2**100).digits, (2**100).digits(16), (2**100).digits(2**70), (2**100).digits(37).first(4), (36**20).digits(36))

puts "== bits"
p 12345[1, 4], 12345[0..3], -5[0, 3], 7[-1, 2], 7[-2, 5], 5[0, 61], 5[0, 62], -1[0, 62], -1[3, 70], 2**61[60, 3], 9[1, 0], 9[70, 2]

puts "== floats and ratios"
[0.0, -0.0, 0.1, -0.1, 0.5, 1.0, 3.0, 1e15, 2.0**52, 2.0**53, 2.0**62, 2.0**63, 2.0**70, 1e-5, 1e-10, 2.0**-60, 2.0**-61, 2.0**-62, 2.0**-63, 1e-20, 5e-324,
 -2.5, 3.14159, 1e300].each { |f| p [f, f.to_r, f.numerator, f.denominator, f.rationalize, f.rationalize(Rational(1, 100))] }
p 3.14159.rationalize(0.001), 0.3.rationalize(Rational(1, 10)), 1.5.rationalize(0), Rational(311, 100).rationalize(Rational(1, 100)), Rational(-311, 100).rationalize(Rational(1, 100))
p Rational(2**70, 3).rationalize(Rational(1, 100)), Rational(1, 3).rationalize(Rational(1, 2**70)), Rational(7, 4).rationalize(Rational(1, 4)), Rational(1, 2).rationalize(5)

puts "== rounding"
[Rational(7, 2), Rational(-7, 2), Rational(5, 2), Rational(22, 7), Rational(-22, 7), Rational(4, 1), Rational(2**70, 3), Rational(1, 2**70), Rational(2**61, 3)].each do |r|
  p [r.floor, r.ceil, r.truncate, r.round, r.to_i, r.round(half: :even), r.round(half: :down), r.round(half: :up)]
  p [1, 2, 17, 18, 19, 25].map { |n| [r.floor(n), r.ceil(n), r.truncate(n), r.round(n)] }
  p [r.round(0), r.round(-1), r.floor(-1)]
end
p Rational(1, 3).round(1.5) rescue p $!

puts "== text"
["3/4", "-3/4", "+6/8", "0.75", "-0.75/3", "1.5e3", "1/3.5", "1_000", "1__0", "1.", ".5", "1.5.2", "1/0", "5/", "  7/21x", "", "x", "999999999999999999", "9999999999999999999",
 "1/999999999999999999", "1/9999999999999999999", "0.999999999999999999", "0.9999999999999999999", "123456789012345678/123456789012345678", "1/2e1", "1/2_3", "- 1", "\t12\n"].each do |text|
  result = begin text.to_r rescue $!.class end
  strict = begin Rational(text) rescue $!.class end
  p [text, result, strict]
end
p Rational(6, -4), Rational(2**62, 2), (Rational(1, 0) rescue $!), Rational(0, 5), Rational(3), Rational(1, 2, exception: false), (Rational(1, 2, exception: 3) rescue $!), Rational("z", exception: false)

puts "== complex"
p 1 + Complex(1, 2), 2 * Complex(1, 2), 2**70 + Complex(1, 2), 2**70 * Complex(1, 2), 1 - Complex(1, 2), 1.5 + Complex(1, 2)
p Complex(1.5, 2) * Complex(2.5, 3.0), Complex(1.5, 2.0) * Complex(2.5, -3.0), Complex(2**61, 3) * Complex(2**61, 5), Complex(0.0, -0.0) * Complex(1.0, 1.0), Complex(Float::INFINITY, 1.0) * Complex(0.0, 1.0)
p Complex(1, 2) / Complex(3.0, 4.0), Complex(1.0, 2.0) / Complex(3.0, 4.0), Complex(1.0, 2.0) / Complex(0.0, 0.0), Complex(1.0, 2.0) / Complex(4.0, -3.0), Complex(Rational(1, 2), 2) / Complex(1, 1), Complex(1, 2)**5
p Complex(1, 2.5), Complex(1, nil) rescue p $!
p Complex("1", 2), Complex(1, exception: false), Complex.rect(1, 2.0), (Complex.rect("1", 2) rescue $!), (Complex(1, 2, exception: 1) rescue $!)

puts "== steps and searches"
p (1.0..2.0).step(0.25).to_a, 1.0.step(2.0, 0.1).to_a, (1.0...2.0).step(0.5).to_a, 2.0.step(1.0, -0.5).to_a, 1.0.step(2.0, Float::INFINITY).to_a, 1.0.step(0.0, 0.5).to_a, (0.0...0.3).step(0.1).to_a
p 1.0.step(Float::INFINITY, 2.0).first(2), 1.0.step(1e20, 1.0).size, (1.0..2.0).step(1e-9).size, 1.0.step(by: -0.5, to: 0).to_a
p (1.0..2.0).bsearch { |x| x >= 1.5 }, (0.0..Float::INFINITY).bsearch { |x| x >= 1e300 }, (-1.0..1.0).bsearch { |x| x >= 0 }, (-1e300..-1e-300).bsearch { |x| x >= -2.0 }, (1.0...1.5).bsearch { |x| x >= 1.5 }
p (0..4.0).bsearch { |x| 2.5 <=> x }, (0.0..1.0).bsearch { |x| false }, (0.0..).bsearch { |x| x >= 1e10 }, (..0.0).bsearch { |x| x >= -1e10 }
p 5.clamp(1..3), 5.clamp(..3), 5.clamp(7..), 5.clamp(1, 3), 2.5.clamp(1..2), (5.clamp(1...3) rescue $!), (5.clamp(3, 1) rescue $!)
