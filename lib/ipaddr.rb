require "socket"

# Addresses of IPv4 and IPv6, and the networks that they are in.
#   IPAddr.new("192.168.2.0/24").include?("192.168.2.7") #=> true
class IPAddr
  include Comparable

  VERSION = "1.2.8".freeze
  IN4MASK = 0xffffffff
  IN6MASK = 0xffffffffffffffffffffffffffffffff
  IN6FORMAT = (["%.4x"] * 8).join(":").freeze
  # What looks like an address, for those who look for one in a text.
  RE_IPV4ADDRLIKE = /\A\d+\.\d+\.\d+\.\d+\z/
  RE_IPV6ADDRLIKE_FULL = /\A(?:(?:\h{1,4}:){7}\h{1,4}|((?:\h{1,4}:){6})(\d+)\.(\d+)\.(\d+)\.(\d+))\z/
  RE_IPV6ADDRLIKE_COMPRESSED = /\A((?:(?:\h{1,4}:)*\h{1,4})?)::((?:((?:\h{1,4}:)*)(?:\h{1,4}|(\d+)\.(\d+)\.(\d+)\.(\d+)))?)\z/

  class Error < ArgumentError
  end

  class InvalidAddressError < Error
  end

  class AddressFamilyError < Error
  end

  class InvalidPrefixError < InvalidAddressError
  end

  class << self
    # An address of four or sixteen bytes.
    def new_ntoh(bytes) = new(ntop(bytes))

    # The text of an address of four or sixteen bytes.
    def ntop(bytes)
      if bytes.is_a?(String) && bytes.encoding != Encoding::BINARY
        raise InvalidAddressError, "invalid encoding (given #{bytes.encoding}, expected BINARY)"
      end

      case bytes.bytesize
      when 4 then bytes.unpack("C4").join(".")
      when 16 then IN6FORMAT % bytes.unpack("n8")
      else raise AddressFamilyError, "unsupported address family"
      end
    end
  end

  attr_reader :family


  # address: "host", "host/bits", "host/mask", or a number with its family.
  def initialize(address = "::", family = Socket::AF_UNSPEC)
    return initialize_number(address, family) unless address.is_a?(String)

    host, prefix = address.split("/", 2)
    raise InvalidAddressError, "invalid address: #{host}" if host.nil? || host.empty?

    if host.start_with?("[") && host.end_with?("]") && !host.include?("\n")
      host = host[1..-2]
      family = Socket::AF_INET6
    end
    read_host(host, family)
    @mask_addr = all_ones
    mask!(prefix) if prefix
    check_family(family)
  end

  def ipv4? = family == Socket::AF_INET

  def ipv6? = family == Socket::AF_INET6

  def to_i = @addr

  def hash = [@addr, @mask_addr, @zone_id].hash

  def eql?(other) = self.class == other.class && hash == other.hash && self == other

  def &(other) = with(@addr & number_of(other))

  def |(other) = with(@addr | number_of(other))

  def <<(count) = with((@addr << count) & all_ones)

  def >>(count) = with(@addr >> count)

  def ~ = with(@addr ^ all_ones)

  def +(offset) = with(@addr + offset)

  def -(offset) = with(@addr - offset)

  def ==(other)
    other = coerced(other)
    family == other.family && to_i == other.to_i
  rescue StandardError
    false
  end

  def <=>(other)
    other = coerced(other)
    to_i <=> other.to_i if other.family == family
  rescue StandardError
    nil
  end

  # The network that the address is in.
  def mask(prefix) = clone.mask!(prefix)

  def include?(other)
    other = coerced(other)
    other.family == family && begin_addr <= other.begin_addr && end_addr >= other.end_addr
  end
  alias === include?

  def to_range = self.class.new(begin_addr, family)..self.class.new(end_addr, family)

  def succ = with(@addr + 1)

  # The bits of the network.
  def prefix = @mask_addr.digits(2).count(1)

  def prefix=(bits)
    raise InvalidPrefixError, "prefix must be an integer" unless bits.is_a?(Integer)

    mask!(bits)
  end

  def netmask = text_of(@mask_addr)

  def wildcard_mask = text_of(@mask_addr ^ all_ones)

  # Four or sixteen bytes.
  def hton = ipv4? ? [@addr].pack("N") : [to_string.delete(":").split("%").first].pack("H*")

  # The name under which the resolver keeps the host's name.
  def reverse = ipv4? ? "#{hton.bytes.reverse.join(".")}.in-addr.arpa" : ip6_arpa

  def ip6_arpa
    raise InvalidAddressError, "not an IPv6 address: #{self}" unless ipv6?

    "#{nibbles}.ip6.arpa"
  end

  def ip6_int
    raise InvalidAddressError, "not an IPv6 address: #{self}" unless ipv6?

    "#{nibbles}.ip6.int"
  end

  # The shortest text: in IPv6 the longest run of zeros is left out.
  def to_s
    return text_of(@addr) if ipv4?

    text = text_of(@addr).gsub(/\b0{1,3}(\h+)\b/, '\1')
    8.downto(2) do |count|
      run = /\b0(?::0){#{count - 1}}\b/
      break text = text.sub(run, ":").sub(/:{3,}/, "::").then { |shown| shown == ":" ? "::" : shown } if text.match?(run)
    end
    text = text.sub(/\A::(ffff:)?(\h{1,4}):(\h{1,4})\z/i) { "::#{$1}#{[$2.hex, $3.hex].pack("nn").unpack("C4").join(".")}" }
    "#{text}#{@zone_id}"
  end

  # The text with all its zeros.
  def to_string = "#{text_of(@addr)}#{@zone_id}"

  # With the prefix behind it.
  def cidr = "#{self}/#{prefix}"

  def as_json(*) = ipv4? && prefix == 32 || ipv6? && prefix == 128 ? to_s : cidr

  def to_json(*) = %("#{as_json}")

  # The number of the interface that a link-local address belongs to, as "%eth0".
  def zone_id
    raise InvalidAddressError, "not an IPv6 address" unless ipv6?

    @zone_id
  end

  def zone_id=(zone)
    raise InvalidAddressError, "not an IPv6 address" unless ipv6?
    raise InvalidAddressError, "invalid zone identifier for address" unless zone.nil? || zone.match?(/\A%(\w+)\z/)

    @zone_id = zone
  end

  def inspect
    "#<#{self.class}: #{ipv4? ? "IPv4" : "IPv6"}:#{to_string}/#{text_of(@mask_addr)}>"
  end

  def ipv4_mapped
    raise InvalidAddressError, "not an IPv4 address: #{self}" unless ipv4?

    with(@addr | 0xffff00000000, Socket::AF_INET6).tap { |ip| ip.__send__(:mask_number, @mask_addr | (IN6MASK ^ IN4MASK)) }
  end

  def ipv4_mapped? = ipv6? && @addr >> 32 == 0xffff

  # An address of IPv6 that is one of IPv4 behind zeros.
  def ipv4_compat
    warn "IPAddr#ipv4_compat is obsolete", uplevel: 1 if $VERBOSE
    raise InvalidAddressError, "not an IPv4 address: #{self}" unless ipv4?

    with(@addr, Socket::AF_INET6)
  end

  def ipv4_compat?
    warn "IPAddr#ipv4_compat? is obsolete", uplevel: 1 if $VERBOSE
    holds_ipv4?
  end

  # The address of IPv4 that it stands for, or itself.
  def native
    return self unless ipv4_mapped? || holds_ipv4?

    with(@addr & IN4MASK, Socket::AF_INET).tap { |ip| ip.__send__(:mask_number, @mask_addr & IN4MASK) }
  end

  def loopback? = ipv4? ? @addr >> 24 == 127 : @addr == 1 || @addr >> 24 == 0xffff7f

  def private?
    return [["10.0.0.0", 8], ["172.16.0.0", 12], ["192.168.0.0", 16]].any? { |net, bits| is_in?(net, bits) } if ipv4?

    is_in?("fc00::", 7) || ipv4_mapped? && native.private?
  end

  def link_local?
    return is_in?("169.254.0.0", 16) if ipv4?

    is_in?("fe80::", 10) || ipv4_mapped? && native.link_local?
  end

  protected

  # The first and the last number of the network.

  def begin_addr = @addr & @mask_addr

  def end_addr = @addr | (@mask_addr ^ all_ones)

  def mask!(mask)
    case mask
    when Integer then mask_bits(mask)
    when /\A(0|[1-9]\d*)\z/ then mask_bits(mask.to_i)
    when /\A\d+\z/ then raise InvalidPrefixError, "leading zeros in prefix"
    else
      other = IPAddr.new(mask)
      raise InvalidPrefixError, "address family is not same" unless other.family == family

      inverse = other.to_i ^ all_ones
      raise InvalidPrefixError, "invalid mask #{mask}" unless (inverse & (inverse + 1)).zero?

      mask_number(other.to_i)
    end
    self
  end

  private

  # An address of IPv4 behind zeros.
  def holds_ipv4? = ipv6? && (@addr >> 32).zero? && @addr & IN4MASK > 1

  def initialize_number(number, family)
    raise AddressFamilyError, "address family must be specified" if family == Socket::AF_UNSPEC
    unless [Socket::AF_INET, Socket::AF_INET6].include?(family)
      raise AddressFamilyError, "unsupported address family: #{family}"
    end

    set(number.to_i, family)
    @mask_addr = all_ones
  end

  def all_ones = ipv4? ? IN4MASK : IN6MASK

  def set(number, family)
    limit = family == Socket::AF_INET ? IN4MASK : IN6MASK
    raise InvalidAddressError, "invalid address: #{number}" unless number.between?(0, limit)

    @family = family
    @addr = number
  end

  def with(number, family = @family)
    copy = dup
    copy.__send__(:set, number, family)
    copy.__send__(:mask_number, copy.__send__(:all_ones), false) if family != @family
    copy
  end

  def mask_bits(bits)
    size = ipv4? ? 32 : 128
    raise InvalidPrefixError, "invalid length" unless bits.between?(0, size)

    mask_number((all_ones >> (size - bits)) << (size - bits))
  end

  def mask_number(mask, cuts = true)
    @mask_addr = mask
    @addr &= mask if cuts
  end

  def check_family(family)
    return if [Socket::AF_UNSPEC, @family].include?(family)

    raise AddressFamilyError, "address family mismatch"
  end

  def read_host(host, family)
    if family != Socket::AF_INET6 && host.match?(RE_IPV4ADDRLIKE)
      set(ipv4_number(host), Socket::AF_INET)
    else
      host, @zone_id = host.split(/(?=%)/, 2)
      raise InvalidAddressError, "invalid zone identifier for address" if @zone_id && !@zone_id.match?(/\A%\w+\z/)

      set(ipv6_number(host), Socket::AF_INET6)
    end
  end

  def ipv4_number(text)
    raise InvalidAddressError, "invalid address: #{text}" unless text.match?(RE_IPV4ADDRLIKE)

    text.split(".").inject(0) { |number, part| number << 8 | octet(part, text) }
  end

  def octet(part, text)
    number = part.to_i
    raise InvalidAddressError, "invalid address: #{text}" if number > 255
    return number unless part.start_with?("0") && part.size > 1

    raise InvalidAddressError, "zero-filled number in IPv4 address is ambiguous: #{text}"
  end

  def ipv6_number(text)
    head, tail = text.split("::", -1)
    raise InvalidAddressError, "invalid address: #{text}" if text.scan("::").size > 1 || text.include?(":::")

    head, tail = [head, tail].map { |part| part && groups(part, text) }
    missing = 8 - head.size - tail.to_a.size
    is_whole = text.include?("::") ? missing.positive? : missing.zero?
    raise InvalidAddressError, "invalid address: #{text}" unless is_whole

    [*head, *[0] * missing, *tail].inject(0) { |number, group| number << 16 | group }
  end

  def groups(part, text)
    list = part.split(":", -1)
    last = list.pop if list.last&.include?(".")
    raise InvalidAddressError, "invalid address: #{text}" unless list.all?(/\A\h{1,4}\z/)

    list.map(&:hex) + (last ? ipv4_number(last).divmod(1 << 16) : [])
  end

  def text_of(number)
    return [number].pack("N").unpack("C4").join(".") if ipv4?

    IN6FORMAT % 7.downto(0).map { |index| number >> 16 * index & 0xffff }
  end

  def nibbles = (0...32).map { |index| (@addr >> 4 * index & 15).to_s(16) }.join(".")

  def is_in?(network, bits) = mask(bits).to_i == IPAddr.new(network).to_i

  def number_of(other) = other.is_a?(Integer) ? other : coerced(other).to_i

  def coerced(other)
    case other
    when IPAddr then other
    when String then self.class.new(other)
    else self.class.new(other, family)
    end
  end
end
