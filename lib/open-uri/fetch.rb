require "net/http"

module OpenURI
  # Asks for an address, and for those that answers lead to, until one has the answer.
  class Fetch # :nodoc:
    def initialize(uri, options)
      @uri = uri
      @options = options
      @seen = {}
      @proxy = proxy_finder
    end

    # The answer.
    def io
      while (target = attempt)
        follow(target)
      end
      @io.base_uri = @uri
      @io
    end

    private

    # What gives the proxy of an address, with user and password.
    def proxy_finder
      given = @options.slice(:proxy, :proxy_http_basic_authentication)
      raise ArgumentError, "multiple proxy options specified" if given.size > 1

      proxy, user, password = given.key?(:proxy_http_basic_authentication) ? with_password(*given.values) : given.fetch(:proxy, true)
      case proxy
      when true then ->(uri) { (found = uri.find_proxy) && [found, *found.userinfo&.split(":")] }
      when nil, false then ->(_) {}
      when String, URI::Generic then ->(_) { [URI(proxy), *(user ? [user, password] : URI(proxy).userinfo&.split(":"))] }
      else raise ArgumentError, "Invalid proxy option: #{proxy}"
      end
    end

    # Whoever gives a password says of which proxy.
    def with_password(given)
      return given if given.nil? || given[0].nil? || String === given[0] || URI::Generic === given[0]
      raise ArgumentError, "Invalid authenticated proxy option: #{given.inspect}"
    end

    # Where the answer leads, or nil if it is the last.
    def attempt
      raise ArgumentError, "userinfo not supported.  [RFC3986]" if @uri.userinfo

      @buffer = Buffer.new
      response = ask
      @io = @buffer.io
      @io.rewind
      @io.base_uri = @uri
      @io.status = [response.code, response.message]
      response.each_name { |name| @io.meta_add_field2(name, response.get_fields(name)) }
      @cookie = response["Set-Cookie"]
      target_of(response)
    end

    def target_of(response)
      case response
      when Net::HTTPSuccess then nil
      when Net::HTTPMovedPermanently, Net::HTTPFound, Net::HTTPSeeOther, Net::HTTPTemporaryRedirect, Net::HTTPPermanentRedirect
        URI.parse(response["location"])
      else raise HTTPError.new(@io.status.join(" "), @io)
      end
    rescue URI::InvalidURIError
      raise HTTPError.new("#{@io.status.join(" ")} (Invalid Location URI)", @io)
    end

    def follow(target)
      target = @uri + target if target.relative?
      raise HTTPRedirect.new(@io.status.join(" "), @io, target) unless @options.fetch(:redirect, true)
      raise "redirection forbidden: #{@uri} -> #{target}" unless OpenURI.redirectable?(@uri, target)

      # Only the address that was asked for is told the password.
      @options = @options.except(:http_basic_authentication)
      @options[:cookie] = @cookie.split(";").first if @cookie
      key = [target.to_s, !@cookie.nil?]
      raise "HTTP redirection loop: #{target}" if @seen[key]

      @seen[key] = true
      limit = @options.fetch(:max_redirects, Options[:max_redirects])
      raise TooManyRedirects.new("Too many redirects", @io) if limit && @seen.size > limit

      @uri = target
    end

    def ask
      answer = nil
      connection.start do |http|
        http.request(request) do |response|
          answer = response
          receive(response)
        end
      end
      answer
    end

    def connection
      proxy, user, password = @proxy.call(@uri)
      raise "Non-HTTP proxy URI: #{proxy}" if proxy && proxy.class != URI::HTTP

      return ftp_proxy(proxy, user, password) if @uri.is_a?(URI::FTP)

      http = Net::HTTP.new(@uri.hostname, @uri.port, proxy&.hostname, proxy&.port, user, password)
      use_tls(http) if @uri.is_a?(URI::HTTPS)
      http.read_timeout = @options[:read_timeout] if @options.key?(:read_timeout)
      http.open_timeout = @options[:open_timeout] if @options.key?(:open_timeout)
      http
    end

    def use_tls(http)
      http.use_ssl = true
      http.verify_mode = @options[:ssl_verify_mode] || OpenSSL::SSL::VERIFY_PEER
      http.min_version, http.max_version = @options.values_at(:ssl_min_version, :ssl_max_version)
      trusted = Array(@options[:ssl_ca_cert])
      return if trusted.empty?

      http.cert_store = OpenSSL::X509::Store.new
      trusted.each { |path| File.directory?(path) ? http.cert_store.add_path(path) : http.cert_store.add_file(path) }
    end

    # One that asks FTP servers is asked by HTTP, for the whole address.
    def ftp_proxy(proxy, user, password)
      raise "FTP is only there through a proxy: #{@uri}" unless proxy

      @proxy_user = [user, password] if user
      Net::HTTP.new(proxy.hostname, proxy.port, nil)
    end

    def request
      headers = @options.select { |name, _| name.is_a?(String) }
      headers["Cookie"] = @options[:cookie] if @options[:cookie]
      headers.merge!(specific_headers)
      Net::HTTP::Get.new(@uri.is_a?(URI::FTP) ? @uri.to_s : @uri.request_uri, headers).tap do |request|
        request.proxy_basic_auth(*@proxy_user) if @proxy_user
        request.basic_auth(*@options[:http_basic_authentication]) if @options.key?(:http_basic_authentication)
      end
    end

    # What is told an address alone, or whichever the caller's block says.
    def specific_headers
      fields = @options[:request_specific_fields]
      case fields
      when nil then {}
      when Hash then @seen.empty? ? fields : {}
      when Proc then fields.call(@uri)
      else raise ArgumentError, "Invalid request_specific_fields option: #{fields.inspect}"
      end
    end

    def receive(response)
      is_success = response.is_a?(Net::HTTPSuccess)
      @options[:content_length_proc]&.call(response.content_length) if is_success
      response.read_body do |part|
        @buffer << part
        @options[:progress_proc]&.call(@buffer.size) if is_success
      end
    end
  end
end
