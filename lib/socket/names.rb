# carat: core
# frozen_string_literal: true

class Socket
  # Numbers by the names that methods take, and names by number: :INET and "AF_INET" are 2.
  module Names
    # The names of options and of control messages begin so at each level of the internet's protocols.
    OPTIONS = Ractor.make_shareable({
      SOL_SOCKET => ["SO_", "socket level"], IPPROTO_IP => ["IP_", "IP level"], IPPROTO_IPV6 => ["IPV6_", "IPv6 level"],
      IPPROTO_TCP => ["TCP_", "TCP level"], IPPROTO_UDP => ["UDP_", "UDP level"]
    })
    CONTROLS = Ractor.make_shareable({
      SOL_SOCKET => ["SCM_", "UNIX"], IPPROTO_IP => ["IP_", "IP"], IPPROTO_IPV6 => ["IPV6_", "IPv6"],
      IPPROTO_TCP => ["TCP_", "TCP"], IPPROTO_UDP => ["UDP_", "UDP"]
    })

    module_function

    def family(value) = number(value, %w[AF_ PF_], "unknown socket domain")

    def type(value) = number(value, %w[SOCK_], "unknown socket type")

    def flag(value) = number(value, %w[MSG_], "unknown message flag")

    def shutdown(value) = number(value, %w[SHUT_], "unknown shutdown argument")

    def protocol(value) = number(value, %w[IPPROTO_], "unknown protocol")

    # Sockets that are not the internet's have one level.
    def level(family, value)
      return SOL_SOCKET if %w[SOCKET SOL_SOCKET].include?(text(value))

      number(value, is_internet?(family) ? %w[IPPROTO_] : [], "unknown protocol level")
    end

    def option(family, level, value) = by_level(OPTIONS, family, level, value, "unknown %s option name")

    def control(family, level, value) = by_level(CONTROLS, family, level, value, "unknown %s control message")

    def is_internet?(family) = [AF_INET, AF_INET6].include?(family)

    def by_level(table, family, level, value, complaint)
      prefix, shown = table[level] if is_internet?(family) || level == SOL_SOCKET
      prefix ? number(value, [prefix], complaint % shown) : integer(value)
    end

    # A name may have the prefix or lack it.
    def number(value, prefixes, complaint)
      name = text(value)
      return integer(value) unless name

      found = prefixes.map { |prefix| name.start_with?(prefix) ? name : "#{prefix}#{name}" }
      found = found.find { |full| full.match?(/\A[A-Z]\w*\z/) && Constants.const_defined?(full) }
      found ? Constants.const_get(found) : raise(SocketError, "#{complaint}: #{name}")
    end

    def text(value) = value.is_a?(Symbol) ? value.name : String.try_convert(value)

    def string(value)
      String.try_convert(value) or
        raise TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into String"
    end

    def integer(value)
      Integer.try_convert(value) or
        raise TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into Integer"
    end

    # The constant of a prefix that has a number; nil if none does.
    def full(prefix, number)
      Constants.constants.find { |name| name.start_with?(prefix) && Constants.const_get(name) == number }&.name
    end

    def short(prefix, number) = full(prefix, number)&.delete_prefix(prefix)

    # The family, the level and the name within it, as inspect shows them.
    def shown(table, family, level, name, level_label, name_label)
      known = level == SOL_SOCKET ? "SOCKET" : (short("IPPROTO_", level) if is_internet?(family))
      prefix, = table[level] if known
      shown_name = short(prefix, name) if prefix
      "#{short("AF_", family) || "family:#{family}"} #{known || "#{level_label}:#{level}"} #{shown_name || "#{name_label}:#{name}"}"
    end
  end
  private_constant :Names
end
