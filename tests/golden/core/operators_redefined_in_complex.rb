# Complex and Math ask the operators and `to_f` of the numbers that they are made of, redefined or not.
p Complex(1, 2) + Complex(3, 4), Complex(1.5, 2) - Complex(3, 4), Complex(2, 3) * Complex(4, 5), Complex(1, 2) + 1
p Complex(2**62, 1) + Complex(2**62, -1), Complex(Float::INFINITY, 0) * Complex(1, 0), Complex(1r, 2) - Complex(1, 2r)
p Math.log(2**1024).round(6), Math.log(2**1023).round(6), Math.log2(2**1100)
class Float
  remove_method :+, :-, :*
  def +(_other) = 42.0
  def -(_other) = 43.0
  def *(_other) = 44.0
end
p Complex(1.0, 2.0) + Complex(0, 1), Complex(1.0, 2.0) - Complex(0, 1), Complex(1.0, 2.0) * Complex(1, 2)
p Complex(1.0, 2.0) + 1, Complex(1.0, 2.0) - 1, Complex(1.0, 2.0) * 2
class Rational
  remove_method :+
  def +(_other) = 355/113r
end
p Complex(1r, 2r) + Complex(0, 1)
class Integer
  alias plain_to_f to_f
  def to_f = (self << 1).plain_to_f
end
p Math.sqrt(8), Math.log(2**1000).round(6), Math.hypot(3, 4)
class Integer
  def to_f = "no"
end
begin
  Math.sqrt(4)
rescue TypeError => e
  p e.class
end
class Integer
  remove_method :+, :-, :*
  def +(_other) = 42
  def -(_other) = 43
  def *(_other) = 44
end
p Complex(1, 2) + Complex(0, 1), Complex(1, 2) - Complex(0, 1), Complex(2, 0) * Complex(1, 2), Complex(1, 2) + 3
