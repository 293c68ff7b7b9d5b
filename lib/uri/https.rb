# frozen_string_literal: true

require "uri/http"

module URI
  class HTTPS < HTTP
    DEFAULT_PORT = 443
  end

  register_scheme "HTTPS", HTTPS
end
