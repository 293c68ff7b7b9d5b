# carat: core

class Socket
  # The system's form of addresses, `struct sockaddr`.
  module Sockaddr
    UNIX_PATH_SIZE = 108
    IPV4_SIZE = 16
    IPV6_SIZE = 28
    PACKET_TYPES = %w[HOST BROADCAST MULTICAST OTHERHOST OUTGOING].freeze

    module_function

    # An address that is given as an Addrinfo or as its bytes.
    def bytes(address)
      address.is_a?(Addrinfo) ? address.to_sockaddr : Names.string(address)
    end

    # The system gives no bytes for an address that it does not know.
    def family(address) = address.bytesize < 2 ? AF_UNSPEC : address.unpack1("S")

    # A name that begins with NUL stands in no folder, and an empty one asks the system for such a name.
    def is_abstract?(path) = path.empty? || path.start_with?("\0")

    def of_unix(path)
      path = Names.string(path)
      if path.bytesize > UNIX_PATH_SIZE
        raise ArgumentError, "too long unix socket path (#{path.bytesize} bytes given but #{UNIX_PATH_SIZE} bytes max)"
      end

      path = path.b
      path = path.ljust(UNIX_PATH_SIZE, "\0") unless is_abstract?(path)
      [AF_UNIX].pack("S") + path
    end

    # Address and port.
    def ip(address)
      check_family(address, [AF_INET, AF_INET6], "AF_INET/AF_INET6")

      host, port = Resolver.names(address, NI_NUMERICHOST | NI_NUMERICSERV)
      [host, port.to_i]
    end

    def unix_path(address)
      check_family(address, [AF_UNIX], "AF_UNIX")
      if address.bytesize > UNIX_PATH_SIZE + 2
        raise SocketError, "too long AF_UNIX path (#{address.bytesize - 2} bytes given but #{UNIX_PATH_SIZE} bytes max)"
      end

      address.byteslice(2..).to_s.b.sub(/\0+\z/n, "")
    end

    def check_family(address, families, shown)
      raise ArgumentError, "too short sockaddr" if address.bytesize < 2
      raise ArgumentError, "not an #{shown} sockaddr" unless families.include?(family(address))
    end

    # An address as errors and inspect show it, however little of it there is.
    def inspect(address)
      return "empty-sockaddr" if address.empty?
      return "too-short-sockaddr" if address.bytesize < 2

      case family(address)
      when AF_UNSPEC then "UNSPEC"
      when AF_INET then inspect_ipv4(address)
      when AF_INET6 then inspect_ipv6(address)
      when AF_UNIX then inspect_unix(address)
      when AF_PACKET then inspect_packet(address)
      else inspect_unknown(Names.full("AF_", family(address)), family(address))
      end
    end

    def inspect_unknown(name, number) = name ? "#{name} address format unknown" : "unknown address family #{number}"

    def inspect_ipv4(address)
      host = Array.new(4) { |place| address.getbyte(4 + place) || "?" }.join(".")
      port = address.bytesize > 4 ? address.unpack1("n", offset: 2) : "?"
      host = "#{host}:#{port}" unless port == 0
      address.bytesize == IPV4_SIZE ? host : "#{host} (#{address.bytesize} bytes for #{IPV4_SIZE} bytes sockaddr_in)"
    end

    def inspect_ipv6(address)
      return "too-short-AF_INET6-sockaddr #{address.bytesize} bytes" if address.bytesize < IPV6_SIZE

      host, port = ip(address)
      rest = address.bytesize - IPV6_SIZE
      "#{port.zero? ? host : "[#{host}]:#{port}"}#{"(sockaddr #{rest} bytes too long)" if rest > 0}"
    end

    # A path with other than printable characters is shown as bytes.
    def inspect_unix(address)
      path = address.byteslice(2..).sub(/\0+\z/n, "")
      return "empty-path-AF_UNIX-sockaddr" if path.empty?
      return path.unpack("C*").sum("UNIX") { |byte| ":%02x" % byte } unless path.match?(/\A[!-~]+\z/n)

      path.start_with?("/") ? path : "UNIX #{path}"
    end

    # An address below those of IP, on an interface.
    def inspect_packet(address)
      return "too-short-AF_PACKET-sockaddr" if address.bytesize < 20

      _, protocol, index, hardware, type, size, bytes = address.unpack("SniSCCa8")
      name = System.interfaces.find { |interface| interface[1] == index }&.first || "ifindex=#{index}"
      shown = bytes.byteslice(0, size).unpack("C*").map { |byte| "%02x" % byte }.join(":")
      "PACKET[protocol=#{protocol} #{name} hatype=#{hardware} #{PACKET_TYPES[type] || "pkttype=#{type}"} hwaddr=#{shown}]"
    end
  end
  private_constant :Sockaddr

  class << self
    def unpack_sockaddr_in(address) = Sockaddr.ip(Sockaddr.bytes(address)).reverse

    def sockaddr_un(path) = Sockaddr.of_unix(path)
    alias pack_sockaddr_un sockaddr_un

    def unpack_sockaddr_un(address) = Sockaddr.unix_path(Sockaddr.bytes(address))
  end
end
