# round, floor, ceil and truncate of floats with digits, often enough to be compiled.

FLOATS = [0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 0.15, 0.25, 0.35, 1.005, 2.675, 1.234567, -1.234567, 1e-7, 123456.789, 1e15 + 0.5, 1e22, 1e300, -1e300,
          5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1.0 / 3, 9.995, 99.9949999, Float::INFINITY, -Float::INFINITY, Float::NAN, 4.35, 10.5]
DIGITS = [1, 2, 3, 5, 10, 14, 15, 16, 17, 20, 22, 300, 400, 2**31 - 1]

def all(f, n) = [f.round(n), f.floor(n), f.ceil(n), f.truncate(n)]

FLOATS.each { |f| DIGITS.each { |n| p [f, n, all(f, n)] } }

def sum(times)
  total = 0.0
  times.times do |i|
    f = i * 0.137
    total += f.round(2) + f.floor(1) - f.ceil(3) + f.truncate(2)
  end
  total
end
3.times { p sum(2000).round(6) }

def try(f, n)
  all(f, n)
rescue => e
  "#{e.class}: #{e.message}"
end
[1.25, -7.5, 1e20, Float::NAN].each do |f|
  [0, -1, -3, 1.9, nil, "1", 2**70].each { |n| p [f, n, try(f, n)] }
end
1000.times { |i| try(i * 0.5, 1) }
p try(1.25, 0), try(1.25, -1), try(1.25, 1), try(1, 1), try(5r / 3, 2)
p 2.5.round(half: :even), 0.25.round(1, half: :even), 0.25.round(1, half: :down), 0.25.round(1, half: nil)

class Float
  alias old_round round
  def round(*) = 42
end
p try(1.25, 1)
class Float
  alias round old_round
end
p try(1.25, 1)
