# frozen_string_literal: true

# HTTP: requests to servers and their answers. TLS is that of the extension openssl: without it connections that ask for TLS
# cannot be opened.
#   Net::HTTP.get(URI("http://localhost:8080/"))
require "net/protocol"
require "uri"
autoload :OpenSSL, "openssl"
require "net/http/exceptions"
require "net/http/header"
require "net/http/generic_request"
require "net/http/request"
require "net/http/response"
require "net/http/responses"

module Net
  # A connection to a server.
  class HTTP < Protocol
    VERSION = "0.9.1".freeze
    HTTPVersion = "1.1".freeze
    HAVE_ZLIB = true

    # Requests that may be sent again if nothing came back.
    IDEMPOTENT_METHODS_ = %w[GET HEAD PUT DELETE OPTIONS TRACE].freeze
    SSL_ATTRIBUTES = %i[
      ca_file ca_path cert cert_store ciphers extra_chain_cert key ssl_timeout ssl_version min_version max_version verify_callback
      verify_depth verify_mode verify_hostname
    ].freeze

    @default_configuration = nil

    class << self
      # Values of attributes that new connections have.
      attr_accessor :default_configuration

      def version_1_2 = true

      def version_1_2? = true

      def version_1_1? = false
      alias is_version_1_1? version_1_1?
      alias is_version_1_2? version_1_2?

      def socket_type = BufferedIO

      def default_port = http_default_port

      def http_default_port = 80

      def https_default_port = 443

      # The body of what an address answers.
      def get(uri, path_or_headers = nil, port = nil) = get_response(uri, path_or_headers, port).body

      def get_print(uri, path_or_headers = nil, port = nil)
        get_response(uri, path_or_headers, port) { |response| response.read_body { |part| $stdout.print(part) } }
        nil
      end

      # A URI with headers, or a host, a path and a port.
      def get_response(uri, path_or_headers = nil, port = nil, &block)
        if path_or_headers && !(Hash === path_or_headers)
          new(uri, port || default_port).start { |http| http.request_get(path_or_headers, &block) }
        else
          over(uri) { |http| http.request_get(uri, path_or_headers, &block) }
        end
      end

      def post(uri, data, headers = nil) = over(uri) { |http| http.post(uri, data, headers) }

      def put(uri, data, headers = nil) = over(uri) { |http| http.put(uri, data, headers) }

      def post_form(uri, params)
        request = Post.new(uri)
        request.form_data = params
        request.basic_auth(uri.user, uri.password) if uri.user
        over(uri) { |http| http.request(request) }
      end

      # Opens a connection with these attributes; with a block it is closed afterwards.
      def start(address, port = nil, proxy = :ENV, *rest, **attributes, &block)
        port, attributes = nil, port if Hash === port
        if attributes[:use_ssl]
          port ||= https_default_port
          attributes = { verify_mode: OpenSSL::SSL::VERIFY_PEER, **attributes }
        end
        http = new(address, port, proxy, *rest)
        attributes.each { |name, value| http.__send__(:"#{name}=", value) if http.respond_to?(:"#{name}=") }
        http.start(&block)
      end

      private

      def over(uri, &block) = start(uri.hostname, uri.port, use_ssl: uri.scheme == "https", &block)
    end

    attr_reader :address, :port, :open_timeout, :read_timeout, :write_timeout, :continue_timeout, :max_retries,
                :response_body_encoding, :ipaddr
    attr_accessor :local_host, :local_port, :keep_alive_timeout, :close_on_empty_response, :ignore_eof, *SSL_ATTRIBUTES
    attr_writer :open_timeout

    def initialize(address, port = nil)
      @address = address
      @port = port || HTTP.default_port
      @open_timeout = @read_timeout = @write_timeout = 60
      @keep_alive_timeout = 2
      @max_retries = 1
      @ignore_eof = true
      @response_body_encoding = false
      @curr_http_version = HTTPVersion
      @proxy_uri = nil
      @started = @use_ssl = @proxy_from_env = @close_on_empty_response = false
      self.class.default_configuration&.each { |name, value| public_send(:"#{name}=", value) }
    end

    def inspect = "#<#{self.class} #{@address}:#{@port} open=#{started?}>"

    # Where to write what goes over the connection. Not for use where others might see it.
    def set_debug_output(output)
      warn "Net::HTTP#set_debug_output called after HTTP started", uplevel: 1 if started?
      @debug_output = output
    end

    # The address that is asked instead of the name's.
    def ipaddr=(address)
      raise IOError, "ipaddr value changed, but session already started" if started?
      @ipaddr = address
    end

    def max_retries=(count)
      count = count.to_int
      raise ArgumentError, "max_retries should be non-negative integer number" if count < 0
      @max_retries = count
    end

    %i[read_timeout write_timeout continue_timeout].each do |name|
      define_method(:"#{name}=") do |seconds|
        @socket.public_send(:"#{name}=", seconds) if @socket
        instance_variable_set(:"@#{name}", seconds)
      end
    end

    # An encoding, its name, or true for what an answer says.
    def response_body_encoding=(encoding)
      @response_body_encoding = String === encoding ? Encoding.find(encoding) : encoding
    end

    def started? = @started
    alias active? started?

    def use_ssl? = @use_ssl

    def use_ssl=(on)
      on = on ? true : false
      raise IOError, "use_ssl value changed, but session already started" if started? && @use_ssl != on
      @use_ssl = on
    end

    # The certificate of the server, if the connection is over TLS.
    def peer_cert = use_ssl? && @socket ? @socket.io.peer_cert : nil

    def start
      raise IOError, "HTTP session already opened" if @started
      return do_start unless block_given?
      begin
        do_start
        yield self
      ensure
        do_finish if started?
      end
    end

    def finish
      raise IOError, "HTTP session not yet started" unless started?
      do_finish
    end

    # Sends a request and reads the answer; a block may read the body itself.
    def request(request, body = nil, &block)
      unless started?
        return start do
          request["connection"] ||= "close"
          request(request, body, &block)
        end
      end
      request.proxy_basic_auth(proxy_user, proxy_pass) if proxy_user && !use_ssl?
      request.set_body_internal(body)
      transport_request(request, &block)
    end

    private

    def do_start
      connect
      @started = true
      self
    end

    def do_finish
      @started = false
      @socket&.close
      @socket = nil
    end

    def connect
      # OpenSSL is loaded before the connection is open, as a server does not wait for ever.
      context = OpenSSL::SSL::SSLContext.new if use_ssl?
      host, number = proxy? ? [proxy_address, proxy_port] : [connect_address, port]
      debug "opening connection to #{host}:#{number}..."
      io = open_socket(host, number)
      io.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
      debug "opened"
      io = secure(io, context, "#{host}:#{number}") if context
      @socket = buffered(io)
      @last_communicated = nil
      on_connect
      io = nil
    ensure
      io&.close
    end

    def connect_address = @ipaddr || address

    def buffered(io)
      BufferedIO.new(io, read_timeout: @read_timeout, write_timeout: @write_timeout, continue_timeout: @continue_timeout,
                         debug_output: @debug_output)
    end

    # For classes that inherit.
    def on_connect
    end

    def open_socket(host, number)
      TCPSocket.open(host, number, @local_host, @local_port, open_timeout: @open_timeout)
    rescue IO::TimeoutError, Errno::ETIMEDOUT
      raise OpenTimeout, "Failed to open TCP connection to #{host}:#{number} (execution expired)"
    rescue StandardError => error
      raise error, "Failed to open TCP connection to #{host}:#{number} (#{error.message})"
    end

    # Sends the request, over a new connection if the old one is of no use.
    def transport_request(request, &block)
      tries = 0
      begin
        response = exchange(request, &block)
      rescue OpenTimeout
        raise
      rescue ReadTimeout, IOError, EOFError, Errno::ECONNRESET, Errno::ECONNABORTED, Errno::EPIPE, Errno::ETIMEDOUT, Timeout::Error => error
        raise if tries >= max_retries || !IDEMPOTENT_METHODS_.include?(request.method) || @yielded
        tries += 1
        @socket&.close
        debug "Conn close because of error #{error}, and retry"
        retry
      end
      end_transport(request, response)
      response
    rescue StandardError => error
      debug "Conn close because of error #{error}"
      @socket&.close
      raise
    end

    def exchange(request)
      @yielded = false
      begin_transport(request)
      response = catch(:response) { send_and_read(request) }
      response.reading_body(@socket, request.response_body_permitted?) do
        next unless block_given?
        @yielded = true
        yield response
      end
      response
    end

    # Answers that only say that another one follows are skipped.
    def send_and_read(request)
      begin
        request.exec(@socket, @curr_http_version, edit_path(request.path))
      rescue Errno::EPIPE
        # The server may have answered before it closed its side.
        nil
      end
      response = HTTPResponse.read_new(@socket)
      response = HTTPResponse.read_new(@socket) while HTTPInformation === response
      response.decode_content = request.decode_content
      response.body_encoding = @response_body_encoding
      response.ignore_eof = @ignore_eof
      response.uri = request.uri
      response
    end

    def begin_transport(request)
      if @socket.closed?
        connect
      elsif @last_communicated && !alive?
        debug "Conn close because of keep_alive_timeout"
        @socket.close
        connect
      end
      request["connection"] ||= "close" if !request.response_body_permitted? && @close_on_empty_response
      request.update_uri(address, port, use_ssl?)
      request["host"] ||= addr_port
    end

    # Whether a connection that was kept is young enough, and open at the other side.
    def alive?
      return false if @last_communicated + @keep_alive_timeout < now
      !(@socket.io.to_io.wait_readable(0) && @socket.eof?)
    end

    def end_transport(request, response)
      @curr_http_version = response.http_version
      @last_communicated = nil
      if @socket.closed? then debug "Conn socket closed"
      elsif !response.body && @close_on_empty_response
        debug "Conn close"
        @socket.close
      elsif keep_alive?(request, response)
        debug "Conn keep-alive"
        @last_communicated = now
      else
        debug "Conn close"
        @socket.close
      end
    end

    def keep_alive?(request, response)
      return false if request.connection_close?
      @curr_http_version.to_s <= "1.0" ? response.connection_keep_alive? : !response.connection_close?
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    # A proxy is told the whole address.
    def edit_path(path) = proxy? && !use_ssl? ? "http://#{addr_port}#{path}" : path

    def addr_port = port == (use_ssl? ? HTTP.https_default_port : HTTP.http_default_port) ? uri_host : "#{uri_host}:#{port}"

    def debug(text)
      @debug_output << "#{text}\n" if @debug_output
    end
    alias D debug
  end

  # Its name for libraries that replace the class.
  HTTPSession = HTTP
  deprecate_constant :HTTPSession
end

require "net/http/proxies"
require "net/http/tls"
require "net/http/requests"
require "net/http/methods"
