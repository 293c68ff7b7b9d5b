# frozen_string_literal: true

# Connections over TLS.
class Net::HTTP
  private

  # The connection over TLS that +io+ becomes; +peer+ says with whom.
  def secure(io, context, peer)
    ask_proxy_for_tunnel(io) if proxy?
    checks_name = configure(context)
    debug "starting SSL for #{peer}..."
    socket = OpenSSL::SSL::SSLSocket.new(io, context)
    socket.sync_close = true
    socket.hostname = @address unless numeric_address?
    socket.session = @ssl_session if session_fresh?
    ssl_socket_connect(socket, @open_timeout)
    socket.post_connection_check(@address) if checks_name && context.verify_mode != OpenSSL::SSL::VERIFY_NONE
    debug "SSL established, protocol: #{socket.ssl_version}, cipher: #{socket.cipher[0]}"
    secured = socket
  ensure
    socket&.close unless secured
  end

  # A proxy passes on what it cannot read, once it was told to where.
  def ask_proxy_for_tunnel(io)
    if @proxy_use_ssl
      io = OpenSSL::SSL::SSLSocket.new(io)
      ssl_socket_connect(io, @open_timeout)
    end
    proxy = buffered(io)
    lines = ["CONNECT #{connect_address}:#{@port} HTTP/#{HTTPVersion}", "Host: #{@address}:#{@port}"]
    lines << "Proxy-Authorization: Basic #{["#{proxy_user}:#{proxy_pass}"].pack("m0")}" if proxy_user
    proxy.write(lines.join("\r\n") << "\r\n\r\n")
    Net::HTTPResponse.read_new(proxy).value
  end

  # Whether the server's name is to be checked; that of a number only afterwards.
  def configure(context)
    context.set_params(SSL_ATTRIBUTES.to_h { |name| [name, public_send(name)] }.compact)
    modes = OpenSSL::SSL::SSLContext
    context.session_cache_mode = modes::SESSION_CACHE_CLIENT | modes::SESSION_CACHE_NO_INTERNAL_STORE
    context.session_new_cb = proc { |_, session| @ssl_session = session }
    checks_name = context.verify_hostname
    context.verify_hostname = false if numeric_address?
    checks_name
  end

  # Numbers are no names that a server could be asked for.
  def numeric_address? = @address.match?(/\A[\d.]+\z|:/)

  def session_fresh? = @ssl_session && Process.clock_gettime(Process::CLOCK_REALTIME) < @ssl_session.time.to_f + @ssl_session.timeout
end
