# A connection over TLS, with stand-ins for what the extension openssl does: who is asked for what, and in which order.
# oracle: native
require "socket"
require "resolv"
LOG = []

module OpenSSL
  module SSL
    VERIFY_NONE = 0
    VERIFY_PEER = 1

    class SSLError < StandardError
    end

    class SSLContext
      SESSION_CACHE_CLIENT = 1
      SESSION_CACHE_NO_INTERNAL_STORE = 0x200
      attr_accessor :verify_mode, :verify_hostname, :session_cache_mode, :session_new_cb

      def initialize
        @session_cache_mode = 2
      end

      def set_params(params)
        LOG << [:set_params, *params.sort]
        @verify_mode = params.fetch(:verify_mode, VERIFY_PEER)
        @verify_hostname = params.fetch(:verify_hostname, true)
        params
      end
    end

    Session = Struct.new(:time, :timeout)

    class SSLSocket
      attr_accessor :sync_close
      attr_reader :context

      def initialize(io, context = nil)
        @io, @context = io, context
        LOG << [:new, context && [context.session_cache_mode, context.verify_hostname]]
      end

      def to_io = @io
      def hostname=(name)
        LOG << [:hostname, name]
      end

      def session=(session)
        LOG << [:session, session.timeout]
      end

      # Says once that it has to wait, then whether the handshake fails.
      def connect_nonblock(exception:)
        return :wait_writable unless @asked.tap { @asked = true }
        LOG << :connect
        raise SSLError, "certificate verify failed" if $refuses
        context.session_new_cb&.call([self, Session.new(Time.now, 60)]) unless $sessions == 0
        self
      end

      def post_connection_check(name)
        LOG << [:check, name]
        raise SSLError, "hostname \"#{name}\" does not match" if $other_name
      end

      def ssl_version = "TLSv1.3"
      def cipher = ["NONE", "TLSv1.3", 0, 0]
      def peer_cert = "a certificate"
      def read_nonblock(*size, exception:) = @io.read_nonblock(*size, exception: exception)
      def write_nonblock(*texts, exception:) = @io.write_nonblock(texts.join, exception: exception)
      def eof? = @io.eof?
      def closed? = @io.closed?

      def close
        LOG << :close
        @io.close
      end
    end
  end
end
$LOADED_FEATURES << "openssl.rb"
require "net/http"

server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]
requests = Queue.new
Thread.new do
  loop do
    client = server.accept
    Thread.new do
      while (line = client.gets)
        head = [line.chomp]
        head << line.chomp while (line = client.gets) && line != "\r\n"
        requests << head
        if head[0].start_with?("CONNECT")
          client.write("HTTP/1.1 #{head[0].include?("closed") ? "403 No" : "200 OK"}\r\n\r\n")
        else
          client.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        end
      end
    rescue SystemCallError
      nil
    end
  end
end

show = lambda do |title, &work|
  LOG.clear
  result = begin
    work.call
  rescue StandardError => error
    [error.class, error.message.gsub(port.to_s, "PORT")]
  end
  puts "== #{title}", result.inspect, LOG.map(&:inspect).join("\n")
  puts requests.pop.grep(/\A(GET|CONNECT|Host|Proxy)/i).inspect.gsub(port.to_s, "PORT") until requests.empty?
end

new = lambda do |address, *proxy, **attributes|
  http = Net::HTTP.new(address, port, *proxy)
  http.use_ssl = true
  attributes.each { |name, value| http.public_send(:"#{name}=", value) }
  http
end

show.("a name") { new.("localhost", nil).start { |http| [http.get("/a").body, http.peer_cert, http.get("/b").code] } }
show.("a number") { new.("127.0.0.1", nil).get("/").body }
show.("parameters") { new.("localhost", nil, verify_mode: 0, ca_file: "ca.pem", ssl_timeout: 5, ciphers: "ALL").get("/").body }
show.("no names") { new.("localhost", nil, verify_hostname: false).get("/").body }
show.("not trusted") { $refuses = true; new.("localhost", nil).get("/") }
$refuses = false
show.("another name") { $other_name = true; new.("localhost", nil).get("/") }
$other_name = false
show.("not open") { new.("localhost", nil).peer_cert }
show.("a proxy") { new.("far.example", "127.0.0.1", port).get("/far").body }
show.("a proxy with a password") { new.("far.example", "127.0.0.1", port, "me", "secret").get("/far").body }
show.("a proxy that does not want to") { new.("closed.example", "127.0.0.1", port).get("/") }
http = new.("localhost", nil)
show.("first") { http.start { |h| h.get("/").body } }
show.("a session is used again") { http.start { |h| h.get("/").body } }
show.("an address") { Net::HTTP.get(URI("https://localhost:#{port}/uri")) }
