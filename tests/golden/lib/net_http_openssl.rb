# Who has Net::HTTP can name OpenSSL, which is loaded then.
# oracle: native
require "net/http"
p Object.autoload?(:OpenSSL), defined?(OpenSSL)
module Inside
  ERRORS = [OpenSSL::SSL::SSLError, Net::OpenTimeout]
end
p Inside::ERRORS, OpenSSL::SSL::SSLError.ancestors.take(3)
