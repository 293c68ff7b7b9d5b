require "digest"

module Digest
  # Bytes as words that can be pronounced.
  def self.bubblebabble(bytes)
    bytes = (String.try_convert(bytes) or raise TypeError, "no implicit conversion of #{bytes.class} into String").b
    vowels, consonants = "aeiouy", "bcdfghklmnprstvzx"
    result = +"x"
    seed = 1
    rounds = bytes.bytesize / 2 + 1
    rounds.times do |round|
      first = bytes.getbyte(2 * round)
      if round + 1 == rounds && first.nil?
        result << vowels[seed % 6] << consonants[16] << vowels[seed / 6]
        next
      end
      result << vowels[((first >> 6 & 3) + seed) % 6] << consonants[first >> 2 & 15] << vowels[((first & 3) + seed / 6) % 6]
      second = bytes.getbyte(2 * round + 1) or next
      result << consonants[second >> 4 & 15] << "-" << consonants[second & 15]
      seed = (seed * 5 + first * 7 + second) % 36
    end
    result << "x"
  end

  module Instance
    def bubblebabble = Digest.bubblebabble(digest)
  end

  class Class
    def self.bubblebabble(string, *parameters) = Digest.bubblebabble(digest(string, *parameters))
  end
end
