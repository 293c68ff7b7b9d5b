# frozen_string_literal: true

module URI
  # The environment's proxies.
  class Generic
    # The URI of the proxy that variables such as http_proxy and no_proxy name for this one, or nil.
    def find_proxy(env = ENV)
      raise BadURIError, "relative URI: #{self}" if relative?
      name = "#{scheme.downcase}_proxy"
      proxy = name == "http_proxy" ? http_proxy(env) : env[name] || env[name.upcase]
      return if proxy.nil? || proxy.empty? || local?
      no_proxy = env["no_proxy"] || env["NO_PROXY"]
      return if no_proxy && !self.class.use_proxy?(hostname, nil, port, no_proxy)
      URI.parse(proxy)
    end

    # Whether +no_proxy+, a list of domains and addresses, lets a proxy be used.
    def self.use_proxy?(hostname, address, port, no_proxy)
      hostname = hostname.downcase
      dotted = ".#{hostname}"
      no_proxy.scan(/([^:,\s]+)(?::(\d+))?/) do |host, its_port|
        next if its_port && its_port.to_i != port
        host = host.downcase
        return false if host == "*" || (host.start_with?(".") ? hostname.end_with?(host) : dotted.end_with?(".#{host}"))
        return false if address && host == address
      end
      true
    end

    private

    # A header "Proxy" becomes HTTP_PROXY in CGI programs, which must not trust it.
    def http_proxy(env)
      return env["http_proxy"] || env["HTTP_PROXY"] unless env.include?("REQUEST_METHOD")
      pairs = env.select { |name, _| name.match?(/\Ahttp_proxy\z/i) }
      case pairs.size
      when 0 then nil
      when 1 then env["http_proxy"]
      else env["http_proxy"] unless pairs.key?("HTTP_PROXY") && !pairs.key?("http_proxy")
      end || env["CGI_HTTP_PROXY"]
    end

    def local? = hostname.nil? || hostname == "localhost" || hostname.start_with?("127.") || hostname == "::1"
  end
end
