# carat: core

# Sockets with an address and a port.
class IPSocket < BasicSocket
  Connector = Socket.const_get(:Connector)
  private_constant :Connector

  def self.getaddress(host) = Sockaddr.ip(Resolver.sockaddr(host, nil)).first

  # Only processes of one machine know each other's users.
  undef_method :getpeereid

  # ["AF_INET", port, host, address]
  def addr(reverse_lookup = nil) = described(getsockname, reverse_lookup)

  def peeraddr(reverse_lookup = nil) = described(getpeername, reverse_lookup)

  def recvfrom(length, flags = 0, buffer = nil)
    message, from = receive_from(length, flags, true)
    message && [delivered(message, buffer), (described(from, nil) unless from.empty?)]
  end

  def inspect
    return super if closed?

    family, port, host = addr
    "#<#{self.class}:fd #{fileno}, #{family}, #{host}, #{port}>"
  rescue IOError
    super
  end

  private

  def described(address, reverse_lookup)
    host = Resolver.shown_host(address, reverse_lookup, do_not_reverse_lookup)
    text, port = Sockaddr.ip(address)
    [Sockaddr.family(address) == Socket::AF_INET6 ? "AF_INET6" : "AF_INET", port, host, text]
  end

  # Tries a host's addresses in turn; the socket is this one once one of them did.
  def open_first(host, port, **hints)
    error = nil
    Resolver.find(host, port, type: Socket::SOCK_STREAM, **hints).each do |address, family, type, protocol|
      fd = System.open(family, type, protocol)
      begin
        yield fd, address, family
        return open_on(fd)
      rescue SystemCallError, IO::TimeoutError => error
        IO.for_fd(fd).close
      end
    rescue Errno::EAFNOSUPPORT => error
      next
    end
    raise error
  end
end

# A connection over TCP.
class TCPSocket < IPSocket
  def self.gethostbyname(host)
    rows = Resolver.find(host, nil, type: Socket::SOCK_STREAM, flags: Socket::AI_CANONNAME)
    family = rows.first[1]
    texts = rows.filter_map { |address, own| Sockaddr.ip(address).first if own == family }
    [rows.first.last || host, [], family, *texts]
  end

  def initialize(
    host, port, local_host = nil, local_port = nil,
    connect_timeout: nil, resolv_timeout: nil, open_timeout: nil, fast_fallback: Socket.tcp_fast_fallback,
    test_mode_settings: nil
  )
    timeouts = Resolver.timeouts(connect_timeout, resolv_timeout, open_timeout)
    host = String.try_convert(host) || host
    if fast_fallback && Resolver.is_slow?(host)
      return connect_fast(host, port, local_host, local_port, timeouts, test_mode_settings)
    end

    left = Resolver.time_left(timeouts)
    lookup = { about: "getaddrinfo(3)", timeout: open_timeout || resolv_timeout }
    open_first(host, port, **lookup) do |fd, address, family|
      bind_locally(fd, family, local_host, local_port) if local_host || local_port
      connect_within(left.call, fd, address, %(connect(2) for "#{host}" port #{port}))
    end
  end

  private

  # The socket is the one of the connection that came first.
  def connect_fast(host, port, local_host, local_port, timeouts, imitated)
    place = %("#{host}" port #{port})
    locals = Addrinfo.getaddrinfo(local_host, local_port, nil, Socket::SOCK_STREAM) if local_host || local_port
    connector = Connector.new(place, locals, **timeouts) do |family|
      Resolver.imitate(imitated, family) if imitated
      rows = Resolver.find(host, port, family: family, type: Socket::SOCK_STREAM, about: "getaddrinfo(3)")
      rows.map { |row| Addrinfo.new(*row.first(4)) }
    end
    connected = connector.connect
    connected.autoclose = false
    open_on(connected.fileno)
  rescue SystemCallError => e
    raise SystemCallError.new("connect(2) for #{place}", e.errno)
  end

  def bind_locally(fd, family, host, port)
    System.set_option(fd, Socket::SOL_SOCKET, Socket::SO_REUSEADDR, [1].pack("i"))
    local, = Resolver.find(host, port, family: family, type: Socket::SOCK_STREAM).first
    System.bind(fd, local, %(bind(2) for "#{host}" port #{port}))
  end

  def connect_within(timeout, fd, address, about)
    return System.connect(fd, address, true, about) unless timeout

    unless System.connect(fd, address, false, about)
      waiting = IO.for_fd(fd, "r+", autoclose: false)
      waiting.wait_writable(timeout) or raise IO::TimeoutError, "user specified timeout for #{Sockaddr.inspect(address)}"
      code = System.option(fd, Socket::SOL_SOCKET, Socket::SO_ERROR).unpack1("i")
      raise SystemCallError.new(about, code) unless code.zero?
    end
  end
end

# Waits for connections over TCP.
class TCPServer < TCPSocket
  def initialize(host = nil, port)
    open_first(host, port, flags: Socket::AI_PASSIVE) do |fd, address|
      System.set_option(fd, Socket::SOL_SOCKET, Socket::SO_REUSEADDR, [1].pack("i"))
      System.bind(fd, address, "bind(2) for #{host.inspect} port #{port}")
      System.listen(fd, Socket::SOMAXCONN)
    end
  end

  def accept = TCPSocket.for_fd(sysaccept)

  def accept_nonblock(exception: true)
    fd, = System.accept(fileno, false)
    fd ? TCPSocket.for_fd(fd) : would_block("accept(2)", exception)
  end

  def sysaccept = System.accept(fileno, true).first

  def listen(backlog)
    backlog = Names.integer(backlog)
    System.listen(fileno, backlog)
  end
end

# Datagrams over UDP.
class UDPSocket < IPSocket
  def initialize(family = Socket::AF_INET)
    @family = Names.family(family)
    open_on(System.open(@family, Socket::SOCK_DGRAM, 0))
  end

  def bind(host, port)
    address = address_of(host, port, Socket::AI_PASSIVE)
    System.bind(fileno, address, "bind(2) for #{host.inspect} port #{port}")
  end

  def connect(host, port)
    address = address_of(host, port)
    System.connect(fileno, address, true, "connect(2) for #{host.inspect} port #{port}")
    0
  end

  # A message to whom the socket is connected, to an address, or to a port of a host.
  def send(message, flags, host = nil, port = nil)
    return super(message, flags, host) unless port

    address = address_of(host, port)
    System.transmit(fileno, Names.string(message), Names.flag(flags), address, "sendto(2) for #{host.inspect} port #{port}")
  end

  def recvfrom_nonblock(length, flags = 0, buffer = nil, exception: true)
    message, from = receive_from(length, flags, false) { return would_block("recvfrom(2)", exception) }
    message && [delivered(message, buffer), described(from, nil)]
  end

  private

  def address_of(host, port, flags = 0)
    Resolver.find(host, port, family: @family || family_of_socket, type: Socket::SOCK_DGRAM, flags: flags).first.first
  end
end
