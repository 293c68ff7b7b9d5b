# frozen_string_literal: true

module URI
  # The environment's proxies.
  class Generic
    # The URI of the proxy that variables such as http_proxy and no_proxy name for this one, or nil.
    def find_proxy(env = ENV)
      raise BadURIError, "relative URI: #{self}" if relative?
      name = "#{scheme.downcase}_proxy"
      proxy = name == "http_proxy" ? http_proxy(env) : env[name] || env[name.upcase]
      return if proxy.nil? || proxy.empty?
      address = address_of_host
      return if address&.match?(/\A127\.|\A::1\z/)
      no_proxy = env["no_proxy"] || env["NO_PROXY"]
      return if no_proxy && !self.class.use_proxy?(hostname, address, port, no_proxy)
      URI.parse(proxy)
    end

    # Whether +no_proxy+, a list of domains, addresses and networks, lets a proxy be used.
    def self.use_proxy?(hostname, address, port, no_proxy)
      hostname = hostname.downcase
      dotted = ".#{hostname}"
      no_proxy.scan(/([^:,\s]+)(?::(\d+))?/) do |host, its_port|
        next if its_port && its_port.to_i != port
        host = host.downcase
        return false if host.start_with?(".") ? hostname.end_with?(host) : dotted.end_with?(".#{host}")
        return false if address && (host == address || in_network?(address, host))
      end
      true
    end

    def self.in_network?(address, network)
      return false unless network.include?("/")
      require "ipaddr"
      IPAddr.new(network).include?(address)
    rescue IPAddr::Error
      false
    end
    private_class_method :in_network?

    private

    def address_of_host
      require "socket"
      IPSocket.getaddress(hostname) if hostname
    rescue SocketError
      nil
    end

    # A header "Proxy" becomes HTTP_PROXY in CGI programs, which must not trust it.
    def http_proxy(env)
      unless env.include?("REQUEST_METHOD")
        return env["http_proxy"] if env["http_proxy"]
        warn "The environment variable HTTP_PROXY is discouraged.  Please use http_proxy instead.", uplevel: 2 if env["HTTP_PROXY"]
        return env["HTTP_PROXY"]
      end
      names = env.to_hash.keys.grep(/\Ahttp_proxy\z/i)
      safe = names.size > 1 || names == ["http_proxy"] && env["HTTP_PROXY"].nil?
      (env["http_proxy"] if safe) || env["CGI_HTTP_PROXY"]
    end
  end
end
