# redo in a for loop does not assign the variables again.
sum = 0
for i in 1..10
  sum += i; i -= 1
  redo if i > 0
end
p sum, i

seen = []
for a, (b, *c), @d in [[1, [2, 3], 4]]
  seen << [a, b, c, @d]
  a += 1
  @d = nil
  redo if a < 3
end
p seen
