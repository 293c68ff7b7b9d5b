# OpenSSL, as far as it needs no keys of two halves: digests, HMAC, key derivation, AES, random bytes, large numbers, and
# comparisons that take the same time whatever differs. Of keys of two halves, certificates and TLS there are the names.
require "digest"
require "securerandom"

module OpenSSL
  VERSION = "4.0.0".freeze

  # There is no OpenSSL: the numbers say whose interface this is.
  OPENSSL_VERSION = OPENSSL_LIBRARY_VERSION = "Carat, with the interface of OpenSSL 3.0.0"
  OPENSSL_VERSION_NUMBER = 0x30000000
  OPENSSL_FIPS = false

  class OpenSSLError < StandardError
  end
end

require "openssl/digest"
require "openssl/hmac"
require "openssl/kdf"
require "openssl/cipher"
require "openssl/bn"
require "openssl/pkey"
require "openssl.so"

module OpenSSL
  autoload :Buffering, "openssl/buffering"
  autoload :SSL, "openssl/ssl"
  autoload :X509, "openssl/x509"

  # Bytes that nobody can guess.
  module Random
    class RandomError < OpenSSLError
    end

    class << self
      def random_bytes(count) = SecureRandom.bytes(count)
      alias bytes random_bytes

      # The system's source needs no seed.
      def seed(text) = text

      def status? = true
    end
  end

  class << self
    attr_accessor :debug

    # Errors that nobody asked about: each is raised where it happens.
    def errors = []

    def fips_mode = false

    def fips_mode=(on)
      raise OpenSSLError, "there is no FIPS mode" if on
    end
  end
  self.debug = false

  module_function

  # Whether two texts of one length are equal.
  def fixed_length_secure_compare(left, right)
    left, right = [left, right].map do |text|
      String.try_convert(text) or raise TypeError, "no implicit conversion of #{text.nil? ? "nil" : text.class} into String"
    end
    raise ArgumentError, "inputs must be of equal length" unless left.bytesize == right.bytesize

    left.bytes.zip(right.bytes).inject(0) { |sum, (own, other)| sum | (own ^ other) }.zero?
  end

  def secure_compare(left, right)
    hashes = [left, right].map { |text| ::Digest::SHA256.digest(text) }
    fixed_length_secure_compare(*hashes) && left == right
  end
end
