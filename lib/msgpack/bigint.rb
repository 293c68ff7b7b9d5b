# The payload of integers that no type of MessagePack holds: their sign as a byte, and words of 32 bits, the least first.
module MessagePack
  module Bigint
    WORD_BITS = 32

    module_function

    def to_msgpack_ext(integer)
      words = integer.abs.digits(1 << WORD_BITS)
      words.pop if integer.zero?
      [integer.negative? ? 1 : 0, *words].pack("CL>*")
    end

    def from_msgpack_ext(payload)
      sign, *words = payload.unpack("CL>*")
      absolute = words.reverse.inject(0) { |sum, word| sum << WORD_BITS | word }
      sign == 0 ? absolute : -absolute
    end
  end
end
