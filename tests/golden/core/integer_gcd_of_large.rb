# Greatest common divisors of large integers, beside Euclid's algorithm.

def euclid(a, b)
  a, b = a.abs, b.abs
  a, b = b, a % b until b == 0
  a
end

state = 12_345
number = lambda do |bits|
  value = 0
  (bits / 32 + 1).times do
    state = (state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % (1 << 64)
    value = value << 32 | state >> 32
  end
  (value | 1 << (bits - 1)) % (1 << bits)
end

wrong = []
check = ->(a, b) { wrong << [a, b] unless a.gcd(b) == euclid(a, b) && b.gcd(a) == euclid(a, b) && (-a).gcd(b) == euclid(a, b) }
sizes = [60, 62, 63, 64, 65, 70, 100, 126, 127, 128, 129, 160, 191, 192, 193, 300, 700, 1500]
sizes.each do |m|
  sizes.each do |n|
    x, y, common = number[m], number[n], number[(m + n) / 2]
    check[x, y]
    check[x * common, y * common]
    check[x * y, y]
    check[(x << n) + 1, x]
  end
end
sizes.each do |n|
  power = 1 << n
  [power - 1, power + 1, power >> 1, power << 64, (power - 1) << 65, power * power - 1, 3 * power].each do |other|
    check[power, other]
    check[power - 1, other]
    check[power + 1, other]
  end
end
a, b = 1, 1
600.times { check[a, b]; a, b = a + b, a }
p wrong.size, wrong.first

p (3**500).gcd(6**300) == 3**300
p (2**521 - 1).gcd(2**607 - 1), ((2**521 - 1) * (2**127 - 1)).gcd((2**607 - 1) * (2**127 - 1)) == 2**127 - 1
p (2**200).gcd(0) == 2**200, 0.gcd(-2**200) == 2**200, (2**200).gcd(1), (2**200).gcd(-6), 12.gcd(3**100)
p (2**200).gcd(2**200) == 2**200, (-2**200).gcd(2**199) == 2**199
p (10**40).lcm(15**30) == 10**40 * 15**30 / euclid(10**40, 15**30), (10**40).gcdlcm(4**20)
p Rational(10**60, 15**45), Rational(-3**90, 6**80).denominator == 2**80 / 1 * 1
p (begin; (2**100).gcd(1.5); rescue TypeError => e; e.message; end)
p (begin; (2**100).gcd(nil); rescue TypeError => e; e.message; end)
