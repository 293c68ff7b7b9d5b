module OpenSSL
  # Keys from passwords.
  module KDF
    class KDFError < OpenSSLError
    end

    module_function

    def pbkdf2_hmac(password, salt:, iterations:, length:, hash:)
      iterations = Integer.try_convert(iterations) or
        raise TypeError, "no implicit conversion of #{iterations.nil? ? "nil" : iterations.class} into Integer"
      raise KDFError, "PKCS5_PBKDF2_HMAC: invalid iteration count" if iterations < 1

      pbkdf2(password, salt, iterations, length, Digest.new(hash).name)
    end

    # Its costs are N, r and p; no variable can have the name of the first.
    def scrypt(password, salt:, r:, p:, length:, **others)
      raise ArgumentError, "missing keyword: :N" unless others.key?(:N)
      raise ArgumentError, "unknown keyword: #{others.except(:N).keys.first.inspect}" if others.size > 1

      scrypt_key(password, salt, [others[:N], r, p], length) or raise KDFError, "EVP_PBE_scrypt"
    end

    def hkdf(secret, salt:, info:, length:, hash:)
      raise KDFError, "EVP_PKEY_derive" if length > Digest.new(hash).digest_length * 255

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
end
