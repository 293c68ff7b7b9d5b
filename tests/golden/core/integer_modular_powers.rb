# Integer#pow with a modulus, of large numbers, beside squaring and dividing step by step.

def stepwise(base, exponent, modulus)
  result, square = 1 % modulus, base % modulus
  while exponent > 0
    result = result * square % modulus if exponent.odd?
    square = square * square % modulus
    exponent >>= 1
  end
  result
end

state = 99
number = lambda do |bits|
  value = 0
  (bits / 32 + 1).times do
    state = (state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % (1 << 64)
    value = value << 32 | state >> 32
  end
  (value | 1 << (bits - 1)) % (1 << bits)
end

wrong = []
check = ->(b, e, m) { wrong << [b, e, m] if b.pow(e, m) != stepwise(b, e, m) }
sizes = [1, 5, 17, 40, 63, 64, 65, 128, 200, 257]
sizes.each do |m|
  sizes.each do |n|
    base, exponent, modulus = number[n], number[(m + n) / 2 + 1], number[m]
    [modulus, modulus | 1, modulus << 3, modulus << 100, 1 << m, modulus * modulus | 1].each do |modulus|
      check[base, exponent, modulus]
      check[-base, exponent, modulus]
      check[base, exponent | 1, -modulus]
      check[-base, exponent | 1, -modulus]
      check[base * modulus, exponent, modulus]
    end
  end
end
[64, 127, 128, 521].each do |bits|
  ones = (1 << bits) - 1
  [0, 1, 2, ones - 1, ones, ones + 1, -1, -ones].each do |base|
    [0, 1, 2, 65_535, 65_536, 65_537, 1 << 64, (1 << 80) - 1, (1 << 80) + 1].each do |exponent|
      check[base, exponent, ones]
      check[base, exponent, -ones]
      check[base, exponent, ones + 1]
      check[base, exponent, ones << 7]
    end
  end
end
p wrong.size, wrong.first

p 3.pow(2**100, 1), 3.pow(2**100, -1), 0.pow(2**100, 2**70 + 1), 3.pow(0, 2**70 + 1), (2**70).pow(2**70, 2**70 + 1)
p 2.pow(2**127 - 2, 2**127 - 1), (2**521 - 2).pow(2**127 - 1, 2**521 - 1) == 2**521 - 2
p (begin; 2.pow(2**70, 0); rescue ZeroDivisionError => e; e.message; end)
p (begin; 2.pow(-1, 2**70 + 1); rescue RangeError => e; e.message; end)
p (begin; 2.pow(2**70, 2.5); rescue TypeError => e; e.message; end)
