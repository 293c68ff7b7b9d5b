# Blocks called by Integer#times, upto and step, with captured variables.
total = 0
6_000_000.times { |i| total += i & 7 }
1.upto(4_000_000) { |i| total ^= i }
0.step(6_000_000, 2) { |i| total += 1 if i % 3 == 0 }
300.times { |i| 300.times { |j| 20.times { |k| total += i ^ j ^ k } } }
puts total
