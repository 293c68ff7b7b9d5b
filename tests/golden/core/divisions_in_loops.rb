# `div`, `modulo` and `divmod` of small integers are compiled; with other numbers, and where they fail, they do what they did.

def message
  yield
rescue ZeroDivisionError, TypeError, FloatDomainError => error
  "#{error.class}: #{error.message} in #{error.backtrace_locations.first.label}"
end

VALUES = [0, 1, -1, 7, -7, 2**31, -2**31, 2**61, 2**62 - 1, -2**62, 2**62, -2**64, 7.5, -0.0, 3r].freeze

def all(values, divisors)
  found = []
  values.each do |value|
    divisors.each do |divisor|
      quotient, remainder = value.divmod(divisor)
      found << [quotient, remainder, value.div(divisor), value.modulo(divisor)]
    end
  end
  found
end

3.times { all(VALUES, [7, -3, 2**40, -1]) }
all([1, 2, 3] * 500, [7, -3, 16] * 30)
p all(VALUES, [7, -3, 2**40, -1, 16])
p all([1, -1, 2**62 - 1, -2**62], [2**62, -2**70, 1.5, -0.25, 2r])

def digits(number)
  sum = 0
  while number > 0
    number, digit = number.divmod(10)
    sum += digit
  end
  sum
end

total = 0
30_000.times { |number| total += digits(number) }
p total, digits(10**30 + 7)

def fails(value, divisor) = message { value.divmod(divisor).sum + value.div(divisor) + value.modulo(divisor) }
30_000.times { |number| fails(number, 3) }
p fails(5, 0), fails(5, 2), fails(2**62 - 1, -1), fails(-2**62, -1), fails(5, 0.0), fails(5, nil), fails(5, "1")

kept = []
30_000.times do |number|
  pair = number.divmod(9)
  kept << pair if number % 10_000 == 0
  pair[0] += 1
end
p kept

changed = 0
20_000.times do |turn|
  if turn == 15_000
    class Integer
      alias_method :old_divmod, :divmod
      def divmod(other) = old_divmod(other).reverse
    end
  end
  quotient, = (turn % 5).divmod(3)
  changed += quotient
end
p changed
