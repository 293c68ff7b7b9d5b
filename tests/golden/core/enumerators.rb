# Enumerator: external iteration, generators, lazy evaluation, sizes, chains, products.
e = [1, 2, 3].each
p e.next, e.peek, e.next, e.next, (e.next rescue [$!.class, $!.message, $!.result]), e.rewind.next, e.size, e.class, e.inspect, e.with_index(1).to_a, e.with_object(:o).to_a, e.each_with_index.to_a
fib = Enumerator.new do |y|
  a, b = 0, 1
  loop { y << a; a, b = b, a + b }
end
p fib.take(10), fib.lazy.select(&:even?).first(5), fib.each_with_index.first(3), fib.next, fib.next, fib.peek, fib.size, fib.first, fib.each_slice(2).first(2), fib.lazy.map { _1 * 2 }.reject(&:zero?).take_while { _1 < 50 }.to_a
g = Enumerator.new(3) { |y| r = y.yield(1); y << 2 << 3; y.yield(r, :two); :result }
p g.size, g.to_a, g.next, g.next, g.next, g.next_values, (g.next rescue $!.result)
p [1, 2].each_with_index.with_index(10).to_a, %w[a b].each.with_index(1).map { |s, i| s * i }, [4, 5].map.with_index { |x, i| x * i }, [1, 2, 3].select.with_index { |_, i| i > 0 }, %w[x y].each_with_object({}).with_index { |(s, h), i| h[s] = i }, [3, 1].sort_by.with_index { |_, i| -i }, "ab".each_char.with_index.to_a, { a: 1 }.each.next, 3.times.next, 1.upto(3).with_object([]).to_a.size, [1, 2, 3].each_slice(2).size, [1, 2, 3].each_cons(2).with_index.to_a, loop.size, [1, 2].cycle.size, [1].cycle(3).size
l = (1..Float::INFINITY).lazy
p l.map { _1 * 2 }.first(2), l.select(&:even?).map { _1 ** 2 }.first(2), l.inspect, l.map { _1 }.inspect, l.zip(l).first(2), l.flat_map { [_1, -_1] }.first(4), l.take(3).to_a, l.take(3).force, l.drop(2).first, l.each_slice(2).first(2), l.with_index.map { |x, i| x * i }.first(3), l.uniq { _1 % 3 }.first(3), l.filter_map { _1 * 2 if _1.even? }.first(2), l.chunk_while { |_, y| y % 3 != 0 }.first(2), l.eager.class
p (1..3).lazy.eager.class, (1..3).lazy.to_a, (1..4).lazy.compact.to_a, (1..3).lazy.include?(2), (1..3).lazy.map { print "m"; _1 }.first, (1..20).lazy.select { print "s#{_1} "; _1 % 3 == 0 }.map { print "m#{_1} "; _1 * 2 }.first(2), (1..3).lazy.zip([4]).to_a
p ([1].each + [2, 3]).to_a, [1].chain([2], 3..4).to_a, ([1].each + [2]).size, ([1].each + [2]).inspect, Enumerator::Product.new([1, 2], [3, 4]).to_a, Enumerator.product([1, 2], [3]).size, Enumerator.produce(1) { _1 * 2 }.take(5), Enumerator.produce([0, 1]) { |a, b| [b, a + b] }.lazy.map(&:first).first(6), Enumerator.produce(3) { |x| raise StopIteration if x.zero?; x - 1 }.to_a, 1.step(by: 3).lazy.map { _1 + 1 }.first(2), ((1..3).each_entry).to_a
o = Object.new
def o.each_pair_of(n)
  return enum_for(:each_pair_of, n) { n } unless block_given?
  n.times { yield _1, _1 * 2 }
  :done
end
x = o.each_pair_of(2)
p x.size, x.to_a, x.next, x.next_values, (x.next rescue $!.result), x.each { |i, j| }, x.each_with_index.to_a, o.to_enum(:each_pair_of, 1).to_a
ee = [1, 2, 3].map
p ee.with_index { |v, i| v * i }, ee.each { _1 + 1 }, ee.next, [1, 2, 3].each_entry.next, [5, 6].each.with_index(2).to_a, (e2 = [1, 2, 3].each; [e2.next, e2.dup.class] rescue $!.class)
z = [1, 2, 3].each
r = []
loop { r << z.next }
p r, (loop { z.next; break } rescue 1), [[1, 2], [3, 4]].each.next, [[1, 2]].each.with_index.map { |(p1, p2), i| [p1, p2, i] }, [1, 2, 3].each.with_index.select { |v, i| i.even? }
gen = Enumerator.new { |y| 3.times { |i| y.yield i } }
p gen.zip(gen), gen.each_slice(2).to_a, gen.next, gen.next, gen.next, (begin gen.next; rescue StopIteration; :stop end), gen.with_index(1).to_a, gen.sum, gen.include?(2), gen.sort_by { -_1 }, gen.inject(:+), gen.to_set, gen.rewind.class, Enumerator::Yielder.instance_methods(false).sort, Enumerator::Lazy.superclass
