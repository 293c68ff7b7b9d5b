# frozen_string_literal: true

class Net::HTTP
  # What a class is that always asks by the same proxy.
  @is_proxy_class = false
  @proxy_from_env = false
  @proxy_address = @proxy_port = @proxy_user = @proxy_pass = @proxy_use_ssl = nil

  class << self
    attr_reader :proxy_address, :proxy_port, :proxy_user, :proxy_pass, :proxy_use_ssl

    # A class whose connections use that proxy, or the environment's; itself without one.
    def Proxy(address = :ENV, port = nil, user = nil, pass = nil, use_ssl = nil)
      return self unless address
      Class.new(self) do
        @is_proxy_class = true
        @proxy_from_env = address == :ENV
        @proxy_address = address unless @proxy_from_env
        @proxy_port = port || default_port unless @proxy_from_env
        @proxy_user, @proxy_pass, @proxy_use_ssl = user, pass, use_ssl
      end
    end

    def proxy_class? = @is_proxy_class || false

    alias newobj new

    # A connection that is not open yet. The proxy is an address, nil for none, or :ENV for what the environment says.
    def new(address, port = nil, proxy = :ENV, proxy_port = nil, user = nil, pass = nil, no_proxy = nil, use_ssl = nil)
      http = super(address, port)
      if proxy_class?
        http.__send__(:set_proxy, @proxy_from_env ? :ENV : @proxy_address, @proxy_port, @proxy_user, @proxy_pass, @proxy_use_ssl)
      else
        unused = String === proxy && no_proxy && !URI::Generic.use_proxy?(address, address, port, no_proxy)
        http.__send__(:set_proxy, *(unused ? [nil] * 2 : [proxy, proxy_port || default_port]), user, pass, use_ssl)
      end
      http
    end
  end

  attr_writer :proxy_from_env, :proxy_address, :proxy_port, :proxy_user, :proxy_pass, :proxy_use_ssl

  def proxy? = !!(@proxy_from_env ? proxy_uri : @proxy_address)

  def proxy_from_env? = @proxy_from_env

  def proxy_address = @proxy_from_env ? proxy_uri&.hostname : @proxy_address
  alias proxyaddr proxy_address

  def proxy_port = @proxy_from_env ? proxy_uri&.port : @proxy_port
  alias proxyport proxy_port

  def proxy_user = @proxy_from_env ? proxy_uri&.decoded_user : @proxy_user

  def proxy_pass = @proxy_from_env ? proxy_uri&.decoded_password : @proxy_pass

  # The environment's proxy for this address.
  def proxy_uri
    return if @proxy_uri == false
    @proxy_uri ||= URI::HTTP.new("http", nil, uri_host, port, nil, nil, nil, nil, nil).find_proxy || false
    @proxy_uri || nil
  end

  private

  def set_proxy(address, port, user, pass, use_ssl)
    @proxy_from_env = address == :ENV
    @proxy_address = address unless @proxy_from_env
    @proxy_port = port unless @proxy_from_env
    @proxy_user, @proxy_pass, @proxy_use_ssl = user, pass, use_ssl
  end

  def uri_host = address.to_s.include?(":") ? "[#{address}]" : address.to_s
end
