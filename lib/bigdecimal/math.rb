require "bigdecimal"

# Functions of BigDecimals, to so many digits.
module BigMath
  module_function

  def sqrt(x, digits) = BigMath.__number(x, digits).sqrt(digits)

  def sin(x, digits)
    x, wide = BigMath.__reduced(x, digits)
    return x if x.nan?
    BigMath.__alternating(x, x, 1, wide).mult(1, digits)
  end

  def cos(x, digits)
    x, wide = BigMath.__reduced(x, digits)
    return x if x.nan?
    BigMath.__alternating(x, BigDecimal(1), 0, wide).mult(1, digits)
  end

  def tan(x, digits) = sin(x, digits + 8).div(cos(x, digits + 8), digits)

  def atan(x, digits)
    BigMath.__check(digits, :atan)
    x = BigMath.__number(x, digits)
    return BigDecimal::NAN if x.nan?
    wide = digits + 16
    return (PI(wide) / 2 * (x.negative? ? -1 : 1)).mult(1, digits) if x.infinite?
    return -atan(-x, digits) if x.negative?
    return (PI(wide) / 2 - atan(BigDecimal(1).div(x, wide), wide)).mult(1, digits) if x > 1
    # Two halvings of the angle make the series short.
    doublings = 0
    while x > BigDecimal("0.2")
      x = x.div(1 + (1 + x.mult(x, wide)).sqrt(wide), wide)
      doublings += 1
    end
    square = x.mult(x, wide)
    sum = power = x
    3.step(by: 2) do |number|
      power = -power.mult(square, wide)
      term = power.div(number, wide)
      break if term.zero? || term.exponent < sum.exponent - wide
      sum = sum.add(term, wide)
    end
    (sum * 2**doublings).mult(1, digits)
  end

  # The circle's circumference, by Machin's formula.
  def PI(digits)
    BigMath.__check(digits, :PI)
    wide = digits + 8
    one = 10**wide
    arctan = lambda do |inverse|
      sum = term = one / inverse
      number = 1
      until term.zero?
        term = (term.abs / (inverse * inverse)) * -(term <=> 0)
        number += 2
        sum += term / number
      end
      sum
    end
    BigDecimal.__of(4 * (4 * arctan.(5) - arctan.(239)), -wide).mult(1, digits)
  end

  # The base of natural logarithms.
  def E(digits)
    BigMath.__check(digits, :E)
    exp(BigDecimal(1), digits)
  end

  def self.__check(digits, name)
    raise ArgumentError, "Zero or negative precision for #{name}" if digits <= 0
  end

  # An angle between -PI and PI, and how many digits to compute with.
  def self.__reduced(x, digits)
    BigMath.__check(digits, :sin)
    x = __number(x, digits)
    return [BigDecimal::NAN, digits] if x.nan? || x.infinite?
    wide = digits + 16 + [x.exponent, 0].max
    turn = PI(wide) * 2
    x = x.remainder(turn) if x.abs > turn
    [x.mult(1, wide), wide]
  end

  # term - term * x**2 / ((n + 1) * (n + 2)) + ...
  def self.__alternating(x, term, number, digits)
    square = x.mult(x, digits)
    sum = term
    until term.zero? || term.exponent < sum.exponent - digits
      term = -term.mult(square, digits).div((number + 1) * (number + 2), digits)
      number += 2
      sum = sum.add(term, digits)
    end
    sum
  end
end
