# How BigDecimals are rounded, and which results raise.
class BigDecimal < Numeric
  VERSION = "4.0.1".freeze
  BASE = 1_000_000_000

  EXCEPTION_ALL = 255
  EXCEPTION_INFINITY = 1
  EXCEPTION_OVERFLOW = 1
  EXCEPTION_NaN = 2
  EXCEPTION_UNDERFLOW = 4
  EXCEPTION_ZERODIVIDE = 16

  ROUND_MODE = 256
  ROUND_UP = 1
  ROUND_DOWN = 2
  ROUND_HALF_UP = 3
  ROUND_HALF_DOWN = 4
  ROUND_CEILING = 5
  ROUND_FLOOR = 6
  ROUND_HALF_EVEN = 7

  SIGN_NaN = 0
  SIGN_POSITIVE_ZERO = 1
  SIGN_NEGATIVE_ZERO = -1
  SIGN_POSITIVE_FINITE = 2
  SIGN_NEGATIVE_FINITE = -2
  SIGN_POSITIVE_INFINITE = 3
  SIGN_NEGATIVE_INFINITE = -3

  # As many digits a Float has that can be relied on.
  DOUBLE_FIGURES = 16

  ROUND_NAMES = {
    up: ROUND_UP, down: ROUND_DOWN, truncate: ROUND_DOWN, half_up: ROUND_HALF_UP, default: ROUND_HALF_UP,
    half_down: ROUND_HALF_DOWN, half_even: ROUND_HALF_EVEN, banker: ROUND_HALF_EVEN, ceiling: ROUND_CEILING,
    ceil: ROUND_CEILING, floor: ROUND_FLOOR,
  }.freeze
  HALF_NAMES = {"up" => ROUND_HALF_UP, "down" => ROUND_HALF_DOWN, "even" => ROUND_HALF_EVEN}.freeze
  # Limits above this are no limits.
  MAX_LIMIT = (1 << 40) - 1
  private_constant :DOUBLE_FIGURES, :MAX_LIMIT, :ROUND_NAMES, :HALF_NAMES

  class << self
    # What is rounded how, and what raises: see the constants.
    def mode(which, value = (is_asked = true))
      which = __to_int(which)
      return rounding_mode(value, is_asked) if which == ROUND_MODE
      raise TypeError, "first argument for BigDecimal.mode invalid" if which & EXCEPTION_ALL == 0
      return __exceptions if is_asked || value.nil?
      raise ArgumentError, "second argument must be true or false" unless true == value || false == value
      kinds = which & (EXCEPTION_INFINITY | EXCEPTION_NaN | EXCEPTION_UNDERFLOW | EXCEPTION_ZERODIVIDE)
      __put_modes(8, 0xff, value ? __exceptions | kinds : __exceptions & ~kinds)
    end

    # As many digits results are rounded to; 0 for no limit.
    def limit(digits = nil)
      before = __modes >> 16
      unless digits.nil?
        digits = __to_int(digits)
        raise ArgumentError, "argument must be positive" if digits < 0
        __put_modes(16, MAX_LIMIT, digits.clamp(..MAX_LIMIT))
      end
      before
    end

    def double_fig = DOUBLE_FIGURES

    def save_rounding_mode = saved(0, 0xff) { yield }

    def save_exception_mode = saved(8, 0xff) { yield }

    def save_limit = saved(16, MAX_LIMIT) { yield }

    # The state of the modes, for the other files.
    def __rounding = (__modes & 0xff).nonzero? || ROUND_HALF_UP

    def __exceptions = __modes >> 8 & 0xff

    # The number of a rounding mode that is given by number, name or +half:+.
    def __rounding_mode(mode)
      return half_mode(mode[:half]) if mode.is_a?(Hash)
      number = mode.is_a?(Symbol) ? ROUND_NAMES[mode] : __to_int(mode)
      return number if number&.between?(ROUND_UP, ROUND_HALF_EVEN)
      raise ArgumentError, "invalid rounding mode (#{mode})"
    end

    private

    # What the native methods read: the rounding mode (0 for the default), what raises, and the limit.
    def __modes = Thread.current[:__bigdecimal_modes] || 0

    def __put_modes(place, mask, value)
      Thread.current[:__bigdecimal_modes] = __modes & ~(mask << place) | value << place
      value
    end

    def half_mode(half)
      return __rounding if half.nil?
      name = half.is_a?(Symbol) ? half.name : String.try_convert(half)
      HALF_NAMES[name&.downcase] || raise(ArgumentError, "invalid rounding mode (#{half})")
    end

    def rounding_mode(value, is_asked)
      return __rounding if is_asked || value.nil?
      __put_modes(0, 0xff, __rounding_mode(value))
    end

    def saved(place, mask)
      before = __modes >> place & mask
      yield
    ensure
      __put_modes(place, mask, before)
    end
  end
end
