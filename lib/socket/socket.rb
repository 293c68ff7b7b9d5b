# carat: core

# A socket of any kind, with the system's calls as its methods.
class Socket < BasicSocket
  # Where a datagram came from, for answering it.
  class UDPSource
    attr_reader :remote_address, :local_address

    def initialize(remote_address, local_address, &answer)
      @remote_address = remote_address
      @local_address = local_address
      @answer = answer
    end

    def reply(message) = @answer.call(message)

    def inspect = "#<Socket::UDPSource: #{remote_address.inspect_sockaddr} to #{local_address.inspect_sockaddr}>"
  end

  def initialize(domain, type, protocol = 0)
    open_on(System.open(Names.family(domain), Names.type(type), protocol))
  end

  class << self
    # Two sockets that are connected.
    def pair(domain = AF_UNIX, type = SOCK_STREAM, protocol = 0, &block)
      fds = System.pair(Names.family(domain), Names.type(type), protocol)
      lend(fds.map { |fd| for_fd(fd) }, &block)
    end
    alias socketpair pair

    # Whether addresses of both families are looked up and tried at once.
    attr_accessor :tcp_fast_fallback

    # A connection to a host.
    def tcp(
      host, port, local_host = nil, local_port = nil,
      connect_timeout: nil, resolv_timeout: nil, open_timeout: nil, fast_fallback: tcp_fast_fallback, &block
    )
      timeouts = Resolver.timeouts(connect_timeout, resolv_timeout, open_timeout)
      timeout = open_timeout || resolv_timeout
      locals = Addrinfo.getaddrinfo(local_host, local_port, nil, SOCK_STREAM, timeout: timeout) if local_host || local_port
      if fast_fallback && Resolver.is_slow?(host)
        connector = Connector.new("#{host}:#{port}", locals, **timeouts) do |family|
          Addrinfo.getaddrinfo(host, port, family, SOCK_STREAM)
        end
        return lend_one(connector.connect, &block)
      end
      left = Resolver.time_left(timeouts)
      infos = Addrinfo.getaddrinfo(host, port, nil, SOCK_STREAM, timeout: timeout)
      lend_one(Connector.in_turn(infos, locals, &left), &block)
    end

    def unix(path, &block) = Addrinfo.unix(path).connect(&block)

    # Servers at all addresses of a host, all at one port.
    def tcp_server_sockets(host = nil, port, &block)
      infos = Addrinfo.getaddrinfo(host, port, nil, SOCK_STREAM, nil, AI_PASSIVE)
      lend(open_all(infos, port, &:listen), &block)
    end

    def tcp_server_loop(host = nil, port, &block)
      tcp_server_sockets(host, port) { |sockets| accept_loop(sockets, &block) }
    end

    # A server at a path; what an earlier one left there goes.
    def unix_server_socket(path)
      is_file = !Sockaddr.is_abstract?(path)
      File.unlink(path) if is_file && File.socket?(path) && File.owned?(path)
      server = Addrinfo.unix(path).listen
      return server unless block_given?

      begin
        yield server
      ensure
        server.close unless server.closed?
        File.unlink(path) if is_file
      end
    end

    def unix_server_loop(path, &block)
      unix_server_socket(path) { |socket| accept_loop(socket, &block) }
    end

    # Yields each connection to any of the servers.
    def accept_loop(*sockets)
      sockets.flatten!
      raise ArgumentError, "no sockets" if sockets.empty?

      loop do
        readable, = IO.select(sockets)
        readable.each do |server|
          connection, from = server.accept_nonblock(exception: false)
          yield connection, from unless connection == :wait_readable
        end
      end
    end

    # Sockets for datagrams to all addresses of a host, at one port.
    def udp_server_sockets(host = nil, port, &block)
      infos = Addrinfo.getaddrinfo(host, port, nil, SOCK_DGRAM, nil, AI_PASSIVE)
      sockets = open_all(infos.flat_map { |info| own_addresses(info) }.uniq(&:to_sockaddr), port, &:bind)
      sockets.each { |socket| socket.setsockopt(:IPV6, :RECVPKTINFO, 1) if socket.local_address.ipv6_unspecified? }
      lend(sockets, &block)
    end

    def udp_server_recv(sockets)
      sockets.each do |socket|
        message, from, _, *controls = socket.recvmsg_nonblock(exception: false)
        next if message == :wait_readable

        # An answer goes out from where the message came to.
        to = socket.local_address
        arrival = controls.find { |control| control.cmsg_is?(:IPV6, :PKTINFO) } if to.ipv6?
        to = Addrinfo.udp(arrival.ipv6_pktinfo_addr.ip_address, to.ip_port) if arrival
        yield message, UDPSource.new(from, to) { |answer| socket.sendmsg(answer, 0, from, *arrival) }
      end
    end

    def udp_server_loop_on(sockets, &block)
      loop do
        readable, = IO.select(sockets)
        udp_server_recv(readable, &block)
      end
    end

    def udp_server_loop(host = nil, port, &block)
      udp_server_sockets(host, port) { |sockets| udp_server_loop_on(sockets, &block) }
    end

    private

    def lend_one(socket)
      return socket unless block_given?

      begin
        yield socket
      ensure
        socket.close unless socket.closed?
      end
    end

    # The block opens a socket at each address. Where the system chooses the port, all take the first one's, which somebody
    # else may have at another address.
    def open_all(infos, port, &open)
      chooses = port.to_s == "0"
      error = nil
      sockets = []
      infos.each do |info|
        info = at_port(info, sockets.first.local_address.ip_port) if chooses && !sockets.empty?
        sockets << yield(info)
      rescue SystemCallError => error
        next unless chooses && error.is_a?(Errno::EADDRINUSE)

        sockets.each(&:close)
        return open_all(infos, port, &open)
      end
      sockets.empty? && error ? raise(error) : sockets
    end

    def at_port(info, port)
      address = info.to_sockaddr
      address[2, 2] = [port].pack("n")
      Addrinfo.new(address, info.pfamily, info.socktype, info.protocol)
    end

    # Datagrams to any address of IPv4 do not tell to which: each address has its socket.
    def own_addresses(info)
      return [info] unless info.ipv4? && info.ip_address == "0.0.0.0"

      ip_address_list.select(&:ipv4?).map do |own|
        at_port(Addrinfo.new(own.to_sockaddr, PF_INET, SOCK_DGRAM, info.protocol), info.ip_port)
      end
    end
  end

  self.tcp_fast_fallback = !ENV["RUBY_TCP_NO_FAST_FALLBACK"]

  def bind(address)
    address = Sockaddr.bytes(address)
    System.bind(fileno, address, "bind(2) for #{Sockaddr.inspect(address)}")
  end

  def listen(backlog)
    backlog = Names.integer(backlog)
    System.listen(fileno, backlog)
  end

  def connect(address)
    address = Sockaddr.bytes(address)
    System.connect(fileno, address, true, "connect(2) for #{Sockaddr.inspect(address)}")
    0
  end

  def connect_nonblock(address, exception: true)
    address = Sockaddr.bytes(address)
    return 0 if System.connect(fileno, address, false, "connect(2) for #{Sockaddr.inspect(address)}")
    return :wait_writable unless exception

    raise IO::EINPROGRESSWaitWritable, "connect(2) would block"
  rescue Errno::EISCONN
    exception ? raise : 0
  end

  # A connection and the peer's address.
  def accept = connection(System.accept(fileno, true))

  def accept_nonblock(exception: true)
    accepted = System.accept(fileno, false)
    accepted ? connection(accepted) : would_block("accept(2)", exception)
  end

  def sysaccept
    fd, address = System.accept(fileno, true)
    [fd, addrinfo(address)]
  end

  def recvfrom(length, flags = 0, buffer = nil)
    message, from = receive_from(length, flags, true)
    message && [delivered(message, buffer), addrinfo(from)]
  end

  def recvfrom_nonblock(length, flags = 0, buffer = nil, exception: true)
    message, from = receive_from(length, flags, false) { return would_block("recvfrom(2)", exception) }
    message && [delivered(message, buffer), addrinfo(from)]
  end

  def ipv6only! = setsockopt(:IPV6, :V6ONLY, 1)

  private

  def connection((fd, address)) = [Socket.for_fd(fd), addrinfo(address)]
end
