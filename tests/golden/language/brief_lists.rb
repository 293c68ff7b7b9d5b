# Arrays and ranges that die where they are made, and those that something keeps.

def divide(a, b) = [a / b, a % b]
def both(a, b)
  q, r = divide(a, b)
  q * 1000 + r
end
100.times { both(17, 5) }
p both(17, 5), both(2**62, 3), both(1.5, 2), (both(1, 0) rescue $!.message), both(-7, 2r)

def extremes(a, b) = [[a, b].max, [a, b].min, [a, b, 3].max, [a, b].minmax]
100.times { extremes(1, 2) }
p extremes(1, 2), extremes(2, 1), extremes(-1, -1), extremes(1.5, 1), extremes(2**70, 1), extremes("a", "b") rescue p $!.message
def maxes(a, b) = [a, b].max
100.times { |i| maxes(i, 50) }
p maxes(1, 2), maxes(2, 1.0), maxes("x", "y"), (maxes(1, nil) rescue $!.message), (maxes(Float::NAN, 1.0) rescue $!.message)

def parts(a, b, c)
  list = [a, b, c]
  x, y, z, w = list
  [list[0], list[-1], list[3], list[-4], list.size, list.length, list.empty?, x, y, z, w]
end
100.times { parts(1, 2, 3) }
p parts(1, 2, 3), parts(nil, 1.5, 2**70)

def swaps(n)
  a = 0
  b = 1
  c = 2
  n.times { a, b, c = b, c, a }
  [a, b, c]
end
p swaps(10), swaps(200), Array.new(30) { |n| swaps(n) }.last

def splats(a, b) = three(*[a, b]) + three(*[a, b], 1)
def three(a, b = 10, c = 20) = a + b + c
100.times { splats(1, 2) }
p splats(1, 2), splats(2**62 - 1, 2), (splats(nil, 1) rescue $!.message)

def pairs(n)
  s = 0
  n.times do |i|
    [[i, 1], [2, i]].each { |x, y| s += x * y }
    k, (l, m) = i, [i + 1, i + 2]
    s += k + l + m
  end
  s
end
p Array.new(40) { |n| pairs(n) }.last, pairs(3)

# Changed, kept, compared, and looked at.
KEPT = []
def kept(a, how)
  list = [a, how]
  case how
  when 1 then list << 3
  when 2 then KEPT << list
  when 3 then list[0] = 5
  when 4 then list.map! { |x| x + 1 }
  when 5 then return list == [a, how]
  when 6 then return list.frozen? || list.include?(a)
  when 7 then return [list, list].map(&:object_id).uniq.size
  when 8 then return list.hash == [a, how].hash
  when 9 then return list.freeze
  when 10 then return binding.local_variable_get(:list)
  when 11 then list.push(list)
  end
  x, y = list
  [x, y, list.size]
end
200.times { |i| kept(i, i % 13) }
p Array.new(13) { |how| kept(7, how) }, KEPT.size, KEPT.sum { |a, _| a }

# Ranges.
def each_of(a, b)
  s = 0
  (a..b).each { |i| s += i }
  (a...b).each { |i| s -= i * 2 }
  s
end
100.times { each_of(1, 5) }
p each_of(1, 5), each_of(5, 1), each_of(1, 1), each_of(2**62 - 2, 2**62 + 1), (each_of(1.5, 2) rescue $!.message), (each_of(nil, 2) rescue $!.message)

def nested(n)
  s = 0
  (0...n).each do |i|
    (i..n).each do |j|
      next if j == 3
      break if j > 7
      s += j
    end
  end
  s
end
p Array.new(30) { |n| nested(n) }.last

def ranges(a, b)
  r = (a..b)
  [r.begin, r.end, r.exclude_end?, r.sum, r.to_a.size, r === a, r == (a..b), r.frozen?, r.include?(2), (a...b).size, r.first, r.last]
end
100.times { ranges(1, 4) }
p ranges(1, 4), ranges(-1, 2), (ranges("a", "c") rescue $!.message), ranges(2**62, 2**62 + 1)

def returns(a, b)
  r = a..b
  l = [r, a]
  r.each { |i| return [i, l, r] if i > 3 }
  [l, r]
end
100.times { returns(1, 2) }
p returns(1, 2), returns(1, 9), returns(2**62 - 1, 2**62)

def raises(a, b)
  l = [a, b]
  r = 1..a
  x, y = l
  x + y + r.end
rescue TypeError, NoMethodError => e
  [l, r, x, y, e.message]
end
100.times { raises(1, 2) }
p raises(1, 2), raises(1, nil), raises(2, :s), (raises(nil, 1) rescue $!.message)

# While objects are collected.
def collected(n)
  list = [n, [n + 1, n..n + 2]]
  GC.start if n % 10 == 0
  a, (b, c) = list
  a + b + c.sum
end
p Array.new(60) { |n| collected(n) }.sum, collected(2**62 - 1)
