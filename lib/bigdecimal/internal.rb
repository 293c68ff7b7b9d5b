# What functions of BigDecimals have in common: their arguments, and results that are no numbers.
module BigDecimal::Internal
  # As many digits more than are asked for a function computes with.
  GUARD = 16

  class << self
    # The number of a Numeric; a Rational gets +digits+, and at least twice as many as a Float has.
    def number(value, digits)
      BigDecimal.__try(value, [digits, 32].max) or
        raise ArgumentError, "#{value.inspect} can't be coerced into BigDecimal"
    end

    # A number of digits, as method +name+ takes it.
    def digits(value, name, zero: false)
      digits = value.is_a?(Integer) ? value : integer(value)
      return digits if digits > 0 || digits == 0 && zero
      raise ArgumentError, "#{zero ? "Negative" : "Zero or negative"} precision for #{name}"
    end

    def infinity(sign = 1)
      raises(BigDecimal::EXCEPTION_INFINITY, "Computation results in 'Infinity'")
      sign < 0 ? -BigDecimal::INFINITY : BigDecimal::INFINITY
    end

    def nan
      raises(BigDecimal::EXCEPTION_NaN, "Computation results to 'NaN'")
      BigDecimal::NAN
    end

    # Refuses to compute with more digits than any memory holds.
    def check_room(digits)
      raise NoMemoryError, "failed to allocate memory" if digits > 2**32
    end

    # Runs the block, whose operators have no limit of digits.
    def unlimited
      return yield if BigDecimal.limit == 0
      BigDecimal.save_limit do
        BigDecimal.limit(0)
        yield
      end
    end

    private

    def integer(value)
      raise TypeError, "no implicit conversion of #{value.class} into Integer" unless value.respond_to?(:to_int)
      integer = value.to_int
      integer.is_a?(Integer) ? integer : raise(TypeError, "can't convert #{value.class} to Integer")
    end

    def raises(exception, message)
      raise FloatDomainError, message if BigDecimal.mode(BigDecimal::EXCEPTION_ALL).anybits?(exception)
    end
  end
end
