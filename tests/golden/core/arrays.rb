# Array: access, mutation, set operations, iteration, sorting, combinatorics, packing.
a = [1, 2, 3, 4, 5]
p a[0], a[-1], a[1, 2], a[1..], a[..-2], a[5], a[5, 1], a[6, 1], a[-6], a[(0..).step(2)], a[(-1..0) % -1] , a.at(1), a.dig(0), a.fetch(1), a.fetch(9, :d), a.fetch(9) { _1 * 2 }, a.first, a.first(2), a.last(2), a.values_at(0, 2, 9, -1), a.take(2), a.drop(3), a.take_while { _1 < 3 }, a.drop_while { _1 < 3 }, a.sample.class, a.slice(1, 2), a.fetch_values(0, 1)
b = [1, 2, 3]
b[5] = 6; p b
b[1..2] = [:x]; p b
b[0, 0] = [9, 9]; p b
b[-1] = :last; b[1, 2] = []; p b
begin
  b[-9] = 1
rescue IndexError => error
  p error.message
end
p b.push(1, 2), b.pop, b.pop(2), b.shift, b.shift(2), b.unshift(:a, :b), b.append(3), b.prepend(0), b.insert(2, :i, :j), b.insert(-2, :k), b.concat([7], [8]), b << 9
p b.delete(:i), b.delete(:zz), b.delete(:zz) { :none }, b.delete_at(0), b.delete_at(99), b.delete_if { _1 == 9 }, b.compact, b.fill(0, 1, 2), b.clear, b.empty?
p [3, 1, 2].sort, [3, 1, 2].sort { |x, y| y <=> x }, %w[bb a ccc].sort_by(&:size), [3, 1, 2].max, [3, 1, 2].min(2), [3, 1, 2].minmax, %w[bb a].max_by(&:size), [3, 1, 2].sum, [0.1] * 3, ["a", "b"].sum(""), [[1], [2]].sum([]), [1, 2, 3].reverse, [1, 2, 3].rotate, [1, 2, 3].rotate(-1), [1, 2, 3].shuffle(random: Random.new(1)).size
p [1, 2] + [3], [1, 2, 2, 3] - [2], [1, 2] * 2, [1, 2] * ", ", [1, 2, 2] & [2], [1, 2] | [2, 3], [[1, 2], [3]].flatten, [1, [2, [3, [4]]]].flatten(1), [1, nil, 2, nil].compact, [1, 1, 2].uniq, [1, 2, 3, 4].uniq(&:odd?), [1, 2].union([3], [1]), [1, 2].difference([1]), [1, 2].intersection([2]), [1, 2].intersect?([2]), [1, 2, 3].include?(2), [1, 2] <=> [1, 3], [1, 2] == [1, 2.0], [1].eql?([1.0]), [[1, 2], [3, 4]].transpose, [1, 2].product([3, 4]), [1, 2].zip([3, 4], [5, 6]), [1, 2].zip([3])
p [1, 2, 3].map { _1 * 2 }, [1, 2, 3].each_with_index.map { |v, i| v * i }, [1, 2, 3].select(&:odd?), [1, 2, 3].reject(&:odd?), [1, 2, 3].partition(&:odd?), [1, 2, 3].find { _1 > 1 }, [1, 2, 3].find_index(2), [1, 2, 3].index { _1 > 1 }, [1, 2, 1].rindex(1), [1, 2, 3].inject(:+), [1, 2, 3].reduce(10) { |x, y| x + y }, [1, 2, 3].each_slice(2).to_a, [1, 2, 3].each_cons(2).to_a, [1, 2, 3].group_by(&:odd?), [1, 2, 3].chunk_while { |x, y| y == x + 1 }.to_a, [1, 2, 4].slice_when { |x, y| y > x + 1 }.to_a, [1, 1, 2].tally, [1, 2].cycle(2).to_a, [1, 2, 3].each_entry.to_a, [1, 2, 3].flat_map { [_1] * _1 }, [1, 2, 3].filter_map { _1 * 2 if _1.odd? }, [[1, 2]].to_h, [1, 2].to_h { [_1, _1 * 2] }, [1, 2, 3].zip([4, 5, 6]).to_h
p [1, 2, 3].all?(Integer), [1, nil].any?, [].none?, [1, 2].one? { _1 > 1 }, [1, 2, 3].count(&:odd?), [1, 2, 1].count(1), [].all?, [nil, 1].all?, [1, 2, 3].sum { _1 / 2.0 }, [].sum, [].max, [].inject(:+), [1].inject { }, [3, 1].minmax_by { -_1 }, %w[a b c].each_with_object(+"") { |x, m| m << x }
p [1, 2, 3].combination(2).to_a, [1, 2, 3].permutation(2).count, [1, 2].repeated_combination(2).to_a, [1, 2].repeated_permutation(2).count, [1, 2, 3].combination(0).to_a, [1, 2, 3, 4].each_slice(3).map(&:sum), (1..6).each_cons(3).map(&:sum)
p [1, 2, 3, 4, 5].bsearch { _1 >= 3 }, [1, 2, 3].bsearch_index { _1 >= 2 }, [1, 2].cycle.first(5), [1, 2, 3].lazy.map { _1 * 2 }.to_a, [5, 3, 1].sort!.first, [1, 2, 3].map!(&:succ), [1, 2, 3].select! { _1 > 1 }, [1, 2].reject! { _1 > 5 }, [1, 1].uniq!, [1].uniq!, [1, nil].compact!, [1].compact!, [[1]].flatten!, [1].flatten!, [3, 1].sort_by! { _1 }, [1, 2].keep_if(&:odd?), [1, 2].reverse!, [1, 2].rotate!, [1, 2, 3].slice!(1, 2), [1, 2].shuffle!.size
p Array.new(3), Array.new(2, 0), Array.new(3) { _1 ** 2 }, Array(nil), Array([1]), Array(1..3), Array({ a: 1 }), Array("a"), [*1..3, *[4]], Array.new([1]), %w[a b], [1, 2, 3].first(0), (Array.new(-1) rescue $!.message), Array.try_convert("x")
p [1, [2, [3]]].to_s, [1, "a", :b, nil, true, 1.5, { a: 1 }, [nil]].inspect, [].inspect, [[]].inspect, [1, 2].join, [1, [2, [3]]].join(","), [nil, 1].join("-"), ["a", :b, 1].join(" "), [1, 2].hash == [1, 2].hash, [1, 2].frozen?, [1] <=> [1, 2], [1] <=> 1, [[2, 1], [1, 2]].sort, [[1, :a], [1, :b]].assoc(1), [[1, :a]].rassoc(:a)
c = [1]
c << c
p c, c.inspect, c.hash == c.hash, c == c, (c.flatten rescue $!.message), (c.join rescue $!.message)
p [1, 2, 3, 4].sum.fdiv(4), [3, 5, 2].each_with_index.max, [3, 5, 2].each_with_index.min_by(&:first), %w[x y z].each_with_index.to_a, [1, 2, 3].inject { |m, v| m * v }, [[3, "c"], [1, "a"]].sort.map(&:last), [1, 2, 3, 4].each_slice(2).to_h, [0, 1, 2].values_at(0, 2), [1, 2, 3].dig(0), [[1, [2]]].dig(0, 1, 0), [1, 2, 3, 4, 5, 6].partition.with_index { |_, i| i.even? }
p [65, 66].pack("C*"), [1, 2].pack("s>l<"), [1.5].pack("g").bytes, ["616263"].pack("H*"), ["abc", 5].pack("a5n"), [1, 300].pack("U*").bytes, [2**64 - 1].pack("Q").bytes.uniq, ["abc"].pack("m"), [1, 2, 3].pack("w*"), ["a b"].pack("u"), "abc".unpack("a1 x1 a1"), "\x01\x02\x03\x04".unpack("nC2"), "\xff\xff".unpack("s S") , "abc\0\0".unpack("Z*a"), [1, 2].pack("Cx2C")
d = [1, 2, 3].freeze
p d.frozen?, (d << 4 rescue $!.message), d.dup << 4, d.sum, d.map(&:to_s), d.first, [d, d].uniq.size, [3, 1, 2].sort.reverse == [3, 1, 2].sort { _2 <=> _1 }, [1, 2, 3].each_slice(2).size, [1, 2, 3].each_cons(2).size, [1, 2, 3, 4, 5].find_all(&:even?), [4, 5].rfind(&:even?)
e = [1, 2, 3, 4, 5, 6]
e.each { |v| e.delete(v) if v.even? }
p e, e.each_index.to_a, e.reverse_each.to_a, e.delete_if.with_index { |_, i| i == 0 }, [1, 2, 3].sum { |x| x.to_r }, ["b", "B", "a"].sort_by { [_1.downcase, _1] }, ["b", "B", "a"].sort(&:casecmp) .size, [[1, 2], [3, 4]].each { |x, y| print x + y, " " }, [1, 2, 3].freeze.then { |x, *| x }
p [1, 2, 3].permutation.to_a, [1, 2, 3, 4].permutation(2).to_a, [].permutation.to_a, [1].permutation(2).to_a, [1, 2, 3].combination(3).to_a, [1].combination(2).to_a, [1, 2].repeated_permutation(2).to_a, [].repeated_permutation(1).to_a, [1, 2, 3].repeated_combination(2).to_a, [1, 2].product([3, 4], [5]), [1].product([]), [1, 2].product
p [1, [2, { a: [3] }]].dig(1, 1, :a, 0), [nil].dig(0, 1), [[1]].dig(-1, -1), ([1].dig(0, 1) rescue $!.message), ([1].dig("a") rescue $!.message), ([[1]].dig(0, :b) rescue $!.message)
p [3, 1, 3, "a", "a", 1.0, 1].uniq, [1, 2].tally({ 1 => 2 }), ([1].tally({ 1 => "x" }) rescue $!.message), [1, 1].tally({ 1 => 2**64 }), [1, 2, 3].inject(10, :+), [1.5, 2].inject(:+), [2**62, 2**62].inject(:+), [1, 2, 3].inject(2, :*), %w[a b].inject(:+)
