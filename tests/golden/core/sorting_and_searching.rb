# Algorithms written out: sorts, searches, strings, primes and graphs, each checked against the built-in answer.
seed = 1
VALUES = Array.new(120) { seed = (seed * 48_271) % 2_147_483_647; seed % 1000 }
def quick(a) = a.size < 2 ? a : a.first.then { |pivot| a.drop(1).partition { _1 < pivot }.then { |l, r| [*quick(l), pivot, *quick(r)] } }
def merge_sort(a)
  return a if a.size < 2
  left, right = a.each_slice((a.size + 1) / 2).map { merge_sort(_1) }
  out = []
  out << (left.first <= right.first ? left : right).shift until left.empty? || right.empty?
  out + left + right
end
def heap_sort(a)
  heap = a.dup
  sift = lambda do |from, size|
    while (child = 2 * from + 1) < size
      child += 1 if child + 1 < size && heap[child] < heap[child + 1]
      break if heap[from] >= heap[child]
      heap[from], heap[child] = heap[child], heap[from]
      from = child
    end
  end
  (heap.size / 2 - 1).downto(0) { sift.(_1, heap.size) }
  (heap.size - 1).downto(1) { |last| heap[0], heap[last] = heap[last], heap[0]; sift.(0, last) }
  heap
end
def insertion(a)
  a = a.dup
  (1...a.size).each { |i| j = i; (a[j - 1], a[j] = a[j], a[j - 1]; j -= 1) while j > 0 && a[j - 1] > a[j] }
  a
end
expected = VALUES.sort
p quick(VALUES) == expected, merge_sort(VALUES) == expected, heap_sort(VALUES) == expected, insertion(VALUES) == expected, expected.first(5), expected.sum
p expected.bsearch { _1 >= 500 }, expected.find { _1 >= 500 }, VALUES.minmax, VALUES.sort { |a, b| b <=> a }.first(3), VALUES.max(3), VALUES.group_by { _1 / 100 }.transform_values(&:size).sort.to_h
sieve = (2..100).to_a
primes = []
until sieve.empty?
  primes << (prime = sieve.shift)
  sieve.reject! { (_1 % prime).zero? }
end
p primes.size, primes.last, primes.each_cons(2).map { _2 - _1 }.tally.sort.to_h
def levenshtein(a, b)
  row = (0..b.size).to_a
  a.each_char.with_index(1) do |ca, i|
    previous, row[0] = row[0], i
    b.each_char.with_index(1) { |cb, j| previous, row[j] = row[j], [row[j] + 1, row[j - 1] + 1, previous + (ca == cb ? 0 : 1)].min }
  end
  row.last
end
p levenshtein("kitten", "sitting"), levenshtein("", "abc"), levenshtein("carat", "karat")
GRAPH = { a: { b: 7, c: 9, f: 14 }, b: { c: 10, d: 15 }, c: { d: 11, f: 2 }, d: { e: 6 }, f: { e: 9 } }
def shortest(from, to)
  distance = Hash.new(Float::INFINITY).merge(from => 0)
  open = [from]
  until open.empty?
    at = open.min_by { distance[_1] }
    open.delete(at)
    (GRAPH[at] || {}).each { |node, cost| (distance[node] = distance[at] + cost; open |= [node]) if distance[at] + cost < distance[node] }
  end
  distance[to]
end
p shortest(:a, :e), shortest(:a, :d), shortest(:b, :a)
hanoi = ->(n, from, to, via) { n.zero? ? 0 : hanoi.(n - 1, from, via, to) + 1 + hanoi.(n - 1, via, to, from) }
p hanoi.(8, :a, :c, :b)
p "the quick brown fox jumps over the lazy dog".split.tally.select { _2 > 1 }, "mississippi".chars.chunk_while { _1 == _2 }.map { "#{_1.first}#{_1.size}" }.join, "racecar".then { _1 == _1.reverse }, "listen".chars.sort == "silent".chars.sort
roman = { 1000 => "M", 900 => "CM", 500 => "D", 400 => "CD", 100 => "C", 90 => "XC", 50 => "L", 40 => "XL", 10 => "X", 9 => "IX", 5 => "V", 4 => "IV", 1 => "I" }
to_roman = ->(n) { roman.reduce(+"") { |out, (value, text)| count, n = n.divmod(value); out << text * count } }
p [4, 1994, 2024, 3999].map(&to_roman)
life = [[0, 1, 0], [0, 1, 0], [0, 1, 0]]
step = ->(g) { g.each_index.map { |y| g[y].each_index.map { |x| n = [-1, 0, 1].product([-1, 0, 1]).sum { |dy, dx| dy.zero? && dx.zero? ? 0 : g.fetch((y + dy) % 3)[(x + dx) % 3] }; n == 3 || (n == 2 && g[y][x] == 1) ? 1 : 0 } } }
p step.(life), (1..15).map { |n| n % 15 == 0 ? "FizzBuzz" : n % 5 == 0 ? "Buzz" : n % 3 == 0 ? "Fizz" : n }
p (1..5).to_a.permutation.count { |q| q.each_with_index.none? { |v, i| v == i + 1 } }, 10.downto(1).each_slice(3).to_a, [3, 1, 2].each_with_index.sort.map(&:last), ("a".."e").each_cons(3).map(&:join)
begin
  frozen = [3, 1, 2]
  frozen.sort! { |x, y| frozen.freeze; x <=> y }
rescue FrozenError
  p $!.message
end
