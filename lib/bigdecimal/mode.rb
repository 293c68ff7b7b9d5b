# Decimal numbers of any size: an Integer and a power of ten.
class BigDecimal < Numeric
  VERSION = "4.0.1"
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
  private_constant :DOUBLE_FIGURES, :ROUND_NAMES, :HALF_NAMES

  class << self
    # What is rounded how, and what raises: see the constants.
    def mode(which, value = (is_asked = true))
      raise TypeError, "no implicit conversion of #{which.class} into Integer" unless which.is_a?(Integer)
      return rounding_mode(value, is_asked) if which == ROUND_MODE
      raise TypeError, "first argument for BigDecimal.mode invalid" if which & EXCEPTION_ALL == 0
      return __exceptions if is_asked || value.nil?
      raise ArgumentError, "second argument must be true or false" unless true == value || false == value
      kinds = which & (EXCEPTION_INFINITY | EXCEPTION_NaN | EXCEPTION_UNDERFLOW | EXCEPTION_ZERODIVIDE)
      Thread.current[:__bigdecimal_exceptions] = value ? __exceptions | kinds : __exceptions & ~kinds
    end

    # As many digits results are rounded to; 0 for no limit.
    def limit(digits = nil)
      before = Thread.current[:__bigdecimal_limit] || 0
      unless digits.nil?
        raise ArgumentError, "argument must be positive" if digits < 0
        Thread.current[:__bigdecimal_limit] = digits
      end
      before
    end

    def double_fig = DOUBLE_FIGURES

    def save_rounding_mode = saved(:__bigdecimal_rounding) { yield }

    def save_exception_mode = saved(:__bigdecimal_exceptions) { yield }

    def save_limit = saved(:__bigdecimal_limit) { yield }

    # The state of the modes, for the other files.
    def __rounding = Thread.current[:__bigdecimal_rounding] || ROUND_HALF_UP

    def __exceptions = Thread.current[:__bigdecimal_exceptions] || 0

    # The number of a rounding mode that is given by number, name or +half:+.
    def __rounding_mode(mode)
      case mode
      when nil then __rounding
      when Integer
        mode.between?(ROUND_UP, ROUND_HALF_EVEN) ? mode : raise(ArgumentError, "invalid rounding mode")
      when Symbol, String
        ROUND_NAMES[mode.downcase.to_sym] || raise(ArgumentError, "invalid rounding mode")
      when Hash
        half = mode[:half]
        return __rounding if half.nil?
        raise ArgumentError, "invalid rounding mode (#{half.inspect})" unless half.is_a?(Symbol) || half.is_a?(String)
        HALF_NAMES[half.to_s.downcase] || raise(ArgumentError, "invalid rounding mode: #{half}")
      else
        raise ArgumentError, "invalid rounding mode" unless mode.respond_to?(:to_str)
        __rounding_mode(mode.to_str)
      end
    end

    private

    def rounding_mode(value, is_asked)
      return __rounding if is_asked || value.nil?
      Thread.current[:__bigdecimal_rounding] = __rounding_mode(value)
    end

    def saved(name)
      before = Thread.current[name]
      yield
    ensure
      Thread.current[name] = before
    end
  end
end
