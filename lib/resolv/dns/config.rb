# frozen_string_literal: true

class Resolv
  class DNS
    # Which servers are asked, for how long, and what is added to names.
    class Config
      InitialTimeout = 5

      class NXDomain < ResolvError
      end

      class OtherResolvError < ResolvError
      end

      def self.parse_resolv_conf(filename)
        found = {nameserver: [], search: nil, ndots: 1}
        File.open(filename, "rb") do |file|
          file.each_line { |line| read_line(line, found) }
        end
        found
      end

      def self.read_line(line, found)
        keyword, *words = line.sub(/[#;].*/n, "").split
        case keyword
        when "nameserver" then found[:nameserver].concat(words)
        when "domain" then found[:search] = [words[0]] unless words.empty?
        when "search" then found[:search] = words unless words.empty?
        when "options" then words.each { |word| found[:ndots] = $1.to_i if word =~ /\Andots:(\d+)\z/ }
        end
      end
      private_class_method :read_line

      def self.default_config_hash(filename = "/etc/resolv.conf") = File.exist?(filename) ? parse_resolv_conf(filename) : {}

      def initialize(config_info = nil)
        @config_info = config_info
        @mutex = Thread::Mutex.new
        @timeouts = nil
        @is_ready = false
      end

      def timeouts=(values)
        values = Array(values) if values
        if values && (values.empty? || values.any? { |value| !(Numeric === value) || value < 0 })
          raise ArgumentError, "timeouts must be positive: #{values.inspect}"
        end
        @timeouts = values
      end

      def lazy_initialize
        @mutex.synchronize do
          next if @is_ready
          use(settings)
          @is_ready = true
        end
        self
      end

      # The only server, if there is one.
      def single?
        lazy_initialize
        @nameserver_port.first if @nameserver_port.size == 1
      end

      def nameserver_port = (lazy_initialize; @nameserver_port)

      def generate_candidates(name)
        lazy_initialize
        name = Name.create(name)
        return [name] if name.absolute?
        whole = Name.new(name.to_a)
        added = @search.map { |domain| Name.new(name.to_a + domain) }
        @ndots <= name.length - 1 ? [whole, *added] : [*added, whole]
      end

      def generate_timeouts
        count = [nameserver_port.size, 1].max
        [InitialTimeout, *[2, 4, 8].map { |factor| InitialTimeout * factor / count }]
      end

      # Yields names, seconds and servers, until the block leaves.
      def resolv(name)
        waited = false
        generate_candidates(name).each do |candidate|
          (@timeouts || generate_timeouts).each do |seconds|
            nameserver_port.each do |server, port|
              yield candidate, seconds, server, port
            rescue ResolvTimeout
              next
            end
          end
          waited = true
          raise ResolvError, "DNS resolution timeout: #{name}"
        rescue NXDomain
          next
        end
      rescue ResolvError
        raise if @raise_timeout_errors && waited
      end

      private

      def settings
        case @config_info
        when nil then Config.default_config_hash
        when String then Config.parse_resolv_conf(@config_info)
        when Hash
          found = @config_info.dup
          found[:nameserver] = [found[:nameserver]] if String === found[:nameserver]
          found[:search] = [found[:search]] if String === found[:search]
          found
        else raise ArgumentError, "invalid resolv configuration: #{@config_info.inspect}"
        end
      end

      def use(settings)
        @nameserver_port = settings[:nameserver_port]&.map { |server, port| [server, port || Port] }
        @nameserver_port ||= (settings[:nameserver] || []).map { |server| [server, Port] }
        @nameserver_port = [["0.0.0.0", Port]] if @nameserver_port.empty?
        @search = (settings[:search] || own_domain).map { |domain| Label.split(domain) }
        @ndots = settings.fetch(:ndots, 1)
        raise ArgumentError, "invalid ndots: #{@ndots.inspect}" unless Integer === @ndots && @ndots >= 0
        @raise_timeout_errors = settings[:raise_timeout_errors]
      end

      def own_domain
        domain = Socket.gethostname[/\.(.*)/, 1]
        domain ? [domain] : []
      end
    end
  end
end
