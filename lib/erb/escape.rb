# carat: core
# frozen_string_literal: true

require "cgi/escape"

class ERB
  # Text made safe for HTML.
  module Escape
    def html_escape(text) = CGI.escapeHTML(text.to_s)
    module_function :html_escape
  end
end
