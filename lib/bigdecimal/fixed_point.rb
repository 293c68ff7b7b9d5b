# Elementary functions of fixed-point numbers: Integers that are multiples of 2**-bits.
#
# Each brings its argument near to zero, where a Taylor series of about the square root of +bits+ terms does, and works with
# so many bits more as the way back takes. Results differ from the true ones by a few units of the last bit.
module BigDecimal::FixedPoint
  class << self
    # Bits for so many decimal digits.
    def bits(digits)
      BigDecimal::Internal.check_room(digits)
      digits * 10 / 3 + 16
    end

    # The multiple below a BigDecimal.
    def of(number, bits)
      return 0 if number.zero? || number.exponent < -bits
      exponent = number.__exponent
      exponent >= 0 ? number.__integer * 10**exponent << bits : (number.__integer << bits) / 10**-exponent
    end

    # The BigDecimal, with as many digits as the bits tell.
    def to_decimal(number, bits)
      digits = bits * 30103 / 100000 + 1
      BigDecimal.__of(number * 10**digits >> bits, -digits)
    end

    # Machin's formula.
    def pi(bits)
      wide = bits + 16
      4 * (4 * inverse_series(5, wide, -1) - inverse_series(239, wide, -1)) >> 16
    end

    def log_of_ten(bits)
      wide = bits + 16
      46 * inverse_series(31, wide, 1) + 34 * inverse_series(49, wide, 1) + 20 * inverse_series(161, wide, 1) >> 16
    end

    # Of a number between -4 and 4: the exponential of a part of it, squared.
    def exp(number, bits)
      return (1 << 2 * bits) / exp(-number, bits) if number < 0
      halvings = Integer.sqrt(bits)
      wide = bits + halvings + 16
      part = number << wide - bits >> halvings
      sum = term = 1 << wide
      index = 0
      sum += term = (term * part >> wide) / (index += 1) until term == 0
      halvings.times { sum = sum * sum >> wide }
      sum >> wide - bits
    end

    # Halley's method, which triples the bits that are right each time, for a number between 0.1 and 10.
    def log(number, bits)
      steps = [bits + 16]
      steps << steps.last / 3 + 16 while steps.last > 128
      precision = 48
      log = (Math.log((number << 64 >> bits).fdiv(1 << 64)) * (1 << precision)).to_i
      steps.reverse_each do |step|
        log, precision = log << step - precision, step
        argument = step > bits ? number << step - bits : number >> bits - step
        power = exp(log, step)
        log += (2 * (argument - power) << step) / (argument + power)
      end
      log >> 16
    end

    # Of an angle between 0 and a half turn, by the sine of a third of it.
    def sin(angle, bits)
      thirds = Integer.sqrt(bits) / 2
      wide = bits + 2 * thirds + 16
      part = (angle << wide - bits) / 3**thirds
      square = part * part >> wide
      sum = term = part
      index = 1
      until term == 0
        term = (term * square >> wide) / ((index + 1) * (index += 2))
        sum += index & 2 == 0 ? term : -term
      end
      thirds.times { sum = sum * ((3 << wide) - (4 * sum * sum >> wide)) >> wide }
      (sum >> wide - bits).clamp(0, 1 << bits)
    end

    # Of a number between 0 and 1, by halves of the angle.
    def atan(number, bits)
      halvings = Integer.sqrt(bits) / 2
      wide = bits + halvings + 16
      one = 1 << wide
      tangent = number << wide - bits
      halvings.times { tangent = (tangent << wide) / (one + Integer.sqrt((one << wide) + tangent * tangent)) }
      square = tangent * tangent >> wide
      sum = 0
      index = -1
      until tangent == 0
        term = tangent / (index += 2)
        sum += index & 2 == 0 ? term : -term
        tangent = tangent * square >> wide
      end
      sum << halvings >> wide - bits
    end

    # sum of argument**2k / (1 * 3 * 5 ... (2k + 1)) for the double square of an argument
    def odd_factorials(double_square, bits)
      sum = term = 1 << bits
      index = 1
      sum += term = (term * double_square >> bits) / (index += 2) until term == 0
      sum
    end

    # The Integer below the cube root, by Newton's method from above.
    def cube_root(integer)
      shift = (integer.bit_length - 51).clamp(0..) / 3
      root = Math.cbrt((integer >> 3 * shift) + 1).ceil + 1 << shift
      loop do
        nearer = (2 * root + integer / (root * root)) / 3
        return root if nearer >= root
        root = nearer
      end
    end

    private

    # 1/n + sign/(3 * n**3) + 1/(5 * n**5) ...: the inverse tangent of 1/n, hyperbolic if the sign is 1
    def inverse_series(inverse, bits, sign)
      square = inverse * inverse
      sum = power = (1 << bits) / inverse
      index = 1
      until power == 0
        power /= square
        term = power / (index += 2)
        sum += sign < 0 && index & 2 != 0 ? -term : term
      end
      sum
    end
  end
end
