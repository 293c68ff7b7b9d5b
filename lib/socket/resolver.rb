# carat: core

class Socket
  # Names of hosts and services, as the system's resolver answers them.
  module Resolver
    module_function

    # Rows of address, family, type, protocol and canonical name. Nil, a name, a number or a text of an address may stand for
    # the host; nil, a number or a name for the service.
    def find(host, service, family: 0, type: 0, protocol: 0, flags: 0, about: "getaddrinfo", timeout: nil)
      text, host_flags = host_text(host)
      port, service_flags = service_text(service)
      return raw(host, port.to_i, family: family, protocol: protocol, flags: flags) if type == SOCK_RAW && port&.match?(/\A\d+\z/)

      hints = [family, type, protocol, flags | host_flags | service_flags]
      timeout = nil if is_numeric?(text)
      found = by_scheduler(text, port, hints) ||
              within(timeout, host, service) { System.addresses(text, port, hints) }
      raise SocketError, "newline at the end of hostname" if found.is_a?(Integer) && text&.end_with?("\n")

      found.is_a?(Integer) ? fail_with(about, found) : found
    end

    # The system's resolver has no ports for raw sockets.
    def raw(host, port, **hints)
      find(host, nil, type: SOCK_RAW, **hints).each { |address, *| address[2, 2] = [port].pack("n") }
    end

    # The system's resolver cannot be stopped: a thread waits for it that nobody waits for any more.
    def within(timeout, host, service, &lookup)
      return yield unless timeout
      raise ArgumentError, "timeout must not be negative" if timeout.negative?

      thread = Thread.new(&lookup)
      thread.report_on_exception = false
      thread.join(timeout) or raise IO::TimeoutError, "user specified timeout for #{host} port #{service}"
      thread.value
    end

    def timeouts(connect, lookup, open)
      if open && (connect || lookup)
        raise ArgumentError, "Cannot specify open_timeout along with connect_timeout or resolv_timeout"
      end

      { connect_timeout: connect, resolv_timeout: lookup, open_timeout: open }
    end

    # What tests ask for: to find an address of a family takes as many milliseconds longer, or fails.
    def imitate(settings, family)
      name = family == AF_INET6 ? :ipv6 : :ipv4
      delay = settings.dig(:delay, name)
      sleep(delay / 1000.0) if delay
      code = settings.dig(:error, name)
      fail_with("getaddrinfo(3)", code) if code
    end

    # How many seconds an attempt may take, as a procedure.
    def time_left(timeouts)
      return -> { timeouts[:connect_timeout] } unless timeouts[:open_timeout]

      ends_at = Process.clock_gettime(Process::CLOCK_MONOTONIC) + timeouts[:open_timeout]
      -> { [ends_at - Process.clock_gettime(Process::CLOCK_MONOTONIC), 0].max }
    end

    # Whether finding a host may take time, in which others can be done; a scheduler has its own means.
    def is_slow?(host) = host.is_a?(String) && !is_numeric?(host) && Fiber.current_scheduler.nil?

    # Whoever needs no type takes the first one that there is.
    def sockaddr(host, service, family: 0, flags: 0, about: "getaddrinfo")
      type = service.nil? || service.to_s.match?(/\A\d+\z/) ? SOCK_DGRAM : 0
      find(host, service, family: family, type: type, flags: flags, about: about).first.first
    end

    # Names of the host and the service of an address.
    def names(address, flags)
      found = System.names(address, flags)
      found.is_a?(Integer) ? fail_with("getnameinfo", found) : found
    end

    def fail_with(about, code) = raise(ResolutionError.new("#{about}: #{System.lookup_message(code)}", code))

    def host_text(host)
      case host
      when nil then [nil, 0]
      when Integer then [[host].pack("N").unpack("C4").join("."), AI_NUMERICHOST]
      else
        case text = without_nul(Names.string(host))
        when "", "<any>" then ["0.0.0.0", AI_NUMERICHOST]
        when "<broadcast>" then ["255.255.255.255", AI_NUMERICHOST]
        else [text, 0]
        end
      end
    end

    def without_nul(text) = text.include?("\0") ? raise(ArgumentError, "string contains null byte") : text

    def is_numeric?(host) = host.nil? || host.match?(/\A(?:[\d.]+|\h*:[\h:.]*(?:%.*)?)\z/)

    def service_text(service)
      return [service&.to_s, service ? AI_NUMERICSERV : 0] if service.nil? || service.is_a?(Integer)

      text = without_nul(Names.string(service))
      [text.empty? ? "0" : text, 0]
    end

    # What the fiber scheduler finds; nil if it is not asked.
    def by_scheduler(host, service, (*hints, flags))
      scheduler = Fiber.current_scheduler
      return unless host && scheduler.respond_to?(:address_resolve)
      return if flags & AI_NUMERICHOST != 0 || is_numeric?(host)

      texts = scheduler.address_resolve(host)
      return EAI_NONAME if texts.nil? || texts.empty?

      texts.uniq.flat_map do |text|
        rows = System.addresses(text, service, [*hints, flags | AI_NUMERICHOST])
        rows.is_a?(Integer) ? [] : rows
      end
    end

    # The name of an address where names are wanted: true, :hostname, or nil as sockets have it by default.
    def shown_host(address, reverse_lookup, default = BasicSocket.do_not_reverse_lookup)
      reverse_lookup = !default if reverse_lookup.nil?
      return names(address, NI_NUMERICHOST | NI_NUMERICSERV).first if [false, :numeric].include?(reverse_lookup)
      raise TypeError, "wrong argument type #{reverse_lookup.class} (expected true, false, :hostname, or :numeric)" unless
        reverse_lookup == true || reverse_lookup.is_a?(Symbol)
      raise ArgumentError, "invalid reverse_lookup flag: #{reverse_lookup.inspect}" unless [true, :hostname].include?(reverse_lookup)

      names(address, NI_NUMERICSERV).first
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
    def sockaddr_in(port, host) = Resolver.sockaddr(host, port)
    alias pack_sockaddr_in sockaddr_in

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
      Addrinfo.getaddrinfo(host, service, family, type, protocol, flags).map do |info|
        name = Resolver.shown_host(info.to_sockaddr, reverse_lookup)
        [Names.full("AF_", info.afamily), info.ip_port, name, info.ip_address, info.afamily, info.socktype, info.protocol]
      end
    end

    # Host and service of an address, in the system's form or as IPSocket#addr returns it.
    def getnameinfo(address, flags = 0)
      Resolver.names(address.is_a?(Array) ? sockaddr_of_list(address) : Sockaddr.bytes(address), flags)
    end

    private

    def sockaddr_of_list(list)
      raise ArgumentError, "array size should be 3 or 4, #{list.size} given" unless [3, 4].include?(list.size)

      family, port, host, text = list
      family = family ? Names.family(family) : AF_UNSPEC
      Resolver.find(text || host, port, family: family, type: SOCK_DGRAM, flags: text ? AI_NUMERICHOST : 0).first.first
    end
  end
end
