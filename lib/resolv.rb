# Addresses of names and names of addresses: from the hosts file, and from what the system asks. Resolv::DNS asks servers itself,
# for records of every kind.
#   Resolv.getaddress("localhost") #=> "127.0.0.1"
require "socket"

class Resolv
  class ResolvError < StandardError
  end

  class ResolvTimeout < ResolvError
  end

  class << self
    def getaddress(name) = DefaultResolver.getaddress(name)

    def getaddresses(name) = DefaultResolver.getaddresses(name)

    def each_address(name, &) = DefaultResolver.each_address(name, &)

    def getname(address) = DefaultResolver.getname(address)

    def getnames(address) = DefaultResolver.getnames(address)

    def each_name(address, &) = DefaultResolver.each_name(address, &)
  end

  # What everything that resolves has in common; it says itself what each_address and each_name yield.
  module Lookup # :nodoc:
    def getaddress(name)
      each_address(name) { |address| return address }
      raise ResolvError, "no address for #{name}"
    end

    def getaddresses(name)
      addresses = []
      each_address(name) { |address| addresses << address }
      addresses
    end

    def getname(address)
      each_name(address) { |name| return name }
      raise ResolvError, "no name for #{address}"
    end

    def getnames(address)
      names = []
      each_name(address) { |name| names << name }
      names
    end
  end
  private_constant :Lookup

  include Lookup

  autoload :DNS, "resolv/dns"
  autoload :LOC, "resolv/loc"
  autoload :MDNS, "resolv/dns"

  # resolvers: the first that knows answers.
  def initialize(resolvers = nil, **)
    @resolvers = resolvers || [Hosts.new, System.new]
  end

  def each_address(name, &)
    return yield(name) if AddressRegex.match?(name.to_s)

    first_answer(:each_address, name, &)
  end

  def each_name(address, &) = first_answer(:each_name, address.to_s, &)

  private

  def first_answer(method, asked)
    @resolvers.each do |resolver|
      is_known = false
      resolver.public_send(method, asked) do |answer|
        is_known = true
        yield answer.to_s
      end
      return if is_known
    end
  end

  # A file of addresses and their names.
  class Hosts
    include Lookup

    DefaultFileName = "/etc/hosts".freeze

    def initialize(filename = DefaultFileName)
      @filename = filename
    end

    def getaddress(name)
      each_address(name) { |address| return address }
      raise ResolvError, "#{@filename} has no name: #{name}"
    end

    def getname(address)
      each_name(address) { |name| return name }
      raise ResolvError, "#{@filename} has no address: #{address}"
    end

    # Reads the file, once.
    def lazy_initialize
      @names ||= entries
      self
    end

    # What stands last comes first.
    def each_address(name, &)
      lazy_initialize
      @names.select { |_, names| names.include?(name) }.map(&:first).reverse.uniq.each(&)
    end

    def each_name(address, &)
      lazy_initialize
      @names.select { |own, _| own == address }.flat_map(&:last).uniq.each(&)
    end

    private

    # Addresses with their names.
    def entries
      lines = File.readlines(@filename, chomp: true, mode: "rb").map { |line| line.sub(/#.*/, "").split }
      lines.filter_map { |address, *names| [address, names] unless names.empty? }
    end
  end

  # What the system finds, however it was set up.
  class System # :nodoc:
    include Lookup

    def each_address(name, &)
      addresses(name).uniq.each(&)
    rescue SocketError
      nil
    end

    def each_name(address)
      name, = Addrinfo.tcp(address, 0).getnameinfo(Socket::NI_NAMEREQD)
      yield name
    rescue SocketError
      nil
    end

    private

    # A fiber scheduler that is asked for addresses may ask here in turn: a thread has none, and the other fibers go on.
    def addresses(name)
      return find(name) unless Fiber.current_scheduler

      finder = Thread.new do
        Thread.current.report_on_exception = false
        find(name)
      end
      finder.value
    end

    def find(name) = Addrinfo.getaddrinfo(name, nil, nil, :STREAM).map(&:ip_address)
  end
  private_constant :System

  # An address of four bytes.
  class IPv4
    Regex256 = /0|1(?:[0-9][0-9]?)?|2(?:[0-4][0-9]?|5[0-5]?|[6-9])?|[3-9][0-9]?/
    Regex = /\A(#{Regex256})\.(#{Regex256})\.(#{Regex256})\.(#{Regex256})\z/

    # address: a text, or another one.
    def self.create(address)
      return address if address.is_a?(IPv4)
      match = Regex.match(address) or raise ArgumentError, "cannot interpret as IPv4 address: #{address.inspect}"

      new(match.captures.map(&:to_i).pack("C4"))
    end

    # The four bytes.
    attr_reader :address

    def initialize(address)
      raise ArgumentError, "IPv4 address must be 4 bytes" unless address.bytesize == 4

      @address = address
    end

    def to_s = @address.bytes.join(".")

    # The name under which its names stand.
    def to_name = DNS::Name.create("#{@address.bytes.reverse.join(".")}.in-addr.arpa.")

    def inspect = "#<#{self.class} #{self}>"

    def ==(other) = other.is_a?(IPv4) && @address == other.address
    alias eql? ==

    def hash = @address.hash
  end

  # An address of sixteen bytes.
  class IPv6
    Regex_8Hex = /\A(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}\z/
    Regex_CompressedHex = /\A((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)::((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)\z/
    Regex_6Hex4Dec = /\A((?:[0-9A-Fa-f]{1,4}:){6})(\d+)\.(\d+)\.(\d+)\.(\d+)\z/
    Regex_CompressedHex4Dec =
      /\A((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)::((?:[0-9A-Fa-f]{1,4}:)*)(\d+)\.(\d+)\.(\d+)\.(\d+)\z/
    Regex_8HexLinkLocal = /\A[Ff][Ee]80(?::[0-9A-Fa-f]{1,4}){7}%[-0-9A-Za-z._~]+\z/
    Regex_CompressedHexLinkLocal =
      /\A[Ff][Ee]80:(?:(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?::(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?|:(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)?%[-0-9A-Za-z._~]+\z/
    Regex = /#{Regex_8Hex}|#{Regex_CompressedHex}|#{Regex_6Hex4Dec}|#{Regex_CompressedHex4Dec}|#{Regex_8HexLinkLocal}|#{Regex_CompressedHexLinkLocal}/

    # address: a text, or another one.
    def self.create(address)
      return address if address.is_a?(IPv6)
      raise ArgumentError, "not numeric IPv6 address: #{address}" unless Regex.match?(address)

      new(Addrinfo.tcp(address, 0).to_sockaddr.byteslice(8, 16))
    rescue SocketError
      raise ArgumentError, "not numeric IPv6 address: #{address}"
    end

    # The sixteen bytes.
    attr_reader :address

    def initialize(address)
      raise ArgumentError, "IPv6 address must be 16 bytes" unless address.bytesize == 16

      @address = address
    end

    # The name under which its names stand.
    def to_name = DNS::Name.create("#{@address.unpack1("H32").reverse.chars.join(".")}.ip6.arpa.")

    def to_s = @address.unpack("n8").map { |part| part.to_s(16) }.join(":").sub(/(^|:)0(:0)+(:|$)/, "::")

    def inspect = "#<#{self.class} #{self}>"

    def ==(other) = other.is_a?(IPv6) && @address == other.address
    alias eql? ==

    def hash = @address.hash
  end

  DefaultResolver = new
  AddressRegex = /(?:#{IPv4::Regex})|(?:#{IPv6::Regex})/
end
