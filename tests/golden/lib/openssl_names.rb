# How connections over TLS are configured, as far as nothing is connected.
# oracle: native
require "openssl"
require "net/http"

p OpenSSL::SSL::VERIFY_NONE, OpenSSL::SSL::VERIFY_PEER, OpenSSL::SSL::VERIFY_FAIL_IF_NO_PEER_CERT, OpenSSL::SSL::VERIFY_CLIENT_ONCE
p OpenSSL::SSL::TLS1_VERSION, OpenSSL::SSL::TLS1_2_VERSION, OpenSSL::SSL::TLS1_3_VERSION, OpenSSL::SSL::OP_NO_SSLv3, OpenSSL::SSL::OP_NO_COMPRESSION
p OpenSSL::SSL::SSLError.ancestors.take(3), OpenSSL::SSL::SSLErrorWaitReadable.include?(IO::WaitReadable)

context = OpenSSL::SSL::SSLContext.new
context.verify_mode = OpenSSL::SSL::VERIFY_PEER
context.ca_file = "/nonexistent/ca.pem"
context.min_version = :TLS1_2
context.max_version = OpenSSL::SSL::TLS1_3_VERSION
context.alpn_protocols = %w[h2 http/1.1]
context.cert_store = OpenSSL::X509::Store.new
p context.verify_mode, context.ca_file, context.alpn_protocols, context.cert_store.class
p OpenSSL::SSL::SSLContext::DEFAULT_PARAMS[:verify_mode]
begin
  context.min_version = :TLS9
rescue ArgumentError => error
  puts error.message
end
begin
  OpenSSL::SSL::SSLContext.new(:NONSENSE)
rescue ArgumentError => error
  puts error.message.sub(/[`'].*/, "")
end

p OpenSSL::SSL.verify_hostname("www.example.com", "*.example.com"), OpenSSL::SSL.verify_hostname("a.b.example.com", "*.example.com")
p OpenSSL::SSL.verify_hostname("example.com", "EXAMPLE.com"), OpenSSL::SSL.verify_wildcard("foobar", "f*r"), OpenSSL::SSL.verify_wildcard("xn--abc", "x*")

# A class that libraries add to before anything is connected.
module Reading
  def reads? = true
end
class OpenSSL::SSL::SSLSocket
  include Reading
end
p OpenSSL::SSL::SSLSocket.include?(Reading), OpenSSL::SSL::SSLSocket.instance_methods.include?(:hostname=)

p OpenSSL::X509::V_OK, OpenSSL::X509::V_ERR_CERT_HAS_EXPIRED, OpenSSL::X509::StoreError.superclass
store = OpenSSL::X509::Store.new
store.set_default_paths
p store.error_string.class, OpenSSL::X509::Certificate.class, OpenSSL::X509::CertificateError.superclass, OpenSSL::X509::Name.class

http = Net::HTTP.new("localhost", 443)
http.use_ssl = true
http.verify_mode = OpenSSL::SSL::VERIFY_NONE
p http.use_ssl?, http.verify_mode
