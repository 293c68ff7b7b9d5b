# What a BigDecimal is made of, and what else it can be turned into.
class BigDecimal
  include Comparable

  # The number of digits in front of the text, for which a number had room, is not needed.
  def self._load(text)
    digits, mark, number = text.partition(":")
    raise TypeError, "load failed: invalid character in the marshaled string" if digits.match?(/[^0-9]/)
    BigDecimal(mark.empty? ? "" : number)
  end

  def sign
    return SIGN_NaN if nan?
    return __integer * (infinite? ? 3 : 1) if zero? || infinite?
    __integer < 0 ? SIGN_NEGATIVE_FINITE : SIGN_POSITIVE_FINITE
  end

  # How many digits it takes to write the number without an exponent; zeros in front count behind the point.
  def precision
    return 0 unless __ordinary?
    __exponent > 0 ? exponent : [n_significant_digits, -__exponent].max
  end

  # Digits behind the point.
  def scale = [-__exponent, 0].max

  def precision_scale = [precision, scale]

  def split
    return [0, "NaN", 10, 0] if nan?
    return [__integer, zero? ? "0" : "Infinity", 10, 0] unless __ordinary?
    [__integer <=> 0, __integer.abs.to_s, 10, exponent]
  end

  def to_r
    return to_i.to_r unless __ordinary?
    __exponent < 0 ? Rational(__integer, 10**-__exponent) : Rational(__integer * 10**__exponent, 1)
  end

  def _dump(_level = nil) = "#{__stored_digits}:#{self}"

  private

  # Neither zero nor infinite nor NaN.
  def __ordinary? = finite? && !zero?
end
