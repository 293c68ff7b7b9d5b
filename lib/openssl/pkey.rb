# The classes of keys with two halves, for libraries that ask whether a value is one. There are no such keys.
module OpenSSL
  module PKey
    class PKeyError < OpenSSLError
    end

    class PKey
      class << self
        def new(...) = absent
        def generate(...) = absent

        private

        def absent = raise(NotImplementedError, "#{self}: there are no keys of two halves")
      end
    end

    DHError = DSAError = ECError = RSAError = PKeyError

    class DH < PKey
    end

    class DSA < PKey
    end

    class EC < PKey
      NAMED_CURVE = 1
      EXPLICIT_CURVE = 0
    end

    class RSA < PKey
      PKCS1_PADDING = 1
      SSLV23_PADDING = 2
      NO_PADDING = 3
      PKCS1_OAEP_PADDING = 4
    end

    class << self
      def read(...) = PKey.new
      def generate_key(...) = PKey.new
      def generate_parameters(...) = PKey.new
    end
  end
end
