# Blocks called by Array#each and friends.
numbers = (1..1000).to_a
total = 0
16_000.times do
  numbers.each { |number| total += number & 3 }
end
3_000.times do
  numbers.each_with_index { |number, index| total ^= number + index }
  numbers.each_cons(2) { |left, right| total += right - left }
end
puts total
