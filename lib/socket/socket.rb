# carat: core

# A socket of any kind, with the system's calls as its methods.
class Socket < BasicSocket
  # The connection's credentials and their like are not read.
  class AncillaryData
    attr_reader :family, :level, :type, :data

    def self.int(family, level, type, value) = new(family, level, type, [value].pack("i"))

    # An address of this machine that a datagram came to, the number of the interface, and the address to answer from.
    def self.ip_pktinfo(address, interface, destination = address)
      new(:INET, :IP, :PKTINFO, [interface].pack("i") + bytes(destination) + bytes(address))
    end

    def self.ipv6_pktinfo(address, interface)
      new(:INET6, :IPV6, :PKTINFO, bytes(address) + [interface].pack("I"))
    end

    # The four or sixteen bytes of an address.
    def self.bytes(address)
      text = address.to_sockaddr
      address.ipv6? ? text.byteslice(8, 16) : text.byteslice(4, 4)
    end
    private_class_method :bytes

    def initialize(family, level, type, data)
      @family = Names.family(family)
      @level = Names.level(level)
      @type = number(@level, type)
      @data = data.to_str
    end

    def int
      raise TypeError, "size differ.  expected as sizeof(int)=4 but #{data.bytesize}" unless data.bytesize == 4
      data.unpack1("i")
    end

    def cmsg_is?(level, type)
      level = Names.level(level)
      @level == level && @type == number(level, type)
    end

    # Address, interface, address to answer from.
    def ip_pktinfo
      raise TypeError, "IP_PKTINFO ancillary data expected" unless @level == IPPROTO_IP && @type == IP_PKTINFO
      interface, from, address = data.unpack("ia4a4")
      [ip(address), interface, ip(from)]
    end

    def ipv6_pktinfo
      raise TypeError, "IPV6_PKTINFO ancillary data expected" unless @level == IPPROTO_IPV6 && @type == IPV6_PKTINFO
      address, interface = data.unpack("a16I")
      [ip(address), interface]
    end

    def ipv6_pktinfo_addr = ipv6_pktinfo[0]

    def ipv6_pktinfo_ifindex = ipv6_pktinfo[1]

    # Open files that came with it; none did.
    def unix_rights
      raise TypeError, "SCM_RIGHTS ancillary data expected" unless @level == SOL_SOCKET && @type == SCM_RIGHTS
      nil
    end

    private

    PREFIXES = {SOL_SOCKET => "SCM_", IPPROTO_IP => "IP_", IPPROTO_IPV6 => "IPV6_"}.freeze
    private_constant :PREFIXES

    def number(level, type)
      return type if type.is_a?(Integer)
      name = type.to_s
      prefix = PREFIXES.fetch(level, "")
      found = [name, prefix + name].find { |each| Socket.const_defined?(each) }
      raise SocketError, "unknown ancillary data type: #{name}" unless found
      Socket.const_get(found)
    end

    def ip(bytes) = Addrinfo.ip(bytes.bytesize == 4 ? bytes.unpack("C4").join(".") : ("%x:" * 8 % bytes.unpack("n8")).chop)
  end

  # An address of one of the machine's interfaces.
  class Ifaddr
    attr_reader :name, :ifindex, :flags, :addr, :netmask, :broadaddr, :dstaddr

    BROADCAST = 2
    POINT_TO_POINT = 16
    NAMES = %w[UP BROADCAST DEBUG LOOPBACK POINTOPOINT NOTRAILERS RUNNING NOARP PROMISC ALLMULTI MASTER SLAVE MULTICAST PORTSEL AUTOMEDIA DYNAMIC].freeze
    private_constant :BROADCAST, :POINT_TO_POINT, :NAMES

    def initialize(name, ifindex, flags, addr, netmask, other)
      @name = name.force_encoding(Encoding.default_external)
      @ifindex = ifindex
      @flags = flags
      @addr, @netmask, other = [addr, netmask, other].map { |bytes| bytes.empty? ? nil : Addrinfo.new(bytes) }
      @broadaddr = other if flags & BROADCAST != 0
      @dstaddr = other if flags & POINT_TO_POINT != 0
    end

    def inspect
      names = NAMES.filter_map.with_index { |name, bit| name if flags[bit] == 1 }
      rest = flags >> NAMES.size << NAMES.size
      names << "0x#{rest.to_s(16)}" if rest != 0
      text = "#<Socket::Ifaddr #{name} #{names.join(",")}"
      text << " #{addr.inspect_sockaddr}" if addr
      text << " netmask=#{netmask.inspect_sockaddr}" if netmask
      text << " broadcast=#{broadaddr.inspect_sockaddr}" if broadaddr
      text << " dstaddr=#{dstaddr.inspect_sockaddr}" if dstaddr
      text << ">"
    end
  end

  # The addresses of the machine's interfaces.
  def self.getifaddrs = System.interfaces.map { |row| Ifaddr.new(*row) }

  # The machine's addresses.
  def self.ip_address_list = getifaddrs.filter_map { |interface| interface.addr if interface.addr&.ip? }

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

  def initialize(domain, type = SOCK_STREAM, protocol = 0)
    open_on(System.open(Names.family(domain), Names.type(type), protocol))
  end

  class << self
    # Two sockets that are connected.
    def pair(domain = AF_UNIX, type = SOCK_STREAM, protocol = 0, &block)
      fds = System.pair(Names.family(domain), Names.type(type), protocol)
      lend(fds.map { |fd| for_fd(fd) }, &block)
    end
    alias socketpair pair

    # A connection to a host; its addresses are tried in turn.
    def tcp(host, port, local_host = nil, local_port = nil, connect_timeout: nil, resolv_timeout: nil, **, &block)
      local = Addrinfo.tcp(local_host, local_port) if local_host || local_port
      error = nil
      Addrinfo.getaddrinfo(host, port, nil, SOCK_STREAM).each do |info|
        next if local && local.afamily != info.afamily

        socket = begin
          local ? info.connect_from(local, timeout: connect_timeout) : info.connect(timeout: connect_timeout)
        rescue SystemCallError => error
          next
        end
        return socket unless block

        begin
          return yield socket
        ensure
          socket.close unless socket.closed?
        end
      end
      raise error || SocketError.new("no appropriate local address")
    end

    def unix(path, &block) = Addrinfo.unix(path).connect(&block)

    # Servers at all addresses of a host, all at one port.
    def tcp_server_sockets(host = nil, port, &block)
      infos = Addrinfo.getaddrinfo(host, port, nil, SOCK_STREAM, nil, AI_PASSIVE)
      lend(listening(infos, port.to_s == "0"), &block)
    end

    def tcp_server_loop(host = nil, port, &block)
      tcp_server_sockets(host, port) { |sockets| accept_loop(sockets, &block) }
    end

    def unix_server_socket(path, &block)
      Addrinfo.unix(path).listen do |socket|
        return socket.dup unless block

        yield socket
      ensure
        File.unlink(path) if block && File.socket?(path)
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
          connection = server.accept_nonblock(exception: false)
          yield connection unless connection == :wait_readable
        end
      end
    end

    def udp_server_sockets(host = nil, port)
      infos = Addrinfo.getaddrinfo(host, port, nil, SOCK_DGRAM, nil, AI_PASSIVE)
      sockets = infos.filter_map do |info|
        info.bind
      rescue Errno::EADDRNOTAVAIL, Errno::EAFNOSUPPORT
        nil
      end
      return sockets unless block_given?

      begin
        yield sockets
      ensure
        sockets.each(&:close)
      end
    end

    def udp_server_recv(sockets)
      sockets.each do |socket|
        message, from = socket.recvfrom_nonblock(65_536, exception: false)
        next if message == :wait_readable

        yield message, UDPSource.new(from, socket.local_address) { |answer| socket.send(answer, 0, from) }
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

    # Where the system chooses the port, all take the first one's.
    def listening(infos, chooses)
      error = nil
      sockets = []
      infos.each do |info|
        info = Addrinfo.tcp(info.ip_address, sockets.first.local_address.ip_port) if chooses && !sockets.empty?
        sockets << info.listen
      rescue Errno::EADDRNOTAVAIL, Errno::EAFNOSUPPORT => error
        next
      rescue StandardError
        sockets.each(&:close)
        raise
      end
      sockets.empty? && error ? raise(error) : sockets
    end
  end

  def bind(address) = System.bind(fileno, sockaddr(address), "bind(2) for #{shown(address)}")

  def listen(backlog) = System.listen(fileno, backlog)

  def connect(address)
    System.connect(fileno, sockaddr(address), true, "connect(2) for #{shown(address)}")
    0
  end

  def connect_nonblock(address, exception: true)
    return 0 if System.connect(fileno, sockaddr(address), false, "connect(2) for #{shown(address)}")
    return :wait_writable unless exception

    raise IO::EINPROGRESSWaitWritable, "connect(2) would block"
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

  def recvfrom(length, flags = 0)
    message, from = System.receive(fileno, length, Names.flag(flags), true)
    [message, addrinfo(from.empty? ? getpeername : from)]
  end

  def recvfrom_nonblock(length, flags = 0, buffer = nil, exception: true)
    message, from = System.receive(fileno, length, Names.flag(flags), false)
    return would_block("recvfrom(2)", exception) unless message

    [delivered(message, buffer), addrinfo(from)]
  end

  def ipv6only! = setsockopt(:IPV6, :V6ONLY, 1)

  private

  def sockaddr(address)
    return address.to_sockaddr if address.is_a?(Addrinfo)

    String.try_convert(address) or raise TypeError, "no implicit conversion of #{address.class} into String"
  end

  def shown(address)
    address = Addrinfo.new(sockaddr(address)) unless address.is_a?(Addrinfo)
    address.inspect_sockaddr
  rescue ArgumentError, SocketError
    "an unknown address"
  end

  def connection((fd, address)) = [Socket.for_fd(fd), addrinfo(address)]
end
