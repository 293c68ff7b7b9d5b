# frozen_string_literal: true

class Resolv
  class DNS
    # What may be asked for.
    class Query
      def encode_rdata(_out)
        raise EncodeError, "#{self.class} is query."
      end

      def self.decode_rdata(_input)
        raise DecodeError, "#{self} is query."
      end
    end

    # Records, one class for each type and class of them.
    class Resource < Query
      ClassHash = {}
      private_constant :ClassHash

      attr_reader :ttl

      def encode_rdata(_out) = raise(NotImplementedError)

      def self.decode_rdata(_input) = raise(NotImplementedError)

      def ==(other) = other.class == self.class && values == other.__send__(:values)

      def eql?(other) = self == other

      def hash = values.hash

      # The class of records with these numbers; one that keeps the bytes for numbers that nobody knows.
      def self.get_class(type, klass)
        ClassHash[[type, klass]] || Generic.create(type, klass)
      end

      def self.register(type, klass)
        const_set(:TypeValue, type) unless const_defined?(:TypeValue, false)
        const_set(:ClassValue, klass)
        ClassHash[[type, klass]] = self
      end
      private_class_method :register

      # A class whose records have these fields.
      def self.fields(*names)
        attr_reader(*names)
        define_method(:initialize) do |*given|
          raise ArgumentError, "wrong number of arguments (given #{given.size}, expected #{names.size})" if given.size != names.size
          names.zip(given) { |name, value| instance_variable_set(:"@#{name}", value) }
        end
      end
      private_class_method :fields

      private

      # When a record was got does not make it another one.
      def values = (instance_variables - [:@ttl]).sort.map { |name| instance_variable_get(name) }

      # Records of a type that is not known.
      class Generic < Resource
        fields :data

        def encode_rdata(out) = out.put_bytes(data)

        def self.decode_rdata(input) = new(input.get_bytes)

        def self.create(type, klass)
          kind = Class.new(self)
          const_set(:"Type#{type}_Class#{klass}", kind)
          kind.__send__(:register, type, klass)
        end
      end

      # Records that are a name.
      class DomainName < Resource
        fields :name

        def encode_rdata(out) = out.put_name(name)

        def self.decode_rdata(input) = new(input.get_name)
      end

      class NS < DomainName
        TypeValue = 2
      end

      class CNAME < DomainName
        TypeValue = 5
      end

      class PTR < DomainName
        TypeValue = 12
      end

      # Who is responsible for a zone.
      class SOA < Resource
        TypeValue = 6
        fields :mname, :rname, :serial, :refresh, :retry, :expire, :minimum

        def encode_rdata(out)
          out.put_name(mname)
          out.put_name(rname)
          out.put_pack("NNNNN", serial, refresh, @retry, expire, minimum)
        end

        def self.decode_rdata(input) = new(input.get_name, input.get_name, *input.get_unpack("NNNNN"))
      end

      class HINFO < Resource
        TypeValue = 13
        fields :cpu, :os

        def encode_rdata(out) = out.put_string_list([cpu, os])

        def self.decode_rdata(input) = new(input.get_string, input.get_string)
      end

      class MINFO < Resource
        TypeValue = 14
        fields :rmailbx, :emailbx

        def encode_rdata(out)
          out.put_name(rmailbx)
          out.put_name(emailbx)
        end

        def self.decode_rdata(input) = new(input.get_name, input.get_name)
      end

      # Who takes mail; the least preference first.
      class MX < Resource
        TypeValue = 15
        fields :preference, :exchange

        def encode_rdata(out)
          out.put_pack("n", preference)
          out.put_name(exchange)
        end

        def self.decode_rdata(input) = new(*input.get_unpack("n"), input.get_name)
      end

      class TXT < Resource
        TypeValue = 16

        attr_reader :strings

        def initialize(first, *rest)
          @strings = [first, *rest]
        end

        def data = strings.join

        def encode_rdata(out) = out.put_string_list(strings)

        def self.decode_rdata(input) = new(*input.get_string_list)
      end

      # Who may give certificates.
      class CAA < Resource
        TypeValue = 257

        attr_reader :flags, :tag, :value

        def initialize(flags, tag, value)
          raise ArgumentError, "flags must be an Integer between 0 and 255" unless (0..255).cover?(flags)
          raise ArgumentError, "length of tag must be between 1 and 15" unless (1..15).cover?(tag.bytesize)
          @flags = flags
          @tag = tag
          @value = value
        end

        def critical? = flags & 0x80 != 0

        def encode_rdata(out)
          out.put_pack("C", flags)
          out.put_string(tag)
          out.put_bytes(value)
        end

        def self.decode_rdata(input) = new(*input.get_unpack("C"), input.get_string, input.get_bytes)
      end

      # Records of any type: for questions alone.
      # Where on earth a host is (RFC 1876).
      class LOC < Resource
        TypeValue = 29

        attr_reader :version, :ssize, :hprecision, :vprecision, :latitude, :longitude, :altitude

        def initialize(version, ssize, hprecision, vprecision, latitude, longitude, altitude)
          @version = version
          @ssize = Resolv::LOC::Size.create(ssize)
          @hprecision = Resolv::LOC::Size.create(hprecision)
          @vprecision = Resolv::LOC::Size.create(vprecision)
          @latitude = Resolv::LOC::Coord.create(latitude)
          @longitude = Resolv::LOC::Coord.create(longitude)
          @altitude = Resolv::LOC::Alt.create(altitude)
        end

        def encode_rdata(out)
          out.put_bytes(version)
          [ssize, hprecision, vprecision].each { |size| out.put_bytes(size.scalar) }
          [latitude, longitude].each { |coordinate| out.put_bytes(coordinate.coordinates) }
          out.put_bytes(altitude.altitude)
        end

        def self.decode_rdata(input)
          version = input.get_bytes(1)
          sizes = Array.new(3) { Resolv::LOC::Size.new(input.get_bytes(1)) }
          places = %w[lat lon].map { |kind| Resolv::LOC::Coord.new(input.get_bytes(4), kind) }
          new(version, *sizes, *places, Resolv::LOC::Alt.new(input.get_bytes(4)))
        end
      end

      class ANY < Query
        TypeValue = 255
      end

      # Records of the Internet.
      module IN
        ClassValue = 1

        [NS, CNAME, PTR, SOA, HINFO, MINFO, MX, TXT, LOC, CAA].each do |general|
          kind = const_set(general.name[/\w+\z/], Class.new(general))
          kind.__send__(:register, general::TypeValue, ClassValue)
        end

        class ANY < Resource::ANY
          ClassValue = IN::ClassValue
        end
        ClassHash[[ANY::TypeValue, ClassValue]] = ANY

        class A < Resource
          attr_reader :address

          def initialize(address)
            @address = IPv4.create(address)
          end

          def encode_rdata(out) = out.put_bytes(address.address)

          def self.decode_rdata(input) = new(IPv4.new(input.get_bytes(4)))

          register(1, ClassValue)
        end

        # The services of an address that are well known: a bit for each port.
        class WKS < Resource
          attr_reader :address, :protocol, :bitmap

          def initialize(address, protocol, bitmap)
            @address = IPv4.create(address)
            @protocol = protocol
            @bitmap = bitmap
          end

          def encode_rdata(out)
            out.put_bytes(address.address)
            out.put_pack("n", protocol)
            out.put_bytes(bitmap)
          end

          def self.decode_rdata(input) = new(IPv4.new(input.get_bytes(4)), *input.get_unpack("n"), input.get_bytes)

          register(11, ClassValue)
        end

        class AAAA < Resource
          attr_reader :address

          def initialize(address)
            @address = IPv6.create(address)
          end

          def encode_rdata(out) = out.put_bytes(address.address)

          def self.decode_rdata(input) = new(IPv6.new(input.get_bytes))

          register(28, ClassValue)
        end

        # Where a service is.
        class SRV < Resource
          attr_reader :priority, :weight, :port, :target

          def initialize(priority, weight, port, target)
            @priority = priority.to_int
            @weight = weight.to_int
            @port = port.to_int
            @target = Name.create(target)
          end

          def encode_rdata(out)
            out.put_pack("nnn", priority, weight, port)
            out.put_name(target, compress: false)
          end

          def self.decode_rdata(input) = new(*input.get_unpack("nnn"), input.get_name)

          register(33, ClassValue)
        end

        # How to reach a service: another name for it, or a host and parameters (RFC 9460).
        class ServiceBinding < Resource
          # 0 for an alias; otherwise lower numbers come first.
          attr_reader :priority

          attr_reader :target, :params

          def initialize(priority, target, params = [])
            @priority = priority.to_int
            @target = Name.create(target)
            @params = SvcParams.new(params)
          end

          def alias_mode? = priority == 0

          def service_mode? = !alias_mode?

          def encode_rdata(out)
            out.put_pack("n", priority)
            out.put_name(target, compress: false)
            params.encode(out)
          end

          def self.decode_rdata(input)
            priority, = input.get_unpack("n")
            target = input.get_name
            params = SvcParams.decode(input)
            new(priority, target, params)
          end
        end

        class SVCB < ServiceBinding
          register(64, ClassValue)
        end

        class HTTPS < ServiceBinding
          register(65, ClassValue)
        end
      end
    end
  end
end
