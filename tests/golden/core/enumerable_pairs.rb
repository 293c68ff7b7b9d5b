# Hashes and orders made of what `each` yields, and enumerators with arguments, keywords and numbers.
class Few
  include Enumerable
  def each; yield; yield 1; yield [2, 3]; yield 4, 5; yield [6, 7], 8; yield 1, 2, 3; self; end
end
class Two; include Enumerable; def each = (yield 1, 2; yield [3, 4]); end
def t = p(yield) rescue puts("#{$!.class} #{$!.message[/.{0,60}/]}")
t { Two.new.to_h { |a, b| [a, b] } }
t { Two.new.to_h { |*a| [a.size, a] } }
t { Two.new.to_h(&->(a) { [a, 1] }) }
t { Few.new.to_h { |*a| [a, a.size] } }
t { Few.new.to_h { |a| [a, 1] } }
t { Few.new.to_h { |a| 5 } }
t { [[1, 2]].to_h { |a, b| [b, a] } }
t { [[1, 2]].to_h(&->(a, b) { [a, b] }) }
t { [1, 2].to_h { |x| x } }
t { [1, 2].to_h { |x| [x] } }
t { [1, 2].to_h { |x| x == 1 ? [1, 1] : [x] } }
t { [1, 2].to_h { |x| nil } }
t { [[1, 2]].to_h.class }
t { a = [1, 2, 3]; a.to_h { |x| a.clear if x == 1; [x, x] } }
t { a = [3, 1, 2]; a.sort_by { |x| a.push(0) if a.size < 5; x } }
t { [[3, 1], [1, 2]].sort_by { |a, b| b } }
t { Two.new.sort_by { |a, b| -a } }
t { Few.new.sort_by { |a, b| a.to_s } }
t { [2, 1].sort_by(&:itself) }
t { [2].sort_by { |x| 1 } }
t { [].sort_by { |x| 1 } }
t { [1, "a"].sort_by { |x| x } }
t { {b: 1, a: 2}.sort_by { |k, v| k } }
t { {b: 1, a: 2}.to_h { |k, v| [v, k] } }
t { (1..3).to_h { |x| [x, x * x] } }
t { 3.times.to_h { |x| [x, x] } }
t { %w[a b].each_with_index.to_h }
t { %w[a b].each_with_index.to_h { |s, i| [i, s] } }
t { Enumerator.new { |y| y.yield 1, 2; y << 3 }.sort_by { |a| a.to_s } }
t { e = Enumerator.allocate; e.each { } }
t { e = Enumerator.allocate; e.size }
t { e = Enumerator.allocate; e.with_index { } }
t { [1].each.with_index(2).to_a }
t { [1, 2].each_slice(2).with_index.map { |(a, b), i| [a, b, i] } }
t { 1.step(by: 2).lazy.map { |x| x }.first(2) }
t { 1.step(by: 2, to: 5).map { |x| x } }
t { "a\nb".each_line(chomp: true).map { |l| l } }
t { "a\nb".each_line(chomp: true).with_index.map { |l, i| [l, i] } }
def kw(a = 0, k: 1) = yield(a, k)
t { to_enum(:kw, k: 5).map { |a, b| [a, b] } }
t { to_enum(:kw, 3, k: 5).with_index.map { |a, i| [a, i] } }
t { [1, 2].each.each_with_object([]) { |x, m| m << x } }
t { [4, 5].each.with_index.with_index(1).to_a }
t { [4, 5].map.with_index { |x, i| x * i } }
t { [4, 5].select.with_index { |x, i| i == 0 } }
t { [[4, 5]].each.with_index { |(a, b), i| p [a, b, i] } }
