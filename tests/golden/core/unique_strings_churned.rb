# Unique strings that come and go by the thousand: those that are still there are still the same ones.

kept = (0...500).map { |i| -"kept #{i}" }
ids = kept.map(&:object_id)

rounds = 12
rounds.times do |round|
  2_000.times { |i| -"gone #{round} #{i}" }
  # A string of each round stays.
  kept << -"of round #{round}"
  # Some of those that died come again.
  again = (0...200).map { |i| -"gone #{[round - 1, 0].max} #{i}" }
  p again.each_with_index.all? { |s, i| s.equal?(-"gone #{[round - 1, 0].max} #{i}") } if round % 4 == 0
  GC.start if round.odd?
end

p kept.first(500).map(&:object_id) == ids
p (0...500).all? { |i| kept[i].equal?(-"kept #{i}") }
p (0...rounds).all? { |i| kept[500 + i].equal?(-"of round #{i}") }

# Equal bytes in another encoding are another string.
plain, binary = -"text", -"text".b
p plain.equal?(-"text"), binary.equal?(-"text".b), plain.equal?(binary)
p plain.encoding, binary.encoding

# Keys of hashes and names of fields and methods.
hash = {}
1_000.times { |i| hash["key #{i}"] = i }
GC.start
p hash.keys.all?(&:frozen?), hash["key 999"], hash.size
1_000.times { |i| hash.delete("key #{i}") if i.even? }
GC.start
1_000.times { |i| hash["key #{i}"] ||= -i }
p hash["key 2"], hash["key 3"], hash.size
p (0...1_000).all? { |i| hash.key?("key #{i}") }

# A table that was large and is small again.
many = (0...20_000).map { |i| -"many #{i}" }
p many.size, many.last.equal?(-"many 19999")
many = many.first(10)
GC.start
GC.start
p many.each_with_index.all? { |s, i| s.equal?(-"many #{i}") }
5_000.times { |i| -"after #{i}" }
p kept.first(500).map(&:object_id) == ids
p many.map { |s| s.equal?(-s.dup) }.uniq
