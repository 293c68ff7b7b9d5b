# carat: core

class Socket
  # An option of a socket: where it belongs, its number and its value's bytes.
  class Option
    attr_reader :family, :level, :optname, :data
    alias to_s data

    def self.int(family, level, name, value) = new(family, level, name, [value].pack("i"))

    def self.bool(family, level, name, value) = new(family, level, name, [value ? 1 : 0].pack("i"))

    def self.byte(family, level, name, value) = new(family, level, name, [value].pack("C"))

    def self.linger(on, seconds)
      on = on ? 1 : 0 unless on.is_a?(Integer)
      new(:UNSPEC, :SOCKET, :LINGER, [on, seconds].pack("ii"))
    end

    # How far datagrams to groups go: a byte on Linux, as the system takes and gives an int.
    def self.ipv4_multicast_ttl(hops) = new(:INET, :IP, :MULTICAST_TTL, [hops].pack("i"))

    # Whether datagrams to groups come back to the sender.
    def self.ipv4_multicast_loop(on) = new(:INET, :IP, :MULTICAST_LOOP, [on].pack("i"))

    def initialize(family, level, name, data)
      @family = Names.family(family)
      @level = Names.level(@family, level)
      @optname = Names.option(@family, @level, name)
      @data = Names.string(data)
    end

    def int
      check_size(4)
      data.unpack1("i")
    end

    # A byte on other systems, where some options are one.
    def bool = data.bytesize == 1 ? data != "\0" : int != 0

    def byte
      check_size(1, "char")
      data.unpack1("C")
    end

    def ipv4_multicast_ttl = multicast(IP_MULTICAST_TTL)

    def ipv4_multicast_loop = multicast(IP_MULTICAST_LOOP)

    def linger
      raise TypeError, "linger socket option expected" unless level == SOL_SOCKET && optname == SO_LINGER

      check_size(8, "struct linger")
      on, seconds = data.unpack("ii")
      [on != 0, seconds]
    end

    def unpack(template) = data.unpack(template)

    def inspect
      place = Names.shown(Names::OPTIONS, family, level, optname, "level", "optname")
      "#<#{self.class}: #{place} #{shown_data || data.inspect}>"
    end

    private

    # Whether the value is a number, by level.
    NUMBERS = {
      SOL_SOCKET => [
        SO_DEBUG, SO_ACCEPTCONN, SO_BROADCAST, SO_REUSEADDR, SO_KEEPALIVE, SO_OOBINLINE, SO_SNDBUF, SO_RCVBUF, SO_DONTROUTE,
        SO_RCVLOWAT, SO_SNDLOWAT
      ],
      IPPROTO_IP => [IP_MULTICAST_LOOP, IP_MULTICAST_TTL],
      IPPROTO_IPV6 => [IPV6_MULTICAST_HOPS, IPV6_MULTICAST_IF, IPV6_MULTICAST_LOOP, IPV6_UNICAST_HOPS, IPV6_V6ONLY],
      IPPROTO_TCP => [TCP_NODELAY]
    }.freeze
    private_constant :NUMBERS

    # A value of a known kind and size.
    def shown_data
      return unless Names.is_internet?(family) || level == SOL_SOCKET
      return (int.to_s if data.bytesize == 4) if NUMBERS[level]&.include?(optname)

      case level
      when SOL_SOCKET then shown_socket_data
      when IPPROTO_IP then shown_ip_data
      when IPPROTO_IPV6 then shown_group if [IPV6_JOIN_GROUP, IPV6_LEAVE_GROUP].include?(optname)
      end
    end

    def shown_socket_data
      case [optname, data.bytesize]
      when [SO_ERROR, 4] then "#{SystemCallError.new(int).message} (#{int})"
      when [SO_TYPE, 4] then Names.full("SOCK_", int) || int.to_s
      when [SO_LINGER, 8] then "%s %dsec" % [{0 => "off", 1 => "on"}.fetch(data.unpack1("i")) { |on| "on(#{on})" }, linger.last]
      when [SO_RCVTIMEO, 16], [SO_SNDTIMEO, 16] then "%d.%06dsec" % data.unpack("qq")
      when [SO_PEERCRED, 12] then "pid=%d euid=%d egid=%d (ucred)" % data.unpack("iII")
      end
    end

    def shown_ip_data
      texts = data.unpack("C4" * (data.bytesize / 4)).each_slice(4).map { |bytes| bytes.join(".") }
      case [optname, data.bytesize]
      when [IP_MULTICAST_IF, 4] then texts.first
      when [IP_ADD_MEMBERSHIP, 8], [IP_DROP_MEMBERSHIP, 8] then texts.join(" ")
      when [IP_ADD_MEMBERSHIP, 12], [IP_DROP_MEMBERSHIP, 12] then "#{texts.first(2).join(" ")} ifindex:#{data.unpack1("i", offset: 8)}"
      end
    end

    def shown_group
      return unless data.bytesize == 20

      address, interface = data.unpack("a16I")
      "#{Sockaddr.ip([AF_INET6, 0, 0, address, 0].pack("SnNa16L")).first} interface:#{interface}"
    end

    def multicast(name)
      unless family == AF_INET && level == IPPROTO_IP && optname == name
        raise TypeError, "ipv4_multicast_#{name == IP_MULTICAST_TTL ? "ttl" : "loop"} socket option expected"
      end
      int
    end

    def check_size(size, type = "int")
      return if data.bytesize == size

      raise TypeError, "size differ.  expected as sizeof(#{type})=#{size} but #{data.bytesize}"
    end
  end
end
