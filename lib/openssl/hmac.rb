# carat: core

module OpenSSL
  # A digest that only holders of a key can make.
  class HMAC
    def self.digest(digest, key, data) = new(key, digest).update(data).digest

    def self.hexdigest(digest, key, data) = new(key, digest).update(data).hexdigest

    def self.base64digest(digest, key, data) = new(key, digest).update(data).base64digest

    def initialize(key, digest)
      @digest = Digest.new(digest)
      size = @digest.block_length
      key = Primitive.to_str(key)
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

    def ==(other) = other.is_a?(HMAC) && digest.bytesize == other.digest.bytesize && OpenSSL.fixed_length_secure_compare(digest, other.digest)

    private

    def padded(byte) = @key.map { |own| own ^ byte }.pack("C*")
  end
end
