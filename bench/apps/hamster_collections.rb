# needs: ruby-hamster ruby-concurrent
require "hamster"
hash = Hamster::Hash.new
6000.times { |i| hash = hash.put("key #{i % 2500}", i) }
hash = hash.delete("key 7").map { |k, v| [k, v * 2] }
vector = Hamster::Vector.new((1..3000).to_a)
2000.times { |i| vector = vector.set(i, vector[i] + vector[-i - 1]).push(i) }
set = Hamster::SortedSet.new((1..3000).map { |i| (i * 7919) % 3001 })
list = Hamster.stream { 1 }.take(500).map { |x| x + 1 }.to_a
lazy = Hamster.interval(1, 4000).select(&:even?).map { |x| x * x }.reject { |x| x % 3 == 0 }.take(400).reduce(:+)
deque = (1..4000).inject(Hamster::Deque.empty) { |d, i| i.odd? ? d.push(i) : d.unshift(i) }
deque = deque.pop.shift while deque.size > 10
puts hash.size, hash["key 100"], vector.size, vector.sum, set.size, set.first, set.last, list.sum, lazy, deque.to_a.inspect
nested = Hamster::Hash[a: Hamster::Hash[b: Hamster::Vector[1, 2, Hamster::Hash[c: 3]]], d: Hamster::Vector[4]]
p nested.update_in(:a, :b, 2, :c) { |c| c + 1 }.get(:a).get(:b)[2].to_a, nested.dig(:a, :b, 0), vector == Hamster::Vector.new(vector.to_a), hash.hash == hash.put("x", 1).delete("x").hash
