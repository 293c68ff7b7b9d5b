# carat: core

# An address with the kind of socket that it is meant for.
class Addrinfo
  AF_INET, AF_INET6, AF_UNIX = Socket::AF_INET, Socket::AF_INET6, Socket::AF_UNIX
  Names = Socket.const_get(:Names)
  Sockaddr = Socket.const_get(:Sockaddr)
  Resolver = Socket.const_get(:Resolver)
  private_constant :AF_INET, :AF_INET6, :AF_UNIX, :Names, :Sockaddr, :Resolver

  attr_reader :afamily, :pfamily, :socktype, :protocol, :canonname

  class << self
    def ip(host) = new(Socket.sockaddr_in(0, host))

    def tcp(host, service) = resolved(host, service, Socket::SOCK_STREAM, Socket::IPPROTO_TCP)

    def udp(host, service) = resolved(host, service, Socket::SOCK_DGRAM, Socket::IPPROTO_UDP)

    def unix(path, type = Socket::SOCK_STREAM) = new(Socket.sockaddr_un(path), Socket::PF_UNIX, type)

    # All addresses of a host, each with the kinds of sockets that are asked for.
    def getaddrinfo(host, service, family = nil, type = nil, protocol = nil, flags = nil, timeout: nil)
      family = Names.family(family) if family
      kinds = kinds_of(type && Names.type(type), protocol)
      port = Resolver.port(service)
      passive = flags.to_i & Socket::AI_PASSIVE != 0
      Resolver.addresses(host, family: family, passive: passive).flat_map do |text|
        kinds.map { |kind, used| new(Sockaddr.of_ip(text, port), nil, kind, used).tap { |info| info.name_as(host, service) } }
      end
    end

    # The addresses that a block does not refuse.
    def foreach(...) = getaddrinfo(...).each { |info| yield info }

    private

    def resolved(host, service, type, protocol)
      text = Resolver.addresses(host).first
      new(Sockaddr.of_ip(text, Resolver.port(service)), nil, type, protocol).tap { |info| info.name_as(host, service) }
    end

    def kinds_of(type, protocol)
      all = [[Socket::SOCK_STREAM, Socket::IPPROTO_TCP], [Socket::SOCK_DGRAM, Socket::IPPROTO_UDP], [Socket::SOCK_RAW, 0]]
      all = all.select { |kind, _| kind == type } if type && type != 0
      all = all.select { |_, used| used == protocol } if protocol && protocol != 0
      all
    end
  end

  # sockaddr: the system's form, or an array as IPSocket#addr returns.
  def initialize(sockaddr, family = nil, type = nil, protocol = nil)
    @sockaddr = sockaddr.is_a?(Array) ? packed(*sockaddr) : sockaddr.to_str.b
    @afamily = Sockaddr.family(@sockaddr)
    @pfamily = family ? Names.family(family) : @afamily
    @socktype = type ? Names.type(type) : 0
    @protocol = protocol || 0
    raise SocketError, "getaddrinfo(3): ai_socktype not supported" if ip? && !is_pair?
  end

  # The name that the address was found under, for inspect.
  def name_as(host, service)
    names = [(host if host.is_a?(String) && host != ip_address), (service if service.is_a?(String) && service.match?(/\D/))]
    @inspectname = names.compact.empty? ? nil : "#{names.first}#{":#{names.last}" if names.last}"
  end

  def to_sockaddr = @sockaddr.dup
  alias to_s to_sockaddr

  def ip? = ipv4? || ipv6?

  def ipv4? = afamily == AF_INET

  def ipv6? = afamily == AF_INET6

  def unix? = afamily == AF_UNIX

  def ip_address = ip_parts.first

  def ip_port = ip_parts.last

  def ip_unpack = ip_parts

  def unix_path
    raise SocketError, "need AF_UNIX address" unless unix?

    Sockaddr.unix_path(@sockaddr)
  end

  def ipv4_loopback? = ipv4? && ip_address.start_with?("127.")

  def ipv4_private? = ipv4? && ip_address.match?(/\A(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/)

  def ipv4_multicast? = ipv4? && ip_address.to_i.between?(224, 239)

  def ipv6_loopback? = ipv6? && ip_address == "::1"

  def ipv6_unspecified? = ipv6? && ip_address == "::"

  def ipv6_linklocal? = ipv6? && ip_address.match?(/\Afe[89ab]/)

  def ipv6_multicast? = ipv6? && ip_address.start_with?("ff")

  def ipv6_unique_local? = ipv6? && ip_address.match?(/\Af[cd]/)

  def ipv6_sitelocal? = ipv6? && ip_address.match?(/\Afe[cdef]/)

  # Multicast addresses end their first group with how far they reach.
  { nodelocal: "1", linklocal: "2", sitelocal: "5", orglocal: "8", global: "e" }.each do |name, scope|
    define_method(:"ipv6_mc_#{name}?") { ipv6? && ip_address.match?(/\Aff\h#{scope}/) }
  end

  def ipv6_v4mapped? = ipv6? && ip_address.start_with?("::ffff:")

  # An IPv4 address behind zeros alone; :: and ::1 are none.
  def ipv6_v4compat? = ipv6? && @sockaddr.byteslice(8, 12) == "\0" * 12 && @sockaddr.byteslice(20, 4).unpack1("N") > 1

  def ipv6_to_ipv4
    Addrinfo.ip(@sockaddr.byteslice(20, 4).unpack("C4").join(".")) if ipv6_v4mapped? || ipv6_v4compat?
  end

  def getnameinfo(flags = 0)
    host, port = ip_unpack
    host = "localhost" if host.match?(/\A(?:127\.0\.0\.1|::1)\z/) && flags & Socket::NI_NUMERICHOST == 0
    return [host, port.to_s] if flags & Socket::NI_NUMERICSERV != 0

    protocol = flags & Socket::NI_DGRAM != 0 ? "udp" : "tcp"
    entry = Resolver.services.find { |_, number, kind| number == port && kind == protocol }
    [host, entry ? entry.first : port.to_s]
  end

  # An address of the same family as this one.
  def family_addrinfo(*arguments)
    return arguments.first if arguments.size == 1 && arguments.first.is_a?(Addrinfo)

    unix? ? Addrinfo.unix(*arguments) : Addrinfo.getaddrinfo(*arguments, pfamily, socktype, protocol).first
  end

  # A socket that is connected to this address; with a block it is closed afterwards.
  def connect(timeout: nil, &block) = connect_internal(nil, timeout, &block)

  # A socket that is bound to this address and connected to another one.
  def connect_to(*arguments, timeout: nil, &block)
    family_addrinfo(*arguments).connect_from(self, timeout: timeout, &block)
  end

  def connect_from(*arguments, timeout: nil, &block) = connect_internal(family_addrinfo(*arguments), timeout, &block)

  # A socket that is bound to this address.
  def bind(&block)
    open_socket(block) do |socket|
      socket.ipv6only! if ipv6?
      socket.setsockopt(:SOCKET, :REUSEADDR, 1)
      socket.bind(self)
    end
  end

  # A server at this address.
  def listen(backlog = Socket::SOMAXCONN, &block)
    open_socket(block) do |socket|
      socket.ipv6only! if ipv6?
      socket.setsockopt(:SOCKET, :REUSEADDR, 1) unless unix?
      socket.bind(self)
      socket.listen(backlog)
    end
  end

  def ==(other) = other.is_a?(Addrinfo) && to_sockaddr == other.to_sockaddr && socktype == other.socktype

  def marshal_dump = [@sockaddr, pfamily, socktype, protocol]

  def marshal_load(parts) = initialize(*parts)

  def inspect_sockaddr
    return unix_path.start_with?("/") ? unix_path : "UNIX #{unix_path}" if unix?
    return inspect_packet if afamily == Socket::AF_PACKET

    host, port = ip_unpack
    return host if port.zero?

    ipv6? ? "[#{host}]:#{port}" : "#{host}:#{port}"
  end

  def inspect
    kind = { [Socket::SOCK_STREAM, Socket::IPPROTO_TCP] => " TCP", [Socket::SOCK_DGRAM, Socket::IPPROTO_UDP] => " UDP" }
    kind = ip? && kind[[socktype, protocol]] || (socktype.zero? ? "" : " #{Names.name("SOCK_", socktype)}")
    name = @inspectname ? " (#{@inspectname})" : ""
    "#<Addrinfo: #{inspect_sockaddr}#{kind}#{name}>"
  end

  private

  PACKET_TYPES = %w[HOST BROADCAST MULTICAST OTHERHOST OUTGOING].freeze
  private_constant :PACKET_TYPES

  # An address below those of IP, on an interface.
  def inspect_packet
    _family, protocol, index, hardware, type, size, bytes = to_sockaddr.unpack("SniSCCa8")
    name = Socket.const_get(:System).interfaces.find { |interface| interface[1] == index }&.first || "ifindex=#{index}"
    address = bytes.byteslice(0, size).unpack("C*").map { |byte| "%02x" % byte }.join(":")
    "PACKET[protocol=#{protocol} #{name} hatype=#{hardware} #{PACKET_TYPES.fetch(type) { "pkttype=#{type}" }} hwaddr=#{address}]"
  end

  # Kinds of sockets have their protocols.
  PROTOCOLS = {
    Socket::SOCK_STREAM => [0, Socket::IPPROTO_TCP], Socket::SOCK_DGRAM => [0, Socket::IPPROTO_UDP],
    Socket::SOCK_SEQPACKET => [0], Socket::SOCK_RDM => [], Socket::SOCK_PACKET => []
  }.freeze
  private_constant :PROTOCOLS

  def is_pair? = !PROTOCOLS.key?(socktype) || PROTOCOLS[socktype].include?(protocol)

  def ip_parts
    raise SocketError, "need IPv4 or IPv6 address" unless ip?

    Sockaddr.ip(@sockaddr)
  end

  # ["AF_INET", port, host, address] or ["AF_UNIX", path]
  def packed(family, *rest)
    return Socket.sockaddr_un(rest.first) if Names.family(family) == AF_UNIX

    Sockaddr.of_ip(rest[2] || Resolver.addresses(rest[1]).first, rest.first.to_i)
  end

  def connect_internal(local, timeout, &block)
    open_socket(block) do |socket|
      socket.bind(local) if local
      next socket.connect(self) unless timeout

      next unless socket.connect_nonblock(self, exception: false) == :wait_writable

      socket.wait_writable(timeout) or raise Errno::ETIMEDOUT, "user specified timeout for #{inspect_sockaddr}"
      code = socket.getsockopt(:SOCKET, :ERROR).int
      raise SystemCallError.new("connect(2) for #{inspect_sockaddr}", code) unless code.zero?
    end
  end

  def open_socket(block)
    socket = Socket.new(pfamily, socktype.zero? ? Socket::SOCK_STREAM : socktype, protocol)
    begin
      yield socket
      return socket unless block
    rescue StandardError
      socket.close
      raise
    end
    begin
      block.call(socket)
    ensure
      socket.close unless socket.closed?
    end
  end
end
