# Integers around one, two and three machine words.
edges = [61, 62, 63, 64, 126, 127, 128, 129, 191, 192].flat_map { |bits| [2**bits - 1, 2**bits, 2**bits + 1] }
edges += [(2**64 - 59) * (2**61 - 1), 3**80, 10**38, 6 * 2**120]
edges.each do |n|
  root = Integer.sqrt(n)
  p [root, root * root <= n && (root + 1) * (root + 1) > n, Integer.sqrt(n * n), Integer.sqrt(n * n - 1) == n - 1]
  p [n.gcd(2**64), n.gcd(-6 * 2**100), (-n).gcd(3**50), n.gcd(n), n.gcd(0), n.gcd(n + 1), n.lcm(12), (n * 7).gcd(n * 5) == n, (n * n).gcd(n * 3)]
end
[1, -1, 2, -2, 4, -8, 6, -12, 2**70, -(2**70), 3 * 2**65].each { |base| p [0, 1, 2, 3, 31, 62, 63, 64, 65].map { |exponent| base**exponent } }
p (1..60).sum { |i| Rational(1, i) }, (1..60).sum { |i| Rational((-1)**i, 2**i + 1) }, Rational(2**70, 2**66), Rational(6**40, -(4**35))
sizes = edges.map { |n| [n, n.dup, n.clone, Marshal.load(Marshal.dump(n)), n.to_s.to_i] }
p sizes.all? { |same| same.uniq.size == 1 && same.all?(&:frozen?) }, edges.to_h { |n| [n, 1] }.size, edges.uniq.sort == edges.uniq.sort_by { |n| [n] }

copies = (0...20).to_h { |i| ["k#{i}", i] }
made = (0...50).map { |i| copies = copies.dup; copies["n#{i}"] = i; copies.delete("k#{i}"); copies }
p made.map(&:size), made.last.keys.last(3), made[10]["k15"], made[30].key?("k15"), made.all? { |h| h.all? { |k, v| h[k] == v } }, made[7].clone.merge("z" => 1).size
