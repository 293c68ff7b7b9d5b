require "bigdecimal"

# +to_d+ of numbers and texts.
class Integer
  def to_d = BigDecimal(self)
end

class Float
  def to_d(precision = 0) = BigDecimal(self, precision)
end

class String
  # As #to_f reads it: 0 for what is no number.
  def to_d = BigDecimal.interpret_loosely(self)
end

class BigDecimal
  # Without an exponent, as <code>to_s("F")</code> writes it.
  def to_digits = nan? || infinite? || zero? ? to_s : to_s("F")

  def to_d = self
end

class Rational
  def to_d(precision = 0) = BigDecimal(self, precision)
end

class Complex
  def to_d(precision = 0) = BigDecimal(self, precision)
end

class NilClass
  def to_d = BigDecimal(0)
end
