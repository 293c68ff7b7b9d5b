# carat: core
# frozen_string_literal: true

require "cgi/escape"

class ERB
  # Text made safe for HTML.
  module Escape
  end
end
require "erb/escape.so"

ERB::Escape.module_eval { module_function :html_escape }
