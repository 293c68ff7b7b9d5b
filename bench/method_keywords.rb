# Calls with keywords, defaults, splats and blocks passed on.
def area(width:, height: 2, scale: 1) = width * height * scale
def total(first, second = 3, *rest, last: 1, **others) = first + second + rest.size + last + others.size
def forward(...) = total(...)
def yielding(value, &block) = block.call(value)

sum = 0
i = 0
options = { last: 4 }
while i < 1_000_000
  sum += area(width: i, height: 3)
  sum += area(height: i, width: 1, scale: 2)
  sum += total(i)
  sum += total(i, 1, 2, last: 5)
  sum += total(i, **options)
  sum += forward(i, 2, last: 7) if i & 3 == 0
  sum += yielding(i) { |value| value + 1 }
  i += 1
end
puts sum
