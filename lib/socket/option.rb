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
      @level = Names.level(level)
      @optname = Names.option(@level, name)
      @data = data
    end

    def int
      check_size(4)
      data.unpack1("i")
    end

    def bool
      check_size(4)
      data.unpack1("i") != 0
    end

    def byte
      check_size(1)
      data.unpack1("C")
    end

    def ipv4_multicast_ttl = multicast(IP_MULTICAST_TTL)

    def ipv4_multicast_loop = multicast(IP_MULTICAST_LOOP)

    def linger
      check_size(8)
      on, seconds = data.unpack("ii")
      [on != 0, seconds]
    end

    def unpack(template) = data.unpack(template)

    def inspect
      prefix = {SOL_SOCKET => "SO_", IPPROTO_IP => "IP_", IPPROTO_IPV6 => "IPV6_"}[level] || "TCP_"
      shown = data.bytesize == 4 ? int : data.inspect
      "#<Socket::Option: #{Names.name("AF_", family).to_s.delete_prefix("AF_")} #{level_name} " \
        "#{Names.name(prefix, optname).to_s.delete_prefix(prefix)} #{shown}>"
    end

    private

    def level_name
      return "IP" if level == IPPROTO_IP
      Names.name("SOL_", level).to_s.delete_prefix("SOL_")
    end

    def multicast(name)
      unless family == AF_INET && level == IPPROTO_IP && optname == name
        raise TypeError, "ipv4_multicast_#{name == IP_MULTICAST_TTL ? "ttl" : "loop"} socket option expected"
      end
      int
    end

    def check_size(size)
      return if data.bytesize == size

      raise TypeError, "size differ.  expected as sizeof(int)=#{size} but #{data.bytesize}"
    end
  end
end
