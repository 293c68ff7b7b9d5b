# frozen_string_literal: true

require "uri/generic"

module URI
  class WS < Generic
    DEFAULT_PORT = 80
    COMPONENT = [:scheme, :userinfo, :host, :port, :path, :query].freeze

    def self.build(components) = super(Util.make_components_hash(self, components))

    def request_uri
      return unless @path
      path = @query ? "#{@path}?#{@query}" : @path.dup
      path.start_with?("/") ? path : "/#{path}"
    end
  end

  register_scheme "WS", WS
end
