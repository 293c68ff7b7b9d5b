# frozen_string_literal: true

require "cgi/escape"
require "erb/escape"

class ERB
  # Helpers that templates include.
  module Util
    include Escape
    public :html_escape
    alias h html_escape
    module_function :h, :html_escape

    # Text as part of a URL.
    def url_encode(text) = CGI.escapeURIComponent(text.to_s)
    alias u url_encode
    module_function :u, :url_encode
  end
end
