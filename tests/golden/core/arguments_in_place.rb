# Arrays that grow at both ends, and calls whose arguments become parameters without being set up one by one.
r = Random.new(42)
sum = 0
200.times do |t|
  a = (0...r.rand(60)).to_a
  m = a.dup.freeze.map(&:itself)
  keep = []
  300.times do |i|
    case r.rand(12)
    when 0..3 then n = r.rand(4) + 1; x = Array.new(n) { r.rand(1000) }; a.unshift(*x); m = x + m
    when 4, 5 then x = r.rand(1000); a.push(x); m = m + [x]
    when 6 then p :bad unless a.shift == m.first; m = m[1..] || []
    when 7 then p :bad unless a.pop == m.last; m = m[0...-1]
    when 8 then k = r.rand(a.size + 1); x = r.rand(9); a.insert(k, x); m = m[0...k] + [x] + (m[k..] || [])
    when 9 then keep << [a[1..], m[1..]] if r.rand(4) == 0
    when 10 then a = a.dup
    when 11 then a.unshift(*a) if a.size < 50; m = a.dup.to_a if false; m = m + m if m.size < 50
    end
    unless a == m then p [:differs, t, i, a, m]; exit 1 end
  end
  keep.each { |x, y| p :bad_slice unless x == y }
  sum += a.sum
end
p sum
a = []
10_000.times { |i| a.unshift(i); a.push(-i) if i % 3 == 0 }
p a.size, a[0, 3], a[-3, 3]
q = (1..40).to_a
5000.times { |i| q.push(i); q.shift }
p q
def kh(a, b = {}, *c) = [a, b, c]
def kr(x, *r, **o, &b) = [x, r, o, b&.call]
def kn(h) = h
3.times { p kh(1, z: 2), kr(1, z: 2), kr(1, 2, 3, z: 4, y: 5), kn(a: 1, "b": 2), (kh(a: 1) rescue p $!) }
h1 = kn(a: 1); h2 = kn(a: 1); h1[:b] = 2; p h2
def later(*a) = kr(*a)
2.times { p((later(1, k: 2) rescue $!.message)) }
self.class.send(:ruby2_keywords, :later)
2.times { p later(1, k: 2) }
h = (1..50).to_h { |i| ["k#{i}", i] }
p h.select { |k, v| v.even? }.size, h.reject { |k, v| v > 3 }, h.select { |k, v| v < 3 }["k2"]
hh = {1 => 2, [1] => 3, 1.5 => 4, "s" => 5, nil => 6}
20.times { |i| hh[[i, i]] = i }
p hh.select { |k, v| v > 3 && v < 8 }, hh.merge({[3, 3] => :new, [99] => 1}).size
hi = {}.compare_by_identity; s1 = "a"; hi[s1] = 1; hi["a".dup] = 2; 12.times { |i| hi["x#{i}"] = i }
p hi.select { |k, v| v < 3 }.size, hi.select { |k, v| v == 1 }.key?(s1), {}.merge(hi).size
def y1; yield(*[1, 2, 3]); end
def y2; yield(*[]); end
def y3(*a) = yield(*a)
def y4(*a) = yield(0, *a)
def y5(*a) = yield(*a, k: 1)
p y1 { |*a| a }, y1 { |a| a }, y1 { |a, b| [a, b] }, y1 { |a, (b, c), d| [a, b, c, d] }, y2 { |*a| a }, y2 { |a| a }, y3([1, 2]) { |a, b| [a, b] }, y3([1, 2]) { |*a| a }, y3([1, 2]) { |a| a }
p y4(1) { |*a| a }, y4([1]) { |a, b| [a, b] }, y5(1) { |*a| a }, y5(1) { |*a, **k| [a, k] }, y3(*(1..300)) { |*a| a.size }, y3(*(1..300)) { |a, b| b }
pr = proc { |*a| a }; la = ->(*a) { a }; l2 = lambda { |a, b| [a, b] }
p pr.call, pr.call(1), pr.call([1, 2]), pr.(1, 2), la.call, la.call([1]), la.(1, 2), y3(1, 2, &pr), y3([1], &la), y3(1, 2, &l2), (y3([1, 2], &l2) rescue $!.message), (y3(1, &l2) rescue $!.message)
define_singleton_method(:dm) { |*a| a }
p dm, dm(1), dm([1]), dm(1, a: 2)
class E; include Enumerable; def each; yield 1; yield 2, 3; yield; yield [4, 5]; yield nil; end; end
p E.new.map { |x| x }, E.new.map { |x, y| [x, y] }, E.new.to_a, E.new.flat_map { |*x| x }, E.new.each_with_index.to_a, E.new.count { |x| x }, E.new.find_index { |x, y| y }, E.new.each_entry.to_a, E.new.group_by { |x| x.class }, E.new.map { |*x| x }
5.times.map { |x| x }
200.times { (1..20).lazy.map { |x| x * 2 }.select { |x| x > 5 }.first(3) }
p (1..20).lazy.map { |x| x * 2 }.select { |x| x > 5 }.first(3)
