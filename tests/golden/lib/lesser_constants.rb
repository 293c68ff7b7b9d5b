# oracle: native
# Constants of libraries that gems ask for, and a handler of documents.
require "psych"
require "fcntl"
require "ipaddr"
require "openssl"

p %i[ANY BLOCK FLOW].map { |name| [Psych::Nodes::Mapping.const_get(name), Psych::Nodes::Sequence.const_get(name)] }
p Fcntl::F_GETPIPE_SZ, Fcntl::F_SETPIPE_SZ
rsa = OpenSSL::PKey::RSA
p rsa::PKCS1_PADDING, rsa::NO_PADDING, rsa::PKCS1_OAEP_PADDING, OpenSSL::PKey::EC::NAMED_CURVE, OpenSSL::PKey::EC::EXPLICIT_CURVE

handler = Psych::Handlers::DocumentStream.new do |document|
  p document.class, document.to_ruby.to_s.size, document.implicit, document.implicit_end
end
Psych::Parser.new(handler).parse("--- 1\n--- [a, b, c]\n...\n")
p handler.root.children.size

texts = %w[
  1.2.3.4 999.1.1.1 1.2.3 1:2:3:4:5:6:7:8 1:2:3:4:5:6:1.2.3.4 1:2:3:4:5:6:7 ::1 fe80::1 ::ffff:1.2.3.4 1::2::3 :: g::1 FE80::ABCD 12345::
]
texts.each do |text|
  found = [IPAddr::RE_IPV6ADDRLIKE_FULL, IPAddr::RE_IPV6ADDRLIKE_COMPRESSED].map { |like| like.match(text)&.captures }
  puts "#{text}: #{IPAddr::RE_IPV4ADDRLIKE.match?(text)} #{found}"
end
