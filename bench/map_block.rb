# Blocks whose results are collected: map, select, inject and chains of them.
numbers = (1..1000).to_a
total = 0
4_500.times do |round|
  squares = numbers.map { |number| number * number }
  odd = squares.select { |square| square & 1 == 1 }
  total += odd.inject(round) { |sum, square| sum ^ square }
  total += numbers.zip(squares).sum { |number, square| square - number } if round % 4 == 0
  total += numbers.map(&:succ).reject(&:even?).size
end
puts total
