# frozen_string_literal: true

# Uniform resource identifiers: taken apart, checked, joined and put together.
require "uri/version"
require "uri/common"
require "uri/generic"
require "uri/file"
require "uri/ftp"
require "uri/http"
require "uri/https"
require "uri/ldap"
require "uri/mailto"
require "uri/ws"
require "uri/wss"

# The library brings it, so programs count on it.
Object.autoload(:IPAddr, "ipaddr") unless defined?(IPAddr)
