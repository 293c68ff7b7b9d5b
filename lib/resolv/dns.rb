# frozen_string_literal: true

require "resolv"
require "securerandom"

class Resolv
  # Asks servers of the Domain Name System.
  #   Resolv::DNS.open { |dns| dns.getresources("example.org", Resolv::DNS::Resource::IN::MX) }
  class DNS
    include Lookup

    Port = 53
    UDPSize = 512

    def self.open(*args)
      dns = new(*args)
      return dns unless block_given?
      begin
        yield dns
      ensure
        dns.close
      end
    end

    # config: the name of a file like /etc/resolv.conf, or a Hash with :nameserver, :nameserver_port, :search and :ndots.
    def initialize(config_info = nil)
      @config = Config.new(config_info)
    end

    # Seconds to wait for an answer, or several of them for one attempt after the other.
    def timeouts=(values)
      @config.timeouts = values
    end

    def lazy_initialize
      @config.lazy_initialize
      self
    end

    # Nothing stays open between questions.
    def close = nil

    def getaddress(name)
      each_address(name) { |address| return address }
      raise ResolvError, "DNS result has no information for #{name}"
    end

    def each_address(name)
      [Resource::IN::A, *(Resource::IN::AAAA if use_ipv6?)].each do |typeclass|
        each_resource(name, typeclass) { |record| yield record.address }
      end
    end

    def getname(address)
      each_name(address) { |name| return name }
      raise ResolvError, "DNS result has no information for #{address}"
    end

    def each_name(address)
      each_resource(pointer(address), Resource::IN::PTR) { |record| yield record.name }
    end

    def getresource(name, typeclass)
      each_resource(name, typeclass) { |record| return record }
      raise ResolvError, "DNS result has no information for #{name}"
    end

    def getresources(name, typeclass)
      records = []
      each_resource(name, typeclass) { |record| records << record }
      records
    end

    def each_resource(name, typeclass, &block)
      return enum_for(:each_resource, name, typeclass) unless block
      fetch_resource(name, typeclass) { |reply, reply_name| extract_resources(reply, reply_name, typeclass, &block) }
    end

    # Yields the answer, and the name that was asked for in the end. What one server could not put into a datagram no other one
    # is asked for by UDP.
    def fetch_resource(name, typeclass)
      lazy_initialize
      by_tcp = {}
      @config.resolv(name) do |candidate, seconds, server, port|
        reply = ask(candidate, typeclass, seconds, server, port, by_tcp[candidate])
        if reply.tc == 1 && !by_tcp[candidate]
          by_tcp[candidate] = true
          reply = ask(candidate, typeclass, seconds, server, port, true)
        end
        case reply.rcode
        when RCode::NoError
          yield reply, candidate
          return
        when RCode::NXDomain then raise Config::NXDomain, candidate.to_s
        else raise Config::OtherResolvError, candidate.to_s
        end
      end
    end

    # Yields the records of a type, also those of the name that another name stands for.
    def extract_resources(message, name, typeclass)
      if typeclass < Resource::ANY
        message.each_answer { |owner, _, record| yield record if owner == name }
        return
      end
      names = [name]
      names.each do |wanted|
        message.each_answer do |owner, _, record|
          next unless owner == wanted
          if Resource::CNAME === record && !(typeclass <= Resource::CNAME)
            names << record.name unless names.include?(record.name)
          elsif typeclass === record then yield record
          end
        end
      end
    end

    private

    def use_ipv6? = true

    def pointer(address)
      case address
      when Name then address
      when IPv4, IPv6 then address.to_name
      when IPv4::Regex then IPv4.create(address).to_name
      when IPv6::Regex then IPv6.create(address).to_name
      else raise ResolvError, "cannot interpret as address: #{address}"
      end
    end

    def ask(name, typeclass, seconds, server, port, tcp)
      message = Message.new
      message.rd = 1
      message.add_question(name, typeclass)
      requester = (tcp ? Requester::TCP : Requester::UDP).new(server, port)
      requester.request(requester.sender(message, name), seconds)
    rescue SystemCallError, SocketError => error
      raise ResolvTimeout, error.message
    ensure
      requester&.close
    end

    # One connection to a server.
    class Requester
      def initialize(host, port)
        @socket = connect(host, port)
      end

      # What is sent for +message+: its number tells the answer from others.
      def sender(message, _data = nil, *)
        message.id = SecureRandom.random_number(0x10000)
        message
      end

      # The answer; others that come meanwhile are not for this question.
      def request(message, seconds)
        finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
        send_bytes(message.encode)
        loop do
          left = finish - Process.clock_gettime(Process::CLOCK_MONOTONIC)
          raise ResolvTimeout if left <= 0
          next unless @socket.wait_readable(left)
          reply = decoded(receive)
          return reply if reply && answer?(message, reply)
        end
      end

      def close
        @socket&.close
        @socket = nil
      end

      private

      def decoded(bytes)
        Message.decode(bytes)
      rescue DecodeError
        nil
      end

      def answer?(message, reply) = reply.id == message.id && reply.qr == 1 && (reply.question.empty? || reply.question == message.question)

      class UDP < Requester
        private

        def connect(host, port)
          socket = UDPSocket.new(host.include?(":") ? Socket::AF_INET6 : Socket::AF_INET)
          socket.connect(host, port)
          socket
        end

        def send_bytes(bytes) = @socket.send(bytes, 0)

        def receive = @socket.recv(65_536)
      end

      # Messages behind their lengths.
      class TCP < Requester
        private

        def connect(host, port) = TCPSocket.new(host, port)

        def send_bytes(bytes)
          @socket.write([bytes.bytesize].pack("n") << bytes)
          @socket.flush
        end

        def receive
          length = whole(2).unpack1("n")
          whole(length)
        end

        def whole(count)
          bytes = @socket.read(count)
          raise ResolvTimeout if bytes.nil? || bytes.bytesize < count
          bytes
        end
      end
    end
  end

  # Asks the neighbours for names that end with ".local".
  class MDNS < DNS
    Port = 5353
    AddressV4 = "224.0.0.251".freeze
    AddressV6 = "ff02::fb".freeze

    def initialize(config_info = nil)
      super(config_info || {nameserver_port: [[AddressV4, Port]]})
    end

    def each_address(name, &block)
      super if Name.create(name).to_a.last == Label::Str.new("local")
    end
  end
end

require "resolv/dns/name"
require "resolv/dns/message"
require "resolv/dns/config"
require "resolv/dns/svcb"
require "resolv/dns/resource"
