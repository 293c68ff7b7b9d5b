# Bytes as text of 64 characters, and back.
module Base64
  module_function

  # In lines of 60 characters.
  def encode64(bin) = [bin].pack("m")

  # Skips whatever is not part of the alphabet.
  def decode64(str) = str.unpack1("m")

  # In one line.
  def strict_encode64(bin) = [bin].pack("m0")

  # ArgumentError for anything that #strict_encode64 would not write.
  def strict_decode64(str) = str.unpack1("m0")

  # With "-" and "_" in place of "+" and "/".
  def urlsafe_encode64(bin, padding: true)
    str = strict_encode64(bin)
    str.chomp!("==") or str.chomp!("=") unless padding
    str.tr!("+/", "-_")
    str
  end

  def urlsafe_decode64(str)
    if !str.end_with?("=") && str.length % 4 != 0
      str = str.ljust((str.length + 3) & ~3, "=")
      str.tr!("-_", "+/")
    else
      str = str.tr("-_", "+/")
    end
    strict_decode64(str)
  end
end
