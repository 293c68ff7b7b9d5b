# carat: core

class Socket
  # The numbers of Linux.
  module Constants
    AF_UNSPEC = PF_UNSPEC = 0
    AF_UNIX = PF_UNIX = AF_LOCAL = PF_LOCAL = 1
    AF_INET = PF_INET = 2
    AF_INET6 = PF_INET6 = 10
    AF_PACKET = PF_PACKET = 17

    SOCK_STREAM = 1
    SOCK_DGRAM = 2
    SOCK_RAW = 3
    SOCK_RDM = 4
    SOCK_SEQPACKET = 5
    SOCK_PACKET = 10
    SOCK_NONBLOCK = 2048
    SOCK_CLOEXEC = 524_288

    IPPROTO_IP = 0
    IPPROTO_HOPOPTS = 0
    IPPROTO_ICMP = 1
    IPPROTO_IGMP = 2
    IPPROTO_TCP = 6
    IPPROTO_EGP = 8
    IPPROTO_PUP = 12
    IPPROTO_UDP = 17
    IPPROTO_IDP = 22
    IPPROTO_TP = 29
    IPPROTO_IPV6 = 41
    IPPROTO_ROUTING = 43
    IPPROTO_FRAGMENT = 44
    IPPROTO_ESP = 50
    IPPROTO_AH = 51
    IPPROTO_ICMPV6 = 58
    IPPROTO_NONE = 59
    IPPROTO_DSTOPTS = 60
    IPPROTO_RAW = 255

    SOL_SOCKET = 1
    SOL_IP = 0
    SOL_TCP = 6
    SOL_UDP = 17

    SO_DEBUG = 1
    SO_REUSEADDR = 2
    SO_TYPE = 3
    SO_ERROR = 4
    SO_DONTROUTE = 5
    SO_BROADCAST = 6
    SO_SNDBUF = 7
    SO_RCVBUF = 8
    SO_KEEPALIVE = 9
    SO_OOBINLINE = 10
    SO_PRIORITY = 12
    SO_LINGER = 13
    SO_REUSEPORT = 15
    SO_PASSCRED = 16
    SO_PEERCRED = 17
    SO_RCVLOWAT = 18
    SO_SNDLOWAT = 19
    SO_RCVTIMEO = 20
    SO_SNDTIMEO = 21
    SO_BINDTODEVICE = 25
    SO_TIMESTAMP = 29
    SO_ACCEPTCONN = 30
    SO_PROTOCOL = 38
    SO_DOMAIN = 39

    UDP_CORK = 1

    TCP_NODELAY = 1
    TCP_MAXSEG = 2
    TCP_CORK = 3
    TCP_KEEPIDLE = 4
    TCP_KEEPINTVL = 5
    TCP_KEEPCNT = 6
    TCP_SYNCNT = 7
    TCP_LINGER2 = 8
    TCP_DEFER_ACCEPT = 9
    TCP_INFO = 11
    TCP_QUICKACK = 12
    TCP_USER_TIMEOUT = 18
    TCP_FASTOPEN = 23

    IP_TOS = 1
    IP_TTL = 2
    IP_PKTINFO = 8
    IP_MULTICAST_IF = 32
    IP_MULTICAST_TTL = 33
    IP_MULTICAST_LOOP = 34
    IP_ADD_MEMBERSHIP = 35
    IP_DROP_MEMBERSHIP = 36
    IPV6_UNICAST_HOPS = 16
    IPV6_MULTICAST_IF = 17
    IPV6_MULTICAST_HOPS = 18
    IPV6_MULTICAST_LOOP = 19
    IPV6_JOIN_GROUP = 20
    IPV6_LEAVE_GROUP = 21
    IPV6_V6ONLY = 26
    IPV6_PKTINFO = 50

    SCM_RIGHTS = 1
    SCM_CREDENTIALS = 2
    SCM_TIMESTAMP = 29

    MSG_OOB = 1
    MSG_PEEK = 2
    MSG_DONTROUTE = 4
    MSG_CTRUNC = 8
    MSG_TRUNC = 32
    MSG_DONTWAIT = 64
    MSG_EOR = 128
    MSG_WAITALL = 256
    MSG_NOSIGNAL = 16_384
    MSG_MORE = 32_768

    SHUT_RD = 0
    SHUT_WR = 1
    SHUT_RDWR = 2
    SOMAXCONN = 4096

    AI_PASSIVE = 1
    AI_CANONNAME = 2
    AI_NUMERICHOST = 4
    AI_V4MAPPED = 8
    AI_ALL = 16
    AI_ADDRCONFIG = 32
    AI_NUMERICSERV = 1024
    NI_NUMERICHOST = 1
    NI_NUMERICSERV = 2
    NI_NOFQDN = 4
    NI_NAMEREQD = 8
    NI_DGRAM = 16
    NI_MAXHOST = 1025
    NI_MAXSERV = 32

    EAI_BADFLAGS = -1
    EAI_NONAME = -2
    EAI_AGAIN = -3
    EAI_FAIL = -4
    EAI_FAMILY = -6
    EAI_SOCKTYPE = -7
    EAI_SERVICE = -8
    EAI_MEMORY = -10
    EAI_SYSTEM = -11

    INADDR_ANY = 0
    INADDR_BROADCAST = 0xFFFFFFFF
    INADDR_LOOPBACK = 0x7F000001
    INADDR_NONE = 0xFFFFFFFF
  end

  include Constants
  Constants.constants.each { |name| const_set(name, Constants.const_get(name)) }

  # Numbers by the names that methods take: integers, :INET, "AF_INET".
  module Names
    module_function

    def family(value) = number(value, %w[AF_ PF_], "unknown socket domain")

    def type(value) = number(value, %w[SOCK_], "unknown socket type")

    def level(value) = number(value, %w[SOL_ IPPROTO_], "unknown protocol level")

    def flag(value) = number(value, %w[MSG_], "unknown message flag")

    def shutdown(value) = number(value, %w[SHUT_], "unknown shutdown argument")

    def option(level, value)
      prefixes = { SOL_SOCKET => "SO_", IPPROTO_TCP => "TCP_", IPPROTO_IP => "IP_", IPPROTO_IPV6 => "IPV6_", IPPROTO_UDP => "UDP_" }
      number(value, [prefixes.fetch(level, "SO_")], "unknown socket level option name")
    end

    def number(value, prefixes, complaint)
      return value.to_int if value.respond_to?(:to_int)

      name = value.is_a?(Symbol) ? value.name : String.try_convert(value)
      raise TypeError, "no implicit conversion of #{value.class} into String" unless name

      found = ["", *prefixes].map { |prefix| "#{prefix}#{name}" }.find { |full| Constants.const_defined?(full) }
      found ? Constants.const_get(found) : raise(SocketError, "#{complaint}: #{name}")
    rescue NameError
      raise SocketError, "#{complaint}: #{name}"
    end

    # The constant of one of the prefixes that has a number.
    def name(prefix, number)
      Constants.constants.find { |name| name.start_with?(prefix) && Constants.const_get(name) == number }
    end
  end
  private_constant :Names
end
