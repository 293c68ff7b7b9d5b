module OpenSSL
  class BNError < OpenSSLError
  end

  # A large number: an Integer that knows the names of OpenSSL.
  class BN
    include Comparable

    def self.rand(bits, _fill = 0, _odd = false) = new(SecureRandom.random_number(1 << (bits - 1)) | (1 << (bits - 1)))

    def self.rand_range(range) = new(SecureRandom.random_number(range.to_i))

    # number: an Integer, another BN, or text in base 2 (its bytes), 0 (those behind their count), 10 or 16.
    def initialize(number, base = 10)
      @number = number.is_a?(String) ? parse(number, base) : Integer(number)
    end

    def to_i = @number
    alias to_int to_i

    def to_bn = self

    def to_s(base = 10)
      case base
      when 2 then bytes
      when 0 then [num_bytes].pack("N") << bytes
      when 10 then @number.to_s
      when 16 then "#{"-" if negative?}#{hex.upcase}"
      else raise ArgumentError, "invalid radix #{base}"
      end
    end

    def inspect = "#<#{self.class}:#{@number}>"

    %i[+ - * ** % << >>].each { |name| define_method(name) { |other| BN.new(@number.public_send(name, other.to_i)) } }

    # Quotient and remainder.
    def /(other) = @number.abs.divmod(other.to_i.abs).map { |part| BN.new(part) }

    def -@ = BN.new(-@number)

    def +@ = BN.new(@number)

    def sqr = BN.new(@number * @number)

    def gcd(other) = BN.new(@number.gcd(other.to_i))

    def mod_add(other, modulus) = BN.new((@number + other.to_i) % modulus.to_i)

    def mod_sub(other, modulus) = BN.new((@number - other.to_i) % modulus.to_i)

    def mod_mul(other, modulus) = BN.new((@number * other.to_i) % modulus.to_i)

    def mod_exp(exponent, modulus) = BN.new(@number.pow(exponent.to_i, modulus.to_i))

    def mod_inverse(modulus)
      modulus = modulus.to_i
      before, after, left, right = 0, 1, modulus, @number % modulus
      until right.zero?
        quotient = left / right
        before, after = after, before - (quotient * after)
        left, right = right, left - (quotient * right)
      end
      raise BNError, "no inverse" unless left == 1

      BN.new(before % modulus)
    end

    def <=>(other) = @number <=> Integer(other)
    alias cmp <=>

    def ucmp(other) = @number.abs <=> other.to_i.abs

    def ==(other) = (other.is_a?(BN) || other.is_a?(Integer)) && @number == other.to_i

    def eql?(other) = other.is_a?(BN) && @number == other.to_i

    def hash = @number.hash

    def coerce(other) = [other, @number]

    def num_bits = @number.abs.bit_length

    def num_bytes = (num_bits + 7) / 8

    def bit_set?(index) = @number[index] == 1

    def odd? = @number.odd?

    def zero? = @number.zero?

    def one? = @number == 1

    def negative? = @number.negative?

    # Whether it is prime, but for one chance in 2**128.
    def prime?(_checks = 0)
      return [2, 3].include?(@number) if @number < 4
      return false if @number.even?

      twos = (@number - 1).to_s(2)[/0*\z/].size
      64.times.all? { passes?(SecureRandom.random_number(2..@number - 2), twos) }
    end

    private

    # The test of Miller and Rabin.
    def passes?(base, twos)
      power = base.pow((@number - 1) >> twos, @number)
      return true if power == 1

      twos.times.any? do
        is_found = power == @number - 1
        power = power.pow(2, @number)
        is_found
      end
    end

    def parse(text, base)
      case base
      when 2 then text.unpack1("H*").to_i(16)
      when 0 then text.byteslice(4..).unpack1("H*").to_i(16)
      when 10, 16 then text.to_i(base)
      else raise ArgumentError, "invalid radix #{base}"
      end
    end

    # Whole bytes.
    def hex = @number.abs.to_s(16).then { |digits| digits.size.odd? ? "0#{digits}" : digits }

    def bytes = zero? ? "".b : [hex].pack("H*")
  end
end

class Integer
  def to_bn = OpenSSL::BN.new(self)
end
