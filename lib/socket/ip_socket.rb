# carat: core

# Sockets with an address and a port.
class IPSocket < BasicSocket
  def self.getaddress(host) = Resolver.addresses(host).first

  # ["AF_INET", port, host, address]
  def addr(reverse_lookup = nil) = described(getsockname, reverse_lookup)

  def peeraddr(reverse_lookup = nil) = described(getpeername, reverse_lookup)

  def recvfrom(length, flags = 0)
    message, from = System.receive(fileno, length, Names.flag(flags), true)
    [message, from.empty? ? nil : described(from, nil)]
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
    info = Addrinfo.new(address)
    host = Resolver.shown_host(info, reverse_lookup, do_not_reverse_lookup)
    [info.ipv6? ? "AF_INET6" : "AF_INET", info.ip_port, host, info.ip_address]
  end

  # Tries a host's addresses in turn; the socket is this one once one of them did.
  def open_first(host, port, type, passive: false)
    error = nil
    number = Resolver.port(port)
    Resolver.addresses(host, passive: passive).each do |text|
      fd = System.open(Resolver.family_of(text), type, 0)
      begin
        yield fd, Sockaddr.of_ip(text, number), %(for "#{host}" port #{port})
        return open_on(fd)
      rescue SystemCallError => error
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
    addresses = Resolver.addresses(host)
    [host, [], Resolver.family_of(addresses.first), *addresses]
  end

  def initialize(host, port, local_host = nil, local_port = nil, connect_timeout: nil, resolv_timeout: nil, open_timeout: nil, **)
    if open_timeout && (resolv_timeout || connect_timeout)
      raise ArgumentError, "Cannot specify open_timeout along with connect_timeout or resolv_timeout"
    end
    timeout = open_timeout || connect_timeout
    open_first(host, port, Socket::SOCK_STREAM) do |fd, address, about|
      if local_host || local_port
        local = Sockaddr.of_ip(Resolver.addresses(local_host || "0.0.0.0").first, Resolver.port(local_port))
        System.bind(fd, local, %(bind(2) for "#{local_host}" port #{local_port}))
      end
      connect_within(timeout, fd, address, "connect(2) #{about}")
    end
  end

  private

  def connect_within(timeout, fd, address, about)
    return System.connect(fd, address, true, about) unless timeout

    unless System.connect(fd, address, false, about)
      waiting = IO.for_fd(fd, "r+", autoclose: false)
      waiting.wait_writable(timeout) or raise IO::TimeoutError, "user specified timeout #{about[/for .*/]}"
      code = System.option(fd, Socket::SOL_SOCKET, Socket::SO_ERROR).unpack1("i")
      raise SystemCallError.new(about, code) unless code.zero?
    end
  end
end

# Waits for connections over TCP.
class TCPServer < TCPSocket
  def initialize(host = nil, port)
    host = nil if host == ""
    open_first(host, port, Socket::SOCK_STREAM, passive: true) do |fd, address, about|
      System.set_option(fd, Socket::SOL_SOCKET, Socket::SO_REUSEADDR, [1].pack("i"))
      System.bind(fd, address, "bind(2) #{host ? about : "for nil port #{port}"}")
      System.listen(fd, Socket::SOMAXCONN)
    end
  end

  def accept = TCPSocket.for_fd(sysaccept)

  def accept_nonblock(exception: true)
    fd, = System.accept(fileno, false)
    fd ? TCPSocket.for_fd(fd) : would_block("accept(2)", exception)
  end

  def sysaccept = System.accept(fileno, true).first

  def listen(backlog) = System.listen(fileno, backlog)
end

# Datagrams over UDP.
class UDPSocket < IPSocket
  def initialize(family = Socket::AF_INET)
    @family = Names.family(family)
    open_on(System.open(@family, Socket::SOCK_DGRAM, 0))
  end

  def bind(host, port)
    System.bind(fileno, address_of(host, port, passive: true), %(bind(2) for "#{host}" port #{port}))
  end

  def connect(host, port)
    System.connect(fileno, address_of(host, port), true, %(connect(2) for "#{host}" port #{port}))
    0
  end

  # A message to whom the socket is connected, to an address, or to a port of a host.
  def send(message, flags, host = nil, port = nil)
    return super(message, flags, host) unless port

    System.transmit(fileno, message.to_str, Names.flag(flags), address_of(host, port), "sendto(2)")
  end

  def recvfrom_nonblock(length, flags = 0, buffer = nil, exception: true)
    message, from = System.receive(fileno, length, Names.flag(flags), false)
    return would_block("recvfrom(2)", exception) unless message

    [delivered(message, buffer), described(from, nil)]
  end

  private

  def address_of(host, port, passive: false)
    family = @family || Sockaddr.family(getsockname)
    Sockaddr.of_ip(Resolver.addresses(host, family: family, passive: passive).first, Resolver.port(port, "udp"))
  end
end
