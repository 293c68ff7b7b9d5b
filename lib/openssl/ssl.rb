# The names of TLS, for libraries that configure connections which a program may never open over it. A connection over TLS cannot be opened: there is none.
require "openssl"

module OpenSSL
  module SSL
    VERIFY_NONE = 0
    VERIFY_PEER = 1
    VERIFY_FAIL_IF_NO_PEER_CERT = 2
    VERIFY_CLIENT_ONCE = 4

    SSL2_VERSION = 0x0002
    SSL3_VERSION = 0x0300
    TLS1_VERSION = 0x0301
    TLS1_1_VERSION = 0x0302
    TLS1_2_VERSION = 0x0303
    TLS1_3_VERSION = 0x0304

    OP_LEGACY_SERVER_CONNECT = 1 << 2
    OP_IGNORE_UNEXPECTED_EOF = 1 << 7
    OP_DONT_INSERT_EMPTY_FRAGMENTS = 1 << 11
    OP_NO_QUERY_MTU = 1 << 12
    OP_NO_TICKET = 1 << 14
    OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION = 1 << 16
    OP_NO_COMPRESSION = 1 << 17
    OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION = 1 << 18
    OP_NO_ENCRYPT_THEN_MAC = 1 << 19
    OP_PRIORITIZE_CHACHA = 1 << 21
    OP_CIPHER_SERVER_PREFERENCE = 1 << 22
    OP_TLS_ROLLBACK_BUG = 1 << 23
    OP_NO_SSLv3 = 1 << 25
    OP_NO_TLSv1 = 1 << 26
    OP_NO_TLSv1_2 = 1 << 27
    OP_NO_TLSv1_1 = 1 << 28
    OP_NO_TLSv1_3 = 1 << 29
    OP_NO_RENEGOTIATION = 1 << 30
    OP_ALL = OP_LEGACY_SERVER_CONNECT | 1 << 4 | 1 << 6 | OP_DONT_INSERT_EMPTY_FRAGMENTS | 1 << 31
    OP_NO_SSLv2 = OP_SINGLE_DH_USE = OP_SINGLE_ECDH_USE = OP_EPHEMERAL_RSA = 0

    class SSLError < OpenSSLError
    end

    class SSLErrorWaitReadable < SSLError
      include IO::WaitReadable
    end

    class SSLErrorWaitWritable < SSLError
      include IO::WaitWritable
    end

    def self.absent = raise(NotImplementedError, "there is no TLS here")
    private_class_method :absent

    # What a connection is to be like.
    class SSLContext
      SESSION_CACHE_OFF = 0
      SESSION_CACHE_CLIENT = 1
      SESSION_CACHE_SERVER = 2
      SESSION_CACHE_BOTH = 3
      SESSION_CACHE_NO_AUTO_CLEAR = 0x80
      SESSION_CACHE_NO_INTERNAL_LOOKUP = 0x100
      SESSION_CACHE_NO_INTERNAL_STORE = 0x200
      SESSION_CACHE_NO_INTERNAL = 0x300

      DEFAULT_PARAMS = {
        min_version: TLS1_VERSION, verify_mode: VERIFY_PEER, verify_hostname: true, options: OP_ALL & ~OP_DONT_INSERT_EMPTY_FRAGMENTS | OP_NO_COMPRESSION
      }.freeze

      # What `ssl_version=` names, with the version that it stands for.
      VERSIONS = { TLSv1: TLS1_VERSION, TLSv1_1: TLS1_1_VERSION, TLSv1_2: TLS1_2_VERSION, SSLv23: 0 }.freeze
      METHODS = VERSIONS.keys.flat_map { |name| [name, :"#{name}_client", :"#{name}_server"] }.freeze
      private_constant :VERSIONS

      attr_accessor :alpn_protocols, :alpn_select_cb, :ca_file, :ca_path, :cert, :cert_store, :client_ca, :client_cert_cb, :extra_chain_cert, :key,
                    :keylog_cb, :npn_protocols, :npn_select_cb, :options, :renegotiation_cb, :security_level, :servername_cb, :session_cache_mode,
                    :session_cache_size, :session_get_cb, :session_id_context, :session_new_cb, :session_remove_cb, :timeout, :tmp_dh_callback,
                    :verify_callback, :verify_depth, :verify_hostname, :verify_mode
      attr_reader :ciphers, :ciphersuites, :max_version, :min_version
      alias ssl_timeout timeout
      alias ssl_timeout= timeout=

      def initialize(version = nil)
        @options = OP_ALL
        @security_level = 2
        @verify_mode = VERIFY_NONE
        @verify_hostname = false
        @session_cache_mode = SESSION_CACHE_SERVER
        @session_cache_size = 20_480
        self.ssl_version = version if version
      end

      # What is safe, and what a program wants otherwise.
      def set_params(params = {})
        params = DEFAULT_PARAMS.merge(params)
        params.each { |name, value| public_send(:"#{name}=", value) }
        params
      end

      def ssl_version=(name)
        version = VERSIONS[name.to_s.delete_suffix("_client").delete_suffix("_server").to_sym] or raise ArgumentError, "unknown SSL method `#{name}'"
        @min_version = @max_version = version
      end

      def min_version=(version)
        @min_version = version_number(version)
      end

      def max_version=(version)
        @max_version = version_number(version)
      end

      def ciphers=(list)
        @ciphers = list
      end

      def ciphersuites=(list)
        @ciphersuites = list
      end

      def add_certificate(certificate, key, extra = nil)
        @cert, @key, @extra_chain_cert = certificate, key, extra
        self
      end

      def setup = frozen? ? nil : (freeze && true)

      def flush_sessions(_time = nil) = self

      def session_cache_stats = {}

      private

      def version_number(version)
        case version
        when nil then 0
        when Integer then version
        else
          name = version.to_s.tr(".", "_").sub(/\A(TLS)(\d)/, '\1v\2')
          { SSL2: SSL2_VERSION, SSL3: SSL3_VERSION, SSLv3: SSL3_VERSION, TLSv1: TLS1_VERSION, TLSv1_0: TLS1_VERSION, TLSv1_1: TLS1_1_VERSION, TLSv1_2: TLS1_2_VERSION, TLSv1_3: TLS1_3_VERSION }[name.to_sym] or
            raise ArgumentError, "unrecognized version #{version.to_s.inspect}"
        end
      end
    end

    # What a socket passes on to what lies below it.
    module SocketForwarder
      %i[addr peeraddr local_address remote_address setsockopt getsockopt fcntl].each do |name|
        define_method(name) { |*args| to_io.public_send(name, *args) }
      end

      def closed? = to_io.closed?

      def do_not_reverse_lookup=(flag)
        to_io.do_not_reverse_lookup = flag
      end
    end

    # A socket that would speak TLS. It cannot.
    class SSLSocket
      include SocketForwarder

      class << self
        def open(...) = SSL.send(:absent)
      end

      attr_reader :io, :context, :hostname
      attr_accessor :sync_close, :sync
      alias to_io io

      def initialize(io, context = SSLContext.new)
        raise TypeError, "wrong argument type #{context.class} (expected OpenSSL::SSL/CTX)" unless SSLContext === context
        @io = io
        @context = context
        @sync_close = false
        @sync = true
      end

      def hostname=(name)
        @hostname = name
      end

      %i[connect connect_nonblock accept accept_nonblock].each { |name| define_method(name) { |*| SSL.send(:absent) } }

      def close
        io.close if sync_close && !io.closed?
        nil
      end
      alias sysclose close

      def state = "PINIT "
      def peer_cert = nil
      def peer_cert_chain = nil
      def cert = context.cert
      def session = nil
      def ssl_version = nil
      def cipher = nil
      def pending = 0
    end

    # A server whose connections would speak TLS.
    class SSLServer
      include SocketForwarder

      attr_accessor :start_immediately

      def initialize(server, context)
        @server = server
        @context = context
        @start_immediately = true
      end

      def to_io = @server

      def listen(backlog = Socket::SOMAXCONN) = @server.listen(backlog)

      def shutdown(how = Socket::SHUT_RDWR) = @server.shutdown(how)

      def accept = SSL.send(:absent)

      def close = @server.close
    end

    class Session
      class SessionError < OpenSSLError
      end

      def initialize(*) = SSL.send(:absent)
    end

    # Whether a certificate's name with a star in its first part stands for a host.
    def self.verify_hostname(hostname, san)
      return false unless san.ascii_only? && hostname.ascii_only?
      own, given = san.split(".", -1), hostname.split(".", -1)
      return false unless own.size == given.size && own.size > 0
      first, *rest = own
      return false unless rest.map(&:downcase) == given.drop(1).map(&:downcase)
      verify_wildcard(given.first, first)
    end

    def self.verify_wildcard(domain, san)
      parts = san.split("*", -1)
      return false if parts.length > 2
      return domain.casecmp?(san) if parts.length == 1
      # A name in another script has no stars.
      return false if domain.downcase.start_with?("xn--") && san != "*"
      parts[0].length + parts[1].length < domain.length && domain.downcase.start_with?(parts[0].downcase) && domain.downcase.end_with?(parts[1].downcase)
    end
  end
end
