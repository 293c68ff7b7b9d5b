module OpenSSL
  # A hash function by name.
  class Digest < ::Digest::Class
    class DigestError < OpenSSLError
    end

    # Algorithms that only OpenSSL has: openssl.so defines them.
    module More
    end
    private_constant :More

    ALGORITHMS = { "MD5" => ::Digest::MD5, "SHA1" => ::Digest::SHA1, "SHA256" => ::Digest::SHA256, "SHA384" => ::Digest::SHA384,
                   "SHA512" => ::Digest::SHA512, "RIPEMD160" => ::Digest::RMD160,
                   "SHA224" => :SHA224, "SHA512-224" => :SHA512_224, "SHA512-256" => :SHA512_256 }.freeze
    private_constant :ALGORITHMS

    def self.digest(name, data) = new(name).digest(data)

    def self.hexdigest(name, data) = new(name).hexdigest(data)

    def self.base64digest(name, data) = new(name).base64digest(data)

    attr_reader :name

    # name: as "SHA256" or "sha-256", or another digest.
    def initialize(name, data = nil)
      @name = name.is_a?(Digest) ? name.name : canonical(String.try_convert(name))
      raise TypeError, "wrong argument type #{name.class} (expected OpenSSL/Digest)" unless @name

      algorithm = ALGORITHMS[@name] or raise DigestError, "Unsupported digest algorithm (#{name}).: unknown object name"
      algorithm = More.const_get(algorithm) if algorithm.is_a?(Symbol)
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

    def canonical(name)
      short = name&.upcase&.sub(/\ASHA2?-/, "SHA")&.tr("/", "-")
      %w[RMD160 RIPEMD RIPEMD-160].include?(short) ? "RIPEMD160" : short
    end

    def finish = @hash.digest

    %w[MD5 SHA1 SHA224 SHA256 SHA384 SHA512 RIPEMD160].each do |algorithm|
      subclass = Class.new(self) { define_method(:initialize) { |data = nil| super(algorithm, data) } }
      %i[digest hexdigest base64digest].each do |method|
        subclass.define_singleton_method(method) { |data| new.public_send(method, data) }
      end
      const_set(algorithm, subclass)
    end
  end

  def self.Digest(name) = Digest.const_get(name)
end
