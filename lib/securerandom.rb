require "random/formatter"

# Random numbers and texts that nobody can guess: the system makes them.
module SecureRandom
  VERSION = "0.4.1".freeze

  extend Random::Formatter

  class << self
    def bytes(count) = gen_random(count)

    def gen_random(count) = Random.urandom(count)
  end
end
