# frozen_string_literal: true

# Uniform resource identifiers: taken apart, checked, joined and put together.
module URI
  VERSION = "1.1.1"
  VERSION_CODE = "010101"

  class Error < StandardError
  end

  # Not an URI.
  class InvalidURIError < Error
  end

  # Not that component of an URI.
  class InvalidComponentError < Error
  end

  # An URI that cannot be used so.
  class BadURIError < Error
  end

  # The older grammar is large, and used by hardly any program.
  autoload :RFC2396_Parser, "uri/rfc2396_parser"
  autoload :RFC2396_PARSER, "uri/rfc2396_parser"
  autoload :RFC2396_REGEXP, "uri/rfc2396_parser"
end

require "uri/rfc3986_parser"
require "uri/form"
require "uri/common"
require "uri/generic"
require "uri/merging"
require "uri/proxy"
require "uri/http"
require "uri/file"
require "uri/ftp"
require "uri/ldap"
require "uri/mailto"
