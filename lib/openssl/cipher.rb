# carat: core

module OpenSSL
  # AES: texts that only holders of a key can read. A cipher is made when the first text comes, of what was set until then.
  class Cipher
    class CipherError < OpenSSLError
    end

    # What was decrypted is not what was encrypted.
    class AuthTagError < CipherError
    end

    KEY_BYTES = { "128" => 16, "192" => 24, "256" => 32 }.freeze
    MODES = %w[cbc ctr ecb gcm].freeze
    BLOCK_BYTES = 16
    # What a nonce of GCM has unless told otherwise.
    NONCE_BYTES = 12
    MAX_NONCE_BYTES = 1 << 16
    TAG_BYTES = 16
    # Each with its size and mode.
    NAMES = KEY_BYTES.keys.flat_map do |size|
      MODES.map { |mode| ["aes-#{size}-#{mode}", [size, mode]] } << ["aes#{size}", [size, "cbc"]] << ["id-aes#{size}-gcm", [size, "gcm"]]
    end.to_h.freeze
    private_constant :NAMES, :KEY_BYTES, :MODES, :BLOCK_BYTES, :NONCE_BYTES, :MAX_NONCE_BYTES, :TAG_BYTES

    def self.ciphers = NAMES.keys.flat_map { |name| [name, name.upcase] }.sort

    attr_reader :name, :key_len, :iv_len

    def initialize(name)
      name = Primitive.to_str(name)
      size, @mode = NAMES[name.downcase]
      raise RuntimeError, "unsupported cipher algorithm (#{name})" unless size

      @name = "AES-#{size}-#{@mode.upcase}"
      @key_len = KEY_BYTES[size]
      @iv_len = { "ecb" => 0, "gcm" => NONCE_BYTES }.fetch(@mode, BLOCK_BYTES)
      @is_encrypting = false
      @is_padded = true
    end

    def initialize_copy(_other)
      @engine = @engine.dup
    end

    def encrypt = start(true)

    def decrypt = start(false)

    # Begins anew with the same key.
    def reset
      @engine = nil
      @data = nil
      self
    end

    def key=(key)
      raise ArgumentError, "key must be #{@key_len} bytes" if Primitive.to_str(key).bytesize != @key_len

      @key = Primitive.to_str(key).b
      reset
    end

    def iv=(vector)
      raise ArgumentError, "iv must be #{@iv_len} bytes" if Primitive.to_str(vector).bytesize != @iv_len

      @iv = Primitive.to_str(vector).b
      reset
    end

    def key_len=(length)
      raise CipherError, "invalid key length" if length != @key_len
    end

    def iv_len=(length)
      raise CipherError, "cipher does not support AEAD" unless authenticated?
      raise CipherError, "unable to set IV length: invalid iv length" unless (1..MAX_NONCE_BYTES).cover?(length)

      @iv_len = length
    end

    def random_key = self.key = Random.random_bytes(@key_len)

    def random_iv = self.iv = Random.random_bytes(@iv_len)

    # Key and initialization vector of a password: too weak for what is new.
    def pkcs5_keyivgen(password, salt = nil, iterations = 2048, digest = "MD5")
      raise CipherError, "salt must be an 8-octet string" if salt && salt.bytesize != 8
      raise ArgumentError, "iterations must be a positive integer" if iterations < 1

      text = password.b << salt.to_s.b
      bytes = last = "".b
      until bytes.bytesize >= @key_len + @iv_len
        last = iterations.times.inject(last + text) { |sum, _| Digest.digest(digest, sum) }
        bytes += last
      end
      self.key = bytes.byteslice(0, @key_len)
      self.iv = bytes.byteslice(@key_len, @iv_len)
      nil
    end

    def block_size = %w[cbc ecb].include?(@mode) ? BLOCK_BYTES : 1

    def padding=(number)
      @is_padded = number != 0
    end

    def authenticated? = @mode == "gcm"

    # What is signed besides the text.
    def auth_data=(data)
      raise CipherError, "AEAD not supported by this cipher" unless authenticated?

      engine.add_data(Primitive.to_str(data))
    end

    def auth_tag(length = TAG_BYTES)
      authenticated!
      raise CipherError, "retrieving the authentication tag failed: invalid tag" unless @tag && (1..TAG_BYTES).cover?(length)

      @tag.byteslice(0, length)
    end

    def auth_tag=(tag)
      authenticated!
      raise CipherError, "unable to set AEAD tag: failed to get parameter" unless (1..TAG_BYTES).cover?(tag.bytesize)

      @expected_tag = tag.b
    end

    # Only ciphers that need to know it in advance have one to set.
    def auth_tag_len=(_length)
      authenticated!
      raise CipherError, "unable to set authentication tag length: failed to get parameter"
    end

    # What comes out of +data+.
    def update(data, buffer = nil)
      raise ArgumentError, "data must not be empty" if Primitive.to_str(data).empty?

      result = engine.update(Primitive.to_str(data), @is_padded)
      buffer ? buffer.replace(result) : result
    end

    # What is left.
    def final
      result = engine.finish(@is_padded)
      check_tag if authenticated?
      result
    end

    private

    def start(is_encrypting)
      @is_encrypting = is_encrypting
      @tag = @expected_tag = nil
      reset
    end

    def engine
      @engine ||= begin
        raise CipherError, "key not set" unless @key

        Engine.new(@mode, @key, @iv || "\0" * @iv_len, @is_encrypting)
      end
    end

    def check_tag
      tag = engine.tag
      return @tag = tag if @is_encrypting
      return if @expected_tag && OpenSSL.fixed_length_secure_compare(tag.byteslice(0, @expected_tag.bytesize), @expected_tag)

      raise AuthTagError, "AEAD authentication tag verification failed"
    end

    def authenticated! = authenticated? || raise(CipherError, "authentication tag not supported by this cipher")

    # Takes size and mode apart or together: AES.new(256, :CBC), AES.new("256-CBC").
    class AES < Cipher
      def initialize(*parts) = super(["aes", *parts].join("-"))
    end

    %w[128 192 256].each do |size|
      const_set("AES#{size}", Class.new(Cipher) { define_method(:initialize) { |mode = "CBC"| super("aes-#{size}-#{mode}") } })
    end
  end
end
