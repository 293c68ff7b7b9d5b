# Float arithmetic in local variables: how many points of a grid stay bounded.
def inside?(cr, ci)
  zr = 0.0
  zi = 0.0
  steps = 0
  while steps < 50
    rr = zr * zr
    ii = zi * zi
    return false if rr + ii > 4.0
    zi = 2.0 * zr * zi + ci
    zr = rr - ii + cr
    steps += 1
  end
  true
end

size = 640
bits = 0
rows = 0
size.times do |y|
  row = 0
  ci = 2.0 * y / size - 1.0
  size.times do |x|
    row += 1 if inside?(2.0 * x / size - 1.5, ci)
  end
  bits += row
  rows = (rows * 31 + row) % 1_000_003
end
puts bits, rows
