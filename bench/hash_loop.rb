# Hashes: integer, string and symbol keys, counting and grouping.
counts = {}
3_000_000.times do |i|
  key = i * 7919 % 10_007
  counts[key] = (counts[key] || 0) + 1
end
puts counts.size, counts.values.max

names = Array.new(2_000) { |i| "name#{i * 31 % 1009}" }
tally = Hash.new(0)
600.times { names.each { |name| tally[name] += 1 } }
puts tally.size, tally["name7"]

points = Array.new(400_000) { |i| { x: i % 17, y: i % 23, color: i.even? ? :red : :blue } }
sum = 0
points.each { |point| sum += point[:x] * point[:y] if point[:color] == :red }
puts sum
puts points.group_by { |point| point[:x] }.transform_values(&:size).sum { |key, size| key * size }
