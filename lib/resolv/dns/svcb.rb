class Resolv
  class DNS
    # The parameters of a service binding, by their keys.
    class SvcParams
      include Enumerable

      def initialize(params = [])
        @params = {}
        params.each { |param| add(param) }
      end

      # A parameter by its number or name, as in `params[:alpn]`.
      def [](key) = @params[self.class.number(key)]

      def count(...) = @params.size.then { |size| block_given? ? super : size }

      def add(param) = @params[param.class.key_number] = param

      def delete(key) = @params.delete(self.class.number(key))

      def empty? = @params.empty?

      def each(&block)
        return enum_for(:each) unless block
        @params.each_value(&block)
        self
      end

      def ==(other) = other.class == self.class && other.to_h { |param| [param.class.key_number, param] } == @params

      def hash = @params.hash

      # In the order of their keys.
      def encode(out)
        @params.sort.each do |key, param|
          out.put_pack("n", key)
          out.put_length16 { param.encode(out) }
        end
      end

      def self.decode(input)
        params = input.get_list do
          key, = input.get_unpack("n")
          input.get_length16 { SvcParam.of_number(key).decode(input) }
        end
        new(params)
      end

      # The number of a key that is given as one, or by name: `:port`, `:key667`.
      def self.number(key)
        return key if key.is_a?(Integer)
        name = key.to_s
        found = SvcParam.named(name)
        return found.key_number if found
        number = name[/\Akey(\d{1,5})\z/, 1] or raise ArgumentError, "unknown svc param key: #{key}"
        number.to_i
      end
    end

    # A parameter of a service binding.
    class SvcParam
      @classes = {}

      class << self
        # The number that stands for the key, and its name.
        attr_reader :key_number, :key_name

        def of_number(number)
          SvcParam.classes[number] ||= Class.new(Generic) { known_as(number, :"key#{number}") }
        end

        def named(name) = SvcParam.classes.each_value.find { |kind| kind.key_name.name == name }

        protected

        attr_reader :classes

        private

        def known_as(number, name)
          @key_number = number
          @key_name = name
          SvcParam.classes[number] = self
        end
      end

      def ==(other) = other.class == self.class && other.parts == parts

      def eql?(other) = self == other

      def hash = [self.class, parts].hash

      protected

      def parts = instance_variables.map { |name| instance_variable_get(name) }

      # One that there are no rules for.
      class Generic < SvcParam
        attr_reader :value

        def initialize(value)
          @value = value
        end

        def encode(out) = out.put_bytes(value)

        def self.decode(input) = new(input.get_bytes)
      end

      # Keys that a client has to know.
      class Mandatory < SvcParam
        known_as 0, :mandatory
        attr_reader :keys

        def initialize(keys)
          @keys = keys.map { |key| SvcParams.number(key) }
        end

        def encode(out) = @keys.sort.each { |key| out.put_pack("n", key) }

        def self.decode(input) = new(input.get_list { input.get_unpack("n").first })
      end

      # The protocols that the service speaks.
      class ALPN < SvcParam
        known_as 1, :alpn
        attr_reader :protocol_ids

        def initialize(protocol_ids)
          @protocol_ids = protocol_ids.map(&:to_str)
        end

        def encode(out) = out.put_string_list(protocol_ids)

        def self.decode(input) = new(input.get_string_list)
      end

      # The protocol that is usual is not spoken.
      class NoDefaultALPN < SvcParam
        known_as 2, :"no-default-alpn"

        def encode(_out) = nil

        def self.decode(_input) = new
      end

      class Port < SvcParam
        known_as 3, :port
        attr_reader :port

        def initialize(port)
          @port = port.to_int
        end

        def encode(out) = out.put_pack("n", port)

        def self.decode(input) = new(input.get_unpack("n").first)
      end

      # Addresses to try at once.
      class IPv4Hint < SvcParam
        known_as 4, :ipv4hint
        attr_reader :addresses

        def initialize(addresses)
          @addresses = addresses.map { |address| IPv4.create(address) }
        end

        def encode(out) = addresses.each { |address| out.put_bytes(address.address) }

        def self.decode(input) = new(input.get_list { IPv4.new(input.get_bytes(4)) })
      end

      class IPv6Hint < SvcParam
        known_as 6, :ipv6hint
        attr_reader :addresses

        def initialize(addresses)
          @addresses = addresses.map { |address| IPv6.create(address) }
        end

        def encode(out) = addresses.each { |address| out.put_bytes(address.address) }

        def self.decode(input) = new(input.get_list { IPv6.new(input.get_bytes(16)) })
      end

      # Where DNS over HTTPS is answered (RFC 9461).
      class DoHPath < SvcParam
        known_as 7, :dohpath
        attr_reader :template

        def initialize(template)
          @template = template.encode("utf-8")
        end

        def encode(out) = out.put_bytes(template)

        def self.decode(input) = new(input.get_bytes.force_encoding("utf-8"))
      end
    end
  end
end
