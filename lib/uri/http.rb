# frozen_string_literal: true

require "uri/generic"

module URI
  class HTTP < Generic
    DEFAULT_PORT = 80
    COMPONENT = [:scheme, :userinfo, :host, :port, :path, :query, :fragment].freeze

    def self.build(components) = super(Util.make_components_hash(self, components))

    def check_host(host)
      result = super
      bad_component("host", host) if host&.empty?
      result
    end

    # What a request asks for: path and query.
    def request_uri
      return unless @path
      path = @query ? "#{@path}?#{@query}" : @path.dup
      path.start_with?("/") ? path : "/#{path}"
    end

    def authority = port == default_port ? host : "#{host}:#{port}"

    def origin = "#{scheme}://#{authority}"
  end

  register_scheme "HTTP", HTTP
end
