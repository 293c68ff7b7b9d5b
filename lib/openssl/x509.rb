# The names of certificates, for libraries that mention them. There are none: making or reading one is a NotImplementedError.
require "openssl"

module OpenSSL
  module X509
    DEFAULT_CERT_AREA = "/usr/lib/ssl".freeze
    DEFAULT_CERT_DIR = "/usr/lib/ssl/certs".freeze
    DEFAULT_CERT_FILE = "/usr/lib/ssl/cert.pem".freeze
    DEFAULT_CERT_DIR_ENV = "SSL_CERT_DIR".freeze
    DEFAULT_CERT_FILE_ENV = "SSL_CERT_FILE".freeze
    DEFAULT_PRIVATE_DIR = "/usr/lib/ssl/private".freeze

    V_OK = 0
    V_ERR_UNABLE_TO_GET_ISSUER_CERT = 2
    V_ERR_UNABLE_TO_GET_CRL = 3
    V_ERR_CERT_SIGNATURE_FAILURE = 7
    V_ERR_CERT_NOT_YET_VALID = 9
    V_ERR_CERT_HAS_EXPIRED = 10
    V_ERR_CRL_NOT_YET_VALID = 11
    V_ERR_CRL_HAS_EXPIRED = 12
    V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT = 18
    V_ERR_SELF_SIGNED_CERT_IN_CHAIN = 19
    V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY = 20
    V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE = 21
    V_ERR_CERT_CHAIN_TOO_LONG = 22
    V_ERR_CERT_REVOKED = 23
    V_ERR_INVALID_CA = 24
    V_ERR_INVALID_PURPOSE = 26
    V_ERR_CERT_UNTRUSTED = 27
    V_ERR_CERT_REJECTED = 28
    V_ERR_APPLICATION_VERIFICATION = 50
    V_ERR_HOSTNAME_MISMATCH = 62

    V_FLAG_CRL_CHECK = 0x4
    V_FLAG_CRL_CHECK_ALL = 0x8
    V_FLAG_IGNORE_CRITICAL = 0x10
    V_FLAG_X509_STRICT = 0x20
    V_FLAG_ALLOW_PROXY_CERTS = 0x40
    V_FLAG_POLICY_CHECK = 0x80
    V_FLAG_TRUSTED_FIRST = 0x8000
    V_FLAG_PARTIAL_CHAIN = 0x80000

    PURPOSE_SSL_CLIENT = 1
    PURPOSE_SSL_SERVER = 2
    PURPOSE_NS_SSL_SERVER = 3
    PURPOSE_SMIME_SIGN = 4
    PURPOSE_SMIME_ENCRYPT = 5
    PURPOSE_CRL_SIGN = 6
    PURPOSE_ANY = 7

    # What is there in name only.
    class Absent
      class << self
        def new(*) = raise(NotImplementedError, "#{self}: there are no certificates")
      end
    end
    private_constant :Absent

    {
      Attribute: :AttributeError, Certificate: :CertificateError, CRL: :CRLError, Extension: :ExtensionError, Name: :NameError, Request: :RequestError,
      Revoked: :RevokedError
    }.each do |name, error|
      const_set(error, Class.new(OpenSSLError))
      const_set(name, Class.new(Absent))
    end

    class Certificate
      # The certificates of a file.
      def self.load_file(_path) = new

      def self.load(_text) = new
    end

    class Name
      def self.parse(_text, *) = new
      singleton_class.alias_method :parse_openssl, :parse
      singleton_class.alias_method :parse_rfc2253, :parse
    end

    class ExtensionFactory < Absent
    end

    class StoreError < OpenSSLError
    end

    class StoreContext < Absent
    end

    # Where certificates that are trusted are looked for.
    class Store
      attr_accessor :verify_callback, :flags, :purpose, :trust, :time
      attr_reader :error, :error_string, :chain

      def initialize
        @flags = 0
        @error = @error_string = @chain = nil
      end

      def set_default_paths = nil

      def add_path(path)
        @paths = [*@paths, path]
        self
      end

      def add_file(path)
        raise StoreError, "No such file or directory" unless File.exist?(path)
        @files = [*@files, path]
        self
      end

      def add_cert(_certificate) = self

      def add_crl(_list) = self

      def verify(*) = raise(NotImplementedError, "there are no certificates")
    end
  end
end
