# carat: core

# HTTP: requests to servers and their answers. There is no TLS, so no https.
#   Net::HTTP.get(URI("http://localhost:8080/"))
require "net/protocol"
require "uri"
require "stringio"

module Net
  class HTTPBadResponse < StandardError
  end

  class HTTPHeaderSyntaxError < StandardError
  end

  # An answer that is an error, as a protocol error.
  module HTTPExceptions
    attr_reader :response
    alias data response

    def initialize(message, response)
      super(message)
      @response = response
    end
  end

  class HTTPError < ProtocolError
    include HTTPExceptions
  end

  class HTTPRetriableError < ProtoRetriableError
    include HTTPExceptions
  end

  class HTTPClientException < ProtoServerError
    include HTTPExceptions
  end

  HTTPServerException = HTTPClientException
  deprecate_constant :HTTPServerException

  class HTTPFatalError < ProtoFatalError
    include HTTPExceptions
  end
end

require "net/http/header"
require "net/http/request"
require "net/http/response"

module Net
  # A connection to a server.
  class HTTP
    VERSION = "0.9.1"
    HTTPVersion = "1.1"

    class << self
      def default_port = 80
      alias http_default_port default_port

      def https_default_port = 443

      # The body of what an address answers.
      def get(uri, path_or_headers = nil, port = nil) = get_response(uri, path_or_headers, port).body

      def get_print(uri, path_or_headers = nil, port = nil)
        get_response(uri, path_or_headers, port) { |response| response.read_body { |part| $stdout.print(part) } }
        nil
      end

      # A URI with headers, or a host, a path and a port.
      def get_response(uri, path_or_headers = nil, port = nil, &block)
        return new(uri, port || default_port).start { |http| http.request_get(path_or_headers, &block) } if uri.is_a?(String)

        over(uri) { |http| http.request_get(uri, path_or_headers, &block) }
      end

      def post(uri, data, header = nil) = over(uri) { |http| http.post(uri, data, header) }

      def put(uri, data, header = nil) = over(uri) { |http| http.put(uri, data, header) }

      def post_form(uri, params)
        request = Post.new(uri)
        request.form_data = params
        request.basic_auth(uri.user, uri.password) if uri.user
        over(uri) { |http| http.request(request) }
      end

      # Opens a connection; with a block it is closed afterwards.
      def start(address, port = nil, *proxy, use_ssl: nil, **options, &block)
        http = new(address, port, *proxy)
        http.use_ssl = use_ssl unless use_ssl.nil?
        options.each { |name, value| http.public_send(:"#{name}=", value) }
        http.start(&block)
      end

      def newobj(...) = new(...)

      private

      def over(uri, &block) = start(uri.hostname, uri.port, use_ssl: uri.scheme == "https", &block)
    end

    attr_reader :address, :port, :open_timeout, :read_timeout
    attr_accessor :write_timeout, :keep_alive_timeout, :max_retries, :continue_timeout, :local_host, :local_port,
                  :close_on_empty_response, :ignore_eof, :response_body_encoding
    attr_writer :open_timeout, :read_timeout

    # proxy: a host, nil for none, or :ENV for what the environment says (http_proxy).
    def initialize(address, port = nil, proxy = :ENV, proxy_port = nil, proxy_user = nil, proxy_password = nil, *_)
      @address = address
      @proxy = [proxy, proxy_port || HTTP.default_port, proxy_user, proxy_password] if proxy.is_a?(String)
      @reads_environment = proxy == :ENV
      @port = port || HTTP.default_port
      @open_timeout = @read_timeout = @write_timeout = 60
      @keep_alive_timeout = 2
      @max_retries = 1
      @started = false
    end

    def inspect = "#<#{self.class} #{address}:#{port} open=#{started?}>"

    def started? = @started
    alias active? started?

    def use_ssl? = false

    def use_ssl=(on)
      raise IOError, "use_ssl value changed, but session already started" if on && started?
      raise NotImplementedError, "there is no TLS here" if on
    end

    def proxy? = !proxy.nil?

    def proxy_from_env? = @reads_environment

    def proxy_address = proxy&.at(0)
    alias proxyaddr proxy_address

    def proxy_port = proxy&.at(1)
    alias proxyport proxy_port

    def proxy_user = proxy&.at(2)

    def proxy_pass = proxy&.at(3)

    def set_debug_output(output)
      @debug_output = output
    end

    def start
      raise IOError, "HTTP session already opened" if started?

      open_connection
      @started = true
      return self unless block_given?

      begin
        yield self
      ensure
        finish if started?
      end
    end

    def finish
      raise IOError, "HTTP session not yet started" unless started?

      close_connection
      @started = false
      nil
    end

    def get(path, header = nil, _destination = nil, &block) = with_body(Get, path, nil, header, &block)

    def head(path, header = nil) = request(Head.new(path, header))

    def delete(path, header = { "Depth" => "Infinity" }) = request(Delete.new(path, header))

    def options(path, header = nil) = request(Options.new(path, header))

    def post(path, data, header = nil, _destination = nil, &block) = with_body(Post, path, data, header, &block)

    def put(path, data, header = nil) = with_body(Put, path, data, header)

    def patch(path, data, header = nil, _destination = nil, &block) = with_body(Patch, path, data, header, &block)

    def trace(path, header = nil) = request(Trace.new(path, header))

    def propfind(path, body = nil, header = { "Depth" => "0" }) = request(Propfind.new(path, header), body)

    def proppatch(path, body, header = nil) = request(Proppatch.new(path, header), body)

    def mkcol(path, body = nil, header = nil) = request(Mkcol.new(path, header), body)

    def copy(path, header = nil) = request(Copy.new(path, header))

    def move(path, header = nil) = request(Move.new(path, header))

    def lock(path, body, header = nil) = request(Lock.new(path, header), body)

    def unlock(path, body, header = nil) = request(Unlock.new(path, header), body)

    def request_get(path, header = nil, &block) = request(Get.new(path, header), &block)
    alias get2 request_get

    def request_head(path, header = nil, &block) = request(Head.new(path, header), &block)
    alias head2 request_head

    def request_post(path, data, header = nil, &block) = request(Post.new(path, header), data, &block)
    alias post2 request_post

    def request_put(path, data, header = nil, &block) = request(Put.new(path, header), data, &block)
    alias put2 request_put

    def send_request(name, path, data = nil, header = nil)
      has_body = name != "HEAD"
      request(HTTPGenericRequest.new(name, !data.nil?, has_body, path, header), data)
    end

    # Sends a request and reads the answer; a block may read the body itself.
    def request(request, body = nil, &block)
      return start { request(request, body, &block) } unless started?

      request.set_body_internal(body)
      request["Host"] ||= port == HTTP.default_port ? address : "#{address}:#{port}"
      response = attempt(request, &block)
      close_connection unless response.keep_alive?
      response
    end

    private

    def with_body(kind, path, data, header)
      request(kind.new(path, header), data) { |response| response.read_body { |part| yield part } if block_given? }
    end

    def open_connection
      host, number = proxy || [address, port]
      @socket = TCPSocket.new(host, number, local_host, local_port, open_timeout: open_timeout)
      @socket.setsockopt(:TCP, :NODELAY, 1)
    rescue IO::TimeoutError
      raise OpenTimeout, "Failed to open TCP connection to #{address}:#{port} (execution expired)"
    rescue SystemCallError, SocketError => e
      raise e, "Failed to open TCP connection to #{address}:#{port} (#{e.message})"
    end

    # Address, port, user and password of the proxy.
    def proxy
      return @proxy unless @reads_environment

      found = URI::HTTP.build(host: address, port: port).find_proxy
      found && [found.hostname, found.port, found.user, found.password]
    end

    # A proxy is told the whole address.
    def target(request)
      return request.path unless proxy?

      request.proxy_basic_auth(proxy_user, proxy_pass) if proxy_user
      "http://#{request["Host"]}#{request.path}"
    end

    def close_connection
      @socket&.close
      @socket = nil
    end

    # A connection that was kept may have been closed by the server meanwhile: then the request is sent over another one.
    def attempt(request, &block)
      is_kept = @socket && @used
      begin
        open_connection unless @socket
        @used = true
        request.exec(@socket, HTTPVersion, target(request), write_timeout)
        response = HTTPResponse.read_new(@socket, read_timeout, request)
      rescue EOFError, Errno::ECONNRESET, Errno::EPIPE
        close_connection
        raise unless is_kept && request.idempotent?

        is_kept = false
        retry
      end
      response.reading_body(&block)
      response
    end
  end
end
