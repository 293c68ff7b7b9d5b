# BigDecimals as texts.
class BigDecimal
  # "0.15e1". The format is a String: "+" or " " goes before positive numbers, a number makes groups of so many digits, "F"
  # writes without an exponent; or an Integer, for groups.
  def to_s(format = nil)
    lead, group, is_fixed = layout(format)
    case @kind
    when :nan then return "NaN"
    when :infinite then return @integer < 0 ? "-Infinity" : "#{lead}Infinity"
    when :zero then return @integer < 0 ? "-0.0" : "#{lead}0.0"
    end
    lead = "-" if @integer < 0
    is_fixed ? fixed(lead, group) : scientific(lead, group)
  end

  alias inspect to_s

  private

  def layout(format)
    return [nil, format, false] if format.is_a?(Integer)
    return [nil, 0, false] if format.nil?
    format = format.to_str
    lead = format[0] if format.start_with?("+", " ")
    [lead, format[/\d+/].to_i, format.end_with?("F", "f")]
  end

  def scientific(lead, group)
    digits = @integer.abs.to_s
    "#{lead}0.#{grouped(digits, group)}e#{digits.size + @exponent}"
  end

  def fixed(lead, group)
    digits = @integer.abs.to_s
    point = digits.size + @exponent
    if point <= 0
      whole, fraction = "0", "0" * -point + digits
    elsif point >= digits.size
      whole, fraction = digits + "0" * @exponent, "0"
    else
      whole, fraction = digits[0, point], digits[point..]
    end
    "#{lead}#{grouped(whole, group)}.#{grouped(fraction, group)}"
  end

  def grouped(digits, group) = group > 0 ? digits.scan(/.{1,#{group}}/).join(" ") : digits
end
