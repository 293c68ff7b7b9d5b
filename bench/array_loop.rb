# Arrays: a sieve, pushing and popping, sorting, slicing, indexing in while loops.
limit = 5_000_000
sieve = Array.new(limit + 1, true)
sieve[0] = sieve[1] = false
i = 2
while i * i <= limit
  if sieve[i]
    multiple = i * i
    while multiple <= limit
      sieve[multiple] = false
      multiple += i
    end
  end
  i += 1
end
puts sieve.count(true)

stack = []
seed = 42
5_000_000.times do
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
  if stack.size > 100 && seed[4] == 1
    stack.pop
  else
    stack << seed
  end
end
puts stack.size, stack.sort.first(3).inspect, stack.min, stack.max

sums = 0
stack.each_slice(7) { |slice| sums ^= slice.sum }
puts sums
