# carat: core

class Socket
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
end
