# Ranges of small Integers, sums and products of small rationals, and clamp, up to where small ends.
def try = begin; p yield; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
M = 2**62 - 1
vals = [1, 0, -3, M, -M - 1, 2**62, 2**70, 1/3r, -2/5r, Rational(M, 3), Rational(1, M), Rational(-M - 1, 7), Rational(1, 2**70), 0.5, 2i, nil, Rational(M, M - 1), Rational(M - 2, M)]
vals.grep(Rational).each { |a| vals.each { |b| %i[+ - * /].each { |o| try { a.send(o, b) }; try { b.send(o, a) } } } }
[1..5, 1...5, 1.., ..5, 1..1, 5..1, 1...1, 1.0..5.0, "a".."c", (2**62)..(2**62 + 2), (M - 1)..M, 1..5.5, nil..nil].each do |g|
  [0, 1, 5, 3.5, 4, M, 2**62, "b", nil, 1..2, 1...5, 2r, 2i, :b].each { |v| try { [g === v, g.cover?(v)] }; try { g.include?(v) } }
  try { g.end.nil? ? 0 : g.to_a }
  try { g.map { |x| x }.size } unless g.end.nil?
  try { a = []; g.step(2) { |x| a << x; break if a.size > 5 }; a }
  try { a = []; g.step(1) { |x| a << x; break if a.size > 5 }; a }
  try { a = []; g.step(-1) { |x| a << x; break if a.size > 5 }; a }
  try { a = []; g.step(0) { |x| a << x; break if a.size > 5 }; a }
  try { a = []; g.step { |x| a << x; break if a.size > 5 }; a }
  try { g.sum } unless g.end.nil?
end
try { (1..10).step(3) { |x| print x } }
class R2 < Range; def each; yield 9; yield 8; end; end
try { R2.new(1, 3).to_a }
try { R2.new(1, 3).map { |x| x } }
try { (1..3).map { |*x| x } }
try { (1..3).map { |x, y| [x, y] } }
try { (1..3).map(&:to_s) }
try { (1..3).map { |x| break x } }
try { (1..3).map.size }
try { (M - 1..M).map { |x| x } }
[1, 5, 0, 3, 1.5, 2r, M].each { |x| try { [x.clamp(1, 3), x.clamp(1..3), x.clamp(..2), x.clamp(2..)] }; try { x.clamp(3, 1) }; try { x.clamp(1...3) }; try { x.clamp(nil, 2) }; try { x.clamp("a", 2) } }
try { catch(:a) { throw :a, 5 } }
try { catch { |t| throw t, 7 } }
try { throw :zz }
try { catch(:x) { catch(:y) { throw :x, 1 }; 2 } }
try { Fiber.new { catch(:q) { throw :q, 3 } }.resume }
try { eval("(1..2)") ; x = 1; (x..3).frozen? }
try { x = "a"; (x..1) }
class Integer; def <=>(_) = 0; end
try { (1..3) === 9 }
try { (1..3).cover?(9) }
