# carat: core

class Socket
  # Data that goes beside a message: open files, credentials, the time or the interface that it came by.
  class AncillaryData
    attr_reader :family, :level, :type

    class << self
      def int(family, level, type, value) = new(family, level, type, [Names.integer(value)].pack("i"))

      # Open files for the process at the other end.
      def unix_rights(*files)
        files.each { |file| raise TypeError, "IO expected" unless file.is_a?(IO) }
        new(:UNIX, :SOCKET, :RIGHTS, files.map(&:fileno).pack("i*")).tap { |data| data.__send__(:hold, files) }
      end

      # An address of this machine that a datagram came to, the number of the interface, and the address to answer from.
      def ip_pktinfo(address, interface, destination = address)
        new(:INET, :IP, :PKTINFO, [interface].pack("i") + bytes(destination, AF_INET) + bytes(address, AF_INET))
      end

      def ipv6_pktinfo(address, interface)
        new(:INET6, :IPV6, :PKTINFO, bytes(address, AF_INET6) + [interface].pack("I"))
      end

      private

      # The four or sixteen bytes of an address.
      def bytes(address, family)
        raise ArgumentError, "addr size different to #{Names.full("AF_", family)} sockaddr" unless address.afamily == family

        text = address.to_sockaddr
        family == AF_INET6 ? text.byteslice(8, 16) : text.byteslice(4, 4)
      end
    end

    def initialize(family, level, type, data)
      @family = Names.family(family)
      @level = Names.level(@family, level)
      @type = Names.control(@family, @level, type)
      @data = Names.string(data)
    end

    def data = @data.dup

    def int
      raise TypeError, "size differ.  expected as sizeof(int)=4 but #{@data.bytesize}" unless @data.bytesize == 4

      @data.unpack1("i")
    end

    def cmsg_is?(level, type)
      level = Names.level(family, level)
      type = Names.control(family, level, type)
      @level == level && @type == type
    end

    # Address, interface, address to answer from.
    def ip_pktinfo
      unless is?(IPPROTO_IP, IP_PKTINFO) && @data.bytesize == 12
        raise TypeError, "IP_PKTINFO ancillary data expected"
      end

      interface, from, address = @data.unpack("ia4a4")
      [ip(address), interface, ip(from)]
    end

    def ipv6_pktinfo
      unless is?(IPPROTO_IPV6, IPV6_PKTINFO) && @data.bytesize == 20
        raise TypeError, "IPV6_PKTINFO ancillary data expected"
      end

      address, interface = @data.unpack("a16I")
      [ip(address), interface]
    end

    def ipv6_pktinfo_addr = ipv6_pktinfo[0]

    def ipv6_pktinfo_ifindex = ipv6_pktinfo[1]

    # Open files that came with the message; nil if its receiver did not ask for them.
    def unix_rights
      raise TypeError, "SCM_RIGHTS ancillary data expected" unless is?(SOL_SOCKET, SCM_RIGHTS)

      @files
    end

    def timestamp
      case [@level, @type, @data.bytesize]
      when [SOL_SOCKET, SCM_TIMESTAMP, 16] then Time.at(*@data.unpack("qq"))
      when [SOL_SOCKET, SCM_TIMESTAMPNS, 16] then Time.at(*@data.unpack("qq"), :nsec)
      else raise TypeError, "timestamp ancillary data expected"
      end
    end

    def inspect
      place = Names.shown(Names::CONTROLS, family, @level, @type, "cmsg_level", "cmsg_type")
      "#<#{self.class}: #{place} #{shown_data || @data.inspect}>"
    end

    private

    def is?(level, type) = @level == level && @type == type

    def hold(files)
      @files = files unless files.empty?
    end

    # Files that came are the receiver's, or nobody's.
    def open_files = hold(descriptors.map { |fd| is_socket?(fd) ? Socket.for_fd(fd) : IO.for_fd(fd) })

    def close_files = descriptors.each { |fd| IO.for_fd(fd).close }

    def descriptors = is?(SOL_SOCKET, SCM_RIGHTS) ? @data.unpack("i*") : []

    def is_socket?(fd)
      System.option(fd, SOL_SOCKET, SO_TYPE)
      true
    rescue Errno::ENOTSOCK
      false
    end

    # Data of a known kind and size.
    def shown_data
      case [@level, @type]
      when [SOL_SOCKET, SCM_RIGHTS] then @data.unpack("i*").join(" ") if @data.bytesize >= 4
      when [SOL_SOCKET, SCM_CREDENTIALS] then shown_credentials
      when [SOL_SOCKET, SCM_TIMESTAMP] then timestamp.strftime("%F %T.%6N") if @data.bytesize == 16
      when [SOL_SOCKET, SCM_TIMESTAMPNS] then timestamp.strftime("%F %T.%9N") if @data.bytesize == 16
      else shown_pktinfo
      end
    end

    def shown_credentials
      "pid=%d uid=%d gid=%d (ucred)" % @data.unpack("iII") if @data.bytesize == 12
    end

    def shown_pktinfo
      if family == AF_INET && is?(IPPROTO_IP, IP_PKTINFO) && @data.bytesize == 12
        address, interface, from = ip_pktinfo
        "#{address.ip_address} ifindex:#{interface} spec_dst:#{from.ip_address}"
      elsif family == AF_INET6 && is?(IPPROTO_IPV6, IPV6_PKTINFO) && @data.bytesize == 20
        address, interface = ipv6_pktinfo
        "#{address.ip_address} ifindex:#{interface}"
      end
    end

    def ip(bytes)
      Addrinfo.new(bytes.bytesize == 4 ? [AF_INET, 0, bytes].pack("Sna4x8") : [AF_INET6, 0, 0, bytes, 0].pack("SnNa16L"))
    end
  end
end
