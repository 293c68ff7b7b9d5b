# carat: core

# An address with the kind of socket that it is meant for.
class Addrinfo
  AF_INET, AF_INET6, AF_UNIX = Socket::AF_INET, Socket::AF_INET6, Socket::AF_UNIX
  Names = Socket.const_get(:Names)
  Sockaddr = Socket.const_get(:Sockaddr)
  Resolver = Socket.const_get(:Resolver)
  private_constant :AF_INET, :AF_INET6, :AF_UNIX, :Names, :Sockaddr, :Resolver

  attr_reader :pfamily, :socktype, :protocol, :canonname

  class << self
    def ip(host) = first(host, nil, 0, 0) { |row| [*row[0, 2], 0, 0] }

    def tcp(host, service) = first(host, service, Socket::SOCK_STREAM, Socket::IPPROTO_TCP)

    def udp(host, service) = first(host, service, Socket::SOCK_DGRAM, Socket::IPPROTO_UDP)

    def unix(path, type = Socket::SOCK_STREAM) = new(Socket.sockaddr_un(path), Socket::PF_UNIX, type)

    # All addresses of a host, each with the kinds of sockets that are asked for.
    def getaddrinfo(host, service, family = nil, type = nil, protocol = nil, flags = nil, timeout: nil)
      hints = {
        family: family ? Names.family(family) : 0, type: type ? Names.type(type) : 0,
        protocol: protocol ? Names.integer(protocol) : 0, flags: flags ? Names.integer(flags) : 0
      }
      rows = Resolver.find(host, service, **hints, timeout: timeout)
      rows.map { |row| new(*row[0, 4]).tap { |info| info.__send__(:name_as, host, service, rows.first) } }
    end

    def foreach(*arguments, **options, &block) = getaddrinfo(*arguments, **options).each(&block)

    private

    def first(host, service, type, protocol)
      row = Resolver.find(host, service, type: type, protocol: protocol).first
      parts = block_given? ? yield(row) : row[0, 4]
      new(*parts).tap { |info| info.__send__(:name_as, host, service, row) }
    end
  end

  # sockaddr: the system's form, or an array as IPSocket#addr returns.
  def initialize(sockaddr, family = nil, type = nil, protocol = nil)
    raise TypeError, "already initialized socket address" if @sockaddr

    @pfamily = family ? Names.family(family) : Socket::PF_UNSPEC
    @socktype = type ? Names.type(type) : 0
    @protocol = protocol ? Names.integer(protocol) : 0
    list = Array.try_convert(sockaddr)
    return take_list(*list) if list

    @sockaddr = Names.string(sockaddr).b
  end

  def to_sockaddr = sockaddr.dup
  alias to_s to_sockaddr

  def afamily = Sockaddr.family(sockaddr)

  def ip? = ipv4? || ipv6?

  def ipv4? = afamily == AF_INET

  def ipv6? = afamily == AF_INET6

  def unix? = afamily == AF_UNIX

  def ip_address = ip_unpack.first

  def ip_port = ip_unpack.last

  def ip_unpack
    raise SocketError, "need IPv4 or IPv6 address" unless ip?

    Sockaddr.ip(sockaddr)
  end

  def unix_path
    raise SocketError, "need AF_UNIX address" unless unix?

    Sockaddr.unix_path(sockaddr)
  end

  def ipv4_loopback? = ipv4_bits(8) == 127

  def ipv4_private? = ipv4_bits(8) == 10 || ipv4_bits(12) == 0xac1 || ipv4_bits(16) == 0xc0a8

  def ipv4_multicast? = ipv4_bits(4) == 0xe

  def ipv6_loopback? = ipv6_bits(128) == 1

  def ipv6_unspecified? = ipv6_bits(128) == 0

  def ipv6_linklocal? = ipv6_bits(10) == 0x3fa

  def ipv6_sitelocal? = ipv6_bits(10) == 0x3fb

  def ipv6_unique_local? = ipv6_bits(7) == 0x7e

  def ipv6_multicast? = ipv6_bits(8) == 0xff

  # Multicast addresses end their first group with how far they reach.
  { nodelocal: 1, linklocal: 2, sitelocal: 5, orglocal: 8, global: 0xe }.each do |name, scope|
    define_method(:"ipv6_mc_#{name}?") { ipv6_multicast? && ipv6_bits(16) & 0xf == scope }
  end

  def ipv6_v4mapped? = ipv6_bits(96) == 0xffff

  # An IPv4 address behind zeros alone; :: and ::1 are none.
  def ipv6_v4compat? = ipv6_bits(96) == 0 && ipv6_bits(128) > 1

  def ipv6_to_ipv4
    return unless ipv6_v4mapped? || ipv6_v4compat?

    Addrinfo.new([AF_INET, 0, sockaddr.byteslice(20, 4)].pack("Sna4x8"), Socket::PF_INET, socktype, protocol)
  end

  # Names of the host and the service.
  def getnameinfo(flags = 0)
    flags |= Socket::NI_DGRAM if socktype == Socket::SOCK_DGRAM
    Resolver.names(sockaddr, flags)
  end

  # An address of the same family as this one.
  def family_addrinfo(*arguments)
    raise ArgumentError, "no address specified" if arguments.empty?

    if arguments.first.is_a?(Addrinfo)
      raise ArgumentError, "too many arguments" unless arguments.size == 1

      return check_kind(arguments.first)
    end
    case
    when ip?
      check_count(arguments, 2, "IP address needs host and port")
      Addrinfo.getaddrinfo(*arguments, pfamily, socktype, protocol).first
    when unix?
      check_count(arguments, 1, "UNIX socket needs single path argument")
      Addrinfo.unix(*arguments)
    else raise ArgumentError, "unexpected family"
    end
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

  # Names, where there are any, mean the same on other systems.
  def marshal_dump
    names = [Names.full("AF_", afamily), unix? ? unix_path : Resolver.names(sockaddr, NUMERIC)]
    kind = [["PF_", pfamily, "protocol family"], ["SOCK_", socktype, "socktype"], ["IPPROTO_", protocol, "protocol"]]
    kind = kind.map do |prefix, number, what|
      next number if number.zero? && prefix != "PF_"

      Names.full(prefix, number) or raise SocketError, "unknown #{what}: #{number}"
    end
    [*names, *kind, canonname, @inspectname]
  end

  def marshal_load((family, place, pfamily, type, protocol, canonname, inspectname))
    sockaddr = if Names.family(family) == AF_UNIX then Socket.sockaddr_un(place)
               else Resolver.find(*place, family: Names.family(family), flags: NUMERIC_HINTS).first.first
               end
    initialize(sockaddr, pfamily, type, Names.protocol(protocol))
    @canonname = canonname
    @inspectname = inspectname
  end

  def inspect_sockaddr = Sockaddr.inspect(sockaddr)

  def inspect
    family = " #{Names.full("PF_", pfamily) || "PF_???(#{pfamily})"}" unless [0, afamily].include?(pfamily)
    names = "#{" #{canonname}" if canonname}#{" (#{@inspectname})" if @inspectname}"
    "#<#{self.class}: #{inspect_sockaddr}#{family}#{inspect_kind}#{names}>"
  end

  private

  NUMERIC = Socket::NI_NUMERICHOST | Socket::NI_NUMERICSERV
  NUMERIC_HINTS = Socket::AI_NUMERICHOST | Socket::AI_NUMERICSERV
  KINDS = {
    Socket::SOCK_STREAM => [Socket::IPPROTO_TCP, " TCP"], Socket::SOCK_DGRAM => [Socket::IPPROTO_UDP, " UDP"]
  }.freeze
  private_constant :NUMERIC, :NUMERIC_HINTS, :KINDS

  def sockaddr = @sockaddr || raise(TypeError, "uninitialized socket address")

  # ["AF_INET", port, host, address] or ["AF_UNIX", path]
  def take_list(name = nil, *rest)
    family = Names.number(Names.string(name), %w[AF_ PF_], "unknown address family")
    case family
    when AF_UNIX then take_path(rest.first)
    when AF_INET, AF_INET6 then take_address(family, *rest.first(3))
    else raise SocketError, "unexpected address family"
    end
  end

  def take_path(path)
    @sockaddr = Socket.sockaddr_un(path)
    @pfamily = Socket::PF_UNIX
    @socktype = Socket::SOCK_STREAM
  end

  # The name of the host is for showing.
  def take_address(family, port, host = nil, address = nil)
    port = Names.integer(port)
    host &&= Names.string(host)
    family = pfamily unless pfamily.zero?
    type = socktype.zero? ? Socket::SOCK_DGRAM : socktype
    row = Resolver.find(Names.string(address), port, family: family, type: type, protocol: protocol, flags: NUMERIC_HINTS).first
    @sockaddr, @pfamily = row
    name_as(host, port, row)
  end

  # The name that the address was found under, for inspect; as far as the address does not show it.
  def name_as(host, service, row)
    shown = Resolver.names(row.first, NUMERIC)
    host = nil unless host.is_a?(String) && host != shown.first
    service = nil if service.to_s == shown.last || service == 0
    @inspectname = "#{host}#{":#{service}" if service}" if host || service
    @canonname = row.last
  end

  def inspect_kind
    ip = [Socket::PF_INET, Socket::PF_INET6].include?(pfamily)
    usual, shown = KINDS[socktype] if ip
    return shown if usual && [0, usual].include?(protocol)

    kind = " #{Names.full("SOCK_", socktype) || "SOCK_???(#{socktype})"}" unless socktype.zero?
    used = " #{(Names.full("IPPROTO_", protocol) if ip) || "UNKNOWN_PROTOCOL(#{protocol})"}" unless protocol.zero?
    "#{kind}#{used}"
  end

  # The first bits of the address; nil if it is of the other family or too short.
  def ipv4_bits(count) = (sockaddr.unpack1("N", offset: 4) >> (32 - count) if ipv4? && sockaddr.bytesize >= 8)

  def ipv6_bits(count)
    return unless ipv6? && sockaddr.bytesize >= 24

    high, low = sockaddr.unpack("Q>Q>", offset: 8)
    (high << 64 | low) >> (128 - count)
  end

  def check_kind(other)
    same = other.pfamily == pfamily && other.socktype == socktype
    same ? other : raise(ArgumentError, "Addrinfo type mismatch")
  end

  def check_count(arguments, count, needs)
    raise ArgumentError, "#{needs} but #{arguments.size} arguments given" unless arguments.size == count
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
    socket = Socket.new(pfamily, socktype, protocol)
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
