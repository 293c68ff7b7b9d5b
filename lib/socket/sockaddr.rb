# carat: core

class Socket
  # The system's form of addresses, `struct sockaddr`, and names for them.
  module Sockaddr
    UNIX_PATH_SIZE = 108

    module_function

    def family(address) = address.unpack1("S")

    def of_ip(text, port, scope = 0)
      if text.include?(":")
        [AF_INET6, port, 0, ipv6_bytes(text.split("%").first), scope].pack("SnNa16L")
      else
        [AF_INET, port, *text.split(".").map(&:to_i)].pack("SnC4x8")
      end
    end

    # A name that begins with NUL stands in no folder.
    def of_unix(path)
      if path.bytesize > UNIX_PATH_SIZE
        raise ArgumentError, "too long unix socket path (#{path.bytesize}bytes given but #{UNIX_PATH_SIZE}bytes max)"
      end

      [AF_UNIX].pack("S") + path.b.ljust(UNIX_PATH_SIZE, "\0")
    end

    # Address and port.
    def ip(address)
      case family(address)
      when AF_INET
        _, port, *bytes = address.unpack("SnC4")
        [bytes.join("."), port]
      when AF_INET6
        _, port, _, bytes = address.unpack("SnNa16")
        [ipv6_text(bytes), port]
      else raise ArgumentError, "not an AF_INET/AF_INET6 sockaddr"
      end
    end

    def unix_path(address)
      raise ArgumentError, "not an AF_UNIX sockaddr" unless family(address) == AF_UNIX

      path = address.byteslice(2..).to_s
      path = path.start_with?("\0") ? path.sub(/\0+\z/, "") : path[/\A[^\0]*/]
      path.force_encoding(Encoding.default_external)
    end

    def is_ipv4?(text) = text.match?(/\A\d{1,3}(?:\.\d{1,3}){3}\z/) && text.split(".").all? { |part| part.to_i < 256 }

    def ipv6_bytes(text)
      head, tail = text.split("::", 2)
      head, tail = [head, tail].map { |part| part && groups(part) }
      return head.pack("n*") unless tail

      (head + [0] * (8 - head.size - tail.size) + tail).pack("n*")
    end

    def groups(text)
      text.split(":").flat_map do |group|
        next group.hex unless group.include?(".")

        group.split(".").map(&:to_i).pack("C4").unpack("n2")
      end
    end

    # The longest run of two zeros or more is left out.
    def ipv6_text(bytes)
      groups = bytes.unpack("n8")
      return "::ffff:#{bytes.unpack("x12C4").join(".")}" if groups.first(6) == [0, 0, 0, 0, 0, 0xffff]

      runs = groups.each_index.slice_when { |_, index| !(groups[index].zero? && groups[index - 1].zero?) }
      longest = runs.select { |run| groups[run.first].zero? && run.size > 1 }.max_by.with_index { |run, at| [run.size, -at] }
      hex = groups.map { |group| group.to_s(16) }
      return hex.join(":") unless longest

      "#{hex[...longest.first].join(":")}::#{hex[longest.last + 1..].join(":")}"
    end
  end
  private_constant :Sockaddr

  # Names of hosts and services.
  module Resolver
    module_function

    # Texts of addresses.
    def addresses(host, family: nil, passive: false)
      found = case host
              when nil then passive ? ["0.0.0.0", "::"] : ["::1", "127.0.0.1"]
              when "" then ["0.0.0.0", "::"]
              when "<any>" then ["0.0.0.0"]
              when "<broadcast>" then ["255.255.255.255"]
              when Integer then [[host].pack("N").unpack("C4").join(".")]
              else resolve(host.to_str)
              end
      found = found.select { |text| family_of(text) == family } if family && family != AF_UNSPEC
      found.empty? ? raise(ResolutionError.new(unknown(family), EAI_NONAME)) : found
    end

    def unknown(family)
      family && family != AF_UNSPEC ? "getaddrinfo(3): Address family for hostname not supported" : "getaddrinfo(3): Name or service not known"
    end

    def resolve(host)
      return [host] if Sockaddr.is_ipv4?(host) || host.include?(":")

      by_scheduler = Fiber.current_scheduler
      found = by_scheduler.respond_to?(:address_resolve) ? by_scheduler.address_resolve(host) : System.resolve(host)
      found&.uniq || raise(ResolutionError.new("getaddrinfo(3): Name or service not known", EAI_NONAME))
    end

    # The name of an address where names are wanted: true, :hostname, or nil as sockets have it by default.
    def shown_host(info, reverse_lookup, default = BasicSocket.do_not_reverse_lookup)
      reverse_lookup = !default if reverse_lookup.nil?
      return info.ip_address if [false, :numeric].include?(reverse_lookup)
      raise TypeError, "wrong argument type #{reverse_lookup.class} (expected true, false, :hostname, or :numeric)" unless
        reverse_lookup == true || reverse_lookup.is_a?(Symbol)
      raise ArgumentError, "invalid reverse_lookup flag: #{reverse_lookup.inspect}" unless [true, :hostname].include?(reverse_lookup)

      info.getnameinfo(NI_NUMERICSERV).first
    end

    def family_of(text) = text.include?(":") ? AF_INET6 : AF_INET

    def port(service, protocol = nil)
      case service
      when nil, "" then 0
      when Integer then service
      when ->(value) { !value.is_a?(String) }
        text = String.try_convert(service) or raise TypeError, "no implicit conversion of #{service.class} into String"
        port(text, protocol)
      when /\A\s*\d+\z/ then service.to_i
      else
        entry = services.find { |name, _, kind, aliases| [name, *aliases].include?(service.to_str) && (!protocol || kind == protocol) }
        entry ? entry[1] : raise(ResolutionError.new("getaddrinfo(3): Servname not supported for ai_socktype", EAI_SERVICE))
      end
    end

    # Name, port, protocol and aliases of each service of the system.
    def services
      @services ||= File.exist?("/etc/services") ? File.readlines("/etc/services").filter_map { |line| service(line) } : []
    end

    def service(line)
      name, place, *aliases = line.sub(/#.*/, "").split
      return unless place&.include?("/")

      port, protocol = place.split("/")
      [name, port.to_i, protocol, aliases]
    end
  end
  private_constant :Resolver

  class << self
    def sockaddr_in(port, host)
      Sockaddr.of_ip(Resolver.addresses(host).first, Resolver.port(port))
    end
    alias pack_sockaddr_in sockaddr_in

    def unpack_sockaddr_in(address)
      address = address.to_sockaddr if address.is_a?(Addrinfo)
      Sockaddr.ip(address).reverse
    end

    def sockaddr_un(path) = Sockaddr.of_unix(path)
    alias pack_sockaddr_un sockaddr_un

    def unpack_sockaddr_un(address)
      address = address.to_sockaddr if address.is_a?(Addrinfo)
      Sockaddr.unix_path(address)
    end

    def gethostname = File.exist?("/proc/sys/kernel/hostname") ? File.read("/proc/sys/kernel/hostname").chomp : "localhost"

    def getservbyname(name, protocol = "tcp")
      entry = Resolver.services.find { |own, _, kind, aliases| [own, *aliases].include?(name) && kind == protocol }
      entry ? entry[1] : raise(SocketError, "no such service #{name}/#{protocol}")
    end

    def getservbyport(port, protocol = "tcp")
      entry = Resolver.services.find { |_, own, kind| own == port && kind == protocol }
      entry ? entry.first : raise(SocketError, "no such service for port #{port}/#{protocol}")
    end

    # [family, port, host, address, family number, type, protocol] of each address.
    def getaddrinfo(host, service, family = nil, type = nil, protocol = nil, flags = nil, reverse_lookup = nil)
      Addrinfo.getaddrinfo(host, service, family, type, protocol, flags || 0).map do |info|
        name = Resolver.shown_host(info, reverse_lookup)
        [info.ipv6? ? "AF_INET6" : "AF_INET", info.ip_port, name, info.ip_address, info.afamily, info.socktype, info.protocol]
      end
    end

    # Host and service of an address.
    def getnameinfo(address, flags = 0)
      if address.is_a?(Array)
        raise ArgumentError, "array size should be 3 or 4, #{address.size} given" unless [3, 4].include?(address.size)

        port, text = address[1], address[3] || address[2]
      else
        text, port = Sockaddr.ip(address)
      end
      Addrinfo.tcp(text, port).getnameinfo(flags)
    end
  end
end
