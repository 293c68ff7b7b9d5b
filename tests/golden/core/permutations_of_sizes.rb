# Permutations of few and of many elements come in the order of their indexes, whatever is taken meanwhile.

p [1, 2, 3].permutation.to_a, [1, 2, 3, 4].permutation(2).to_a, [1].permutation.to_a, [].permutation.to_a
p [1, 2].permutation(3).to_a, [1, 2].permutation(-1).to_a, [1, 2].permutation(0).to_a, [].permutation(1).to_a
5.times do |size|
  list = (0...size).to_a
  (0..size).each do |count|
    all = list.permutation(count).to_a
    p [size, count, all.size, all == all.sort, all.uniq.size == all.size, all.all? { |one| one.uniq == one }]
  end
end
[62, 63, 64, 65, 66].each do |size|
  list = (0...size).to_a
  p [size, list.permutation(2).count, list.permutation(2).first(2), list.permutation(2).to_a.last(2)]
  p list.permutation(2).each_cons(2).all? { |a, b| (a <=> b) < 0 }
  p list.permutation.first(3).map { |one| one.last(3) }, list.permutation(size - 1).first(3).map { |one| one.last(2) }
  last = list.reverse
  p last.permutation(3).to_a.last, last.permutation(1).to_a.size
end
taken = [1, 2, 3]
p taken.permutation.map { |one| taken.clear; one }, taken
p [:a, :b, :c].permutation.map { |one| one.push(:d).size }.uniq
p (0..7).to_a.permutation.each_with_index.sum { |one, i| one[i % 8] * (i % 13) }
p [3, 1, 2].permutation.with_index.select { |_, i| i.odd? }.map(&:first)
