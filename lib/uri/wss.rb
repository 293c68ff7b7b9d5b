# frozen_string_literal: true

require "uri/ws"

module URI
  class WSS < WS
    DEFAULT_PORT = 443
  end

  register_scheme "WSS", WSS
end
