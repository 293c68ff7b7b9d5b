# frozen_string_literal: true

require "erb/escape"

class ERB
  # Helpers that templates include.
  module Util
    include Escape
    public :html_escape
    alias h html_escape
    module_function :h, :html_escape

    # Text as part of a URL.
    def url_encode(text)
      text.to_s.b.gsub(/[^a-zA-Z0-9_\-.~]/n) { |byte| format("%%%02X", byte.ord) }.force_encoding(text.to_s.encoding)
    end
    alias u url_encode
    module_function :u, :url_encode
  end
end
