# frozen_string_literal: true

# Uniform resource identifiers: taken apart, checked, joined and put together.
module URI
  VERSION = "1.1.1"
  VERSION_CODE = "010101"
end

require "uri/common"
require "uri/generic"
require "uri/merging"
require "uri/proxy"
require "uri/http"
require "uri/file"
require "uri/ftp"
require "uri/ldap"
require "uri/mailto"
