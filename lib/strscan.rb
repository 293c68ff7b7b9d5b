# Going through a string from left to right, pattern by pattern. All but this is native.
require "strscan.so"

class StringScanner
  # Reads a number in base 10 or 16 and returns it, or nil.
  def scan_integer(base: 10)
    case base
    when 10 then scan_base10_integer
    when 16 then scan_base16_integer
    else raise ArgumentError, "Unsupported integer base: #{base.inspect}, expected 10 or 16"
    end
  end
end
