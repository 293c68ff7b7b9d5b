# Integers: arithmetic, bit operations, conversion, rounding, bignums across the word boundaries.
p 2**62, 2**63, 2**64, -(2**62), 2**62 - 1 + 1, 4611686018427387903 + 1, -4611686018427387904 - 1
p 2**100, 3**80 - 3**79, (2**100) / (2**98), (2**100) % 12345, -(2**100) / 7, -(2**100) % 7, (2**100).divmod(-3), (2**100).fdiv(2**99)
p 123456789**3, 99999999999 * 99999999999, 2**64 >> 60, 1 << 70, -1 << 70, -1 >> 100, (2**70) >> 70, 1 >> -3, 5 << -1
p (2**65) & (2**65 - 1), (2**65) | 1, (2**65) ^ (2**64), ~(2**65), -(2**65) & 0xff, -5 & 3, -5 | 3, -5 ^ 3
p (2**64).to_s(16), (2**64).to_s(36), "zz".to_i(36), "0b101".to_i(0), "0x1f".hex, "777".oct, "12abc".to_i, "  42  ".to_i, "1_000".to_i, "-9".to_i, "".to_i
p Integer("0b11", 2), Integer("ff", 16), Integer("0o17"), Integer(" 42 "), Integer("1_000"), Integer("x", exception: false), Integer(3.99), Integer("-0x1A", 16)
p 10.digits, 1234.digits(100), 0.digits, 255.to_s(2), -255.to_s(16), 65.chr, 233.chr, 0x3042.chr("UTF-8"), 97.ord
p 7.pow(100, 13), 2.pow(200, 10**9 + 7), (-3).pow(3), 2**-2, 0**0, (-2)**3, 4**0.5, 10**20, 10**-2
p 15.round(-1), 25.round(-1), 25.round(-1, half: :even), 25.round(-1, half: :down), 1234.floor(-2), 1234.ceil(-2), -1234.truncate(-2), 5.round(2), 12.ceildiv(5), -12.ceildiv(5)
p Integer.sqrt(99), Integer.sqrt(10**40), 10.gcd(4), 10.lcm(4), 10.gcdlcm(4), (2**80).gcd(2**70 * 3), 7.bit_length, (2**64).bit_length, -1.bit_length, (-2**64).bit_length
p 5.between?(1, 9), 5.clamp(7, 9), 3.allbits?(1), 6.anybits?(1), 6.nobits?(1), 5[0], 5[1], (2**70)[70], 0b11110000[4, 4], 0b11110000[4..]
p 10.succ, 10.pred, 10.next, -10.abs, (-2**70).abs, -5.magnitude, 10.integer?, 10.finite?, 10.infinite?, 0.zero?, 3.positive?, -3.negative?, 4.even?, 4.odd?, (2**70).even?
p 3 <=> 2**70, 2**70 <=> 2**70, 2**70 == 2.0**70, 2**70 > 1.5, 1 == 1r, (2**70).eql?(2**70), (2**70).equal?(2**70 + 0) || :maybe, (2**70).hash == (2**70).hash
p 7.to_f, (2**70).to_f, (2**1024).to_f, 7.to_r, 7.to_c, 7.rationalize, 7.numerator, 7.denominator, 7.real?, 7.coerce(2.5), 7.coerce(2)
p 17.divmod(5), -17.divmod(5), 17.divmod(-5), -17.divmod(-5), 17.divmod(2.5), 17.remainder(-5), -17.remainder(5), 17.modulo(-5), 17.div(5.5), -7 / 2, -7 % 3
3.times { print _1 }
3.upto(6) { print _1 }
6.downto(3) { print _1 }
1.step(10, 3) { print _1 }
10.step(1, -4) { print _1 }
puts
p 3.times.to_a, 1.upto(3).size, 5.downto(1).select(&:odd?), 1.step(by: 3).first(3), 1.step(2, 0.5).to_a
p 1.size > 0, 3.14.to_i, 1e25.to_i, -0.5.to_i, 3.7.floor, 3.2.ceil, -3.7.round, 1e20.floor, 2.5.round, 3.5.round, -2.5.round, 2.5.round(half: :even), 2.5.round(half: :down), 1234.567.round(1), 1234.567.round(-2)
p 0x7fffffff + 1, 0xffffffff * 0xffffffff, 12345678901234567890 / 10, 12345678901234567890.to_s.reverse
p 100.digits.sum, (1..30).reduce(:*), (1..100).sum, [2**64, 1, -2**64].sum, [2**64, 1, -2**65].minmax, [3, 2**64, 1].sort
fibonacci = Hash.new { |h, n| h[n] = n < 2 ? n : h[n - 1] + h[n - 2] }
150.times { fibonacci[_1] }
p fibonacci[150]
p 1.+(2), 6.fdiv(4), 7.pred.succ, 1.dup, 5.then { _1 * 2 }, 5.instance_of?(Integer), 5.class, (2**70).class, Integer === 2**70
begin
  5 / 0
rescue ZeroDivisionError => e
  p e.message
end
p 5 / 0.0, -5 / 0.0, (0 / 0.0).nan?, 5 % 3.5, 2**0.5 == Math.sqrt(2), 1.0.to_i, 10.0.divmod(3)
def ackermann(m, n) = m.zero? ? n + 1 : (n.zero? ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)))
p ackermann(2, 3)
p 3.7 % 1 < 0.71, 1_000_000.to_s.gsub(/(\d)(?=(\d{3})+$)/, '\1,')
p Integer.try_convert("x"), Integer.try_convert(5), 5.frozen?, 3.zero? || 4, [1, 2, 3].sum / 2r, 1 <=> nil, (1 < 2) & (2 < 3)
