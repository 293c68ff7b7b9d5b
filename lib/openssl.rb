# OpenSSL, as far as it computes hashes: digests, HMAC, key derivation, random bytes and comparisons that take the same time
# whatever differs. There are no ciphers, keys, certificates or TLS: naming a cipher raises as for one that the library lacks.
require "digest"
require "securerandom"

module OpenSSL
  VERSION = "4.0.0"

  class OpenSSLError < StandardError
  end

  # A hash function by name.
  class Digest < ::Digest::Class
    class DigestError < OpenSSLError
    end

    ALGORITHMS = { "MD5" => ::Digest::MD5, "SHA1" => ::Digest::SHA1, "SHA256" => ::Digest::SHA256, "SHA384" => ::Digest::SHA384,
                   "SHA512" => ::Digest::SHA512, "RIPEMD160" => ::Digest::RMD160 }.freeze
    private_constant :ALGORITHMS

    def self.digest(name, data) = new(name).digest(data)

    def self.hexdigest(name, data) = new(name).hexdigest(data)

    def self.base64digest(name, data) = new(name).base64digest(data)

    attr_reader :name

    # name: as "SHA256" or "sha-256", or another digest.
    def initialize(name, data = nil)
      @name = name.is_a?(Digest) ? name.name : name.to_s.upcase.delete("-")
      algorithm = ALGORITHMS[@name] or raise DigestError, "Unsupported digest algorithm (#{name}).: unknown object name"
      @hash = algorithm.new
      update(data) if data
    end

    def initialize_copy(other)
      @hash = @hash.dup
    end

    def update(data)
      @hash.update(data)
      self
    end
    alias << update

    def reset
      @hash.reset
      self
    end

    def digest_length = @hash.digest_length

    def block_length = @hash.block_length

    private

    def finish = @hash.digest

    %w[MD5 SHA1 SHA256 SHA384 SHA512 RIPEMD160].each do |algorithm|
      subclass = Class.new(self) { define_method(:initialize) { |data = nil| super(algorithm, data) } }
      %i[digest hexdigest base64digest].each do |method|
        subclass.define_singleton_method(method) { |data| new.public_send(method, data) }
      end
      const_set(algorithm, subclass)
    end
  end

  # A digest that only holders of a key can make.
  class HMAC
    def self.digest(digest, key, data) = new(key, digest).update(data).digest

    def self.hexdigest(digest, key, data) = new(key, digest).update(data).hexdigest

    def self.base64digest(digest, key, data) = new(key, digest).update(data).base64digest

    def initialize(key, digest)
      @digest = Digest.new(digest)
      size = @digest.block_length
      key = @digest.dup.reset.digest(key) if key.bytesize > size
      @key = key.b.ljust(size, "\0").bytes
      reset
    end

    def initialize_copy(other)
      @inner = @inner.dup
    end

    def update(data)
      @inner.update(data)
      self
    end
    alias << update

    def reset
      @inner = @digest.dup.reset.update(padded(0x36))
      self
    end

    def digest = @digest.dup.reset.update(padded(0x5c)).update(@inner.digest).digest

    def hexdigest = digest.unpack1("H*")
    alias to_s hexdigest
    alias inspect hexdigest

    def base64digest = [digest].pack("m0")

    def ==(other) = other.is_a?(HMAC) && OpenSSL.fixed_length_secure_compare(digest, other.digest)

    private

    def padded(byte) = @key.map { |own| own ^ byte }.pack("C*")
  end

  # Keys from passwords.
  module KDF
    class KDFError < OpenSSLError
    end

    module_function

    def pbkdf2_hmac(password, salt:, iterations:, length:, hash:)
      size = Digest.new(hash).digest_length
      blocks = (1..(length.to_f / size).ceil).map { |number| pbkdf2_block(password, salt, iterations, hash, number) }
      blocks.join.byteslice(0, length)
    end

    def pbkdf2_block(password, salt, iterations, hash, number)
      block = HMAC.digest(hash, password, salt.b + [number].pack("N"))
      sum = block.unpack("C*")
      (iterations - 1).times do
        block = HMAC.digest(hash, password, block)
        sum = sum.zip(block.unpack("C*")).map { |left, right| left ^ right }
      end
      sum.pack("C*")
    end
    private_class_method :pbkdf2_block

    def hkdf(secret, salt:, info:, length:, hash:)
      key = HMAC.digest(hash, salt, secret)
      output = last = "".b
      (1..).each do |number|
        return output.byteslice(0, length) if output.bytesize >= length

        last = HMAC.digest(hash, key, last + info.b + number.chr)
        output += last
      end
    end
  end

  # The names of PKCS #5.
  module PKCS5
    module_function

    def pbkdf2_hmac(password, salt, iterations, length, digest)
      KDF.pbkdf2_hmac(password, salt: salt, iterations: iterations, length: length, hash: digest)
    end

    def pbkdf2_hmac_sha1(password, salt, iterations, length) = pbkdf2_hmac(password, salt, iterations, length, "SHA1")
  end

  # Bytes that nobody can guess.
  module Random
    def self.random_bytes(count) = SecureRandom.bytes(count)

    def self.bytes(count) = SecureRandom.bytes(count)
  end

  # There are none.
  class Cipher
    class CipherError < OpenSSLError
    end

    def self.ciphers = []

    def initialize(name)
      raise CipherError, "unsupported cipher algorithm (#{name})"
    end
  end

  module_function

  def Digest(name) = Digest.const_get(name)

  # Whether two texts of one length are equal.
  def fixed_length_secure_compare(left, right)
    raise ArgumentError, "inputs must be of equal length" unless left.bytesize == right.bytesize

    left.bytes.zip(right.bytes).inject(0) { |sum, (own, other)| sum | (own ^ other) }.zero?
  end

  def secure_compare(left, right)
    hashes = [left, right].map { |text| ::Digest::SHA256.digest(text) }
    fixed_length_secure_compare(*hashes) && left == right
  end
end
