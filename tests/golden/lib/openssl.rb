# What openssl computes with hashes alone.
# oracle: native
require "openssl"
%w[MD5 SHA1 SHA256 sha384 SHA-512].each { |name| puts OpenSSL::Digest.new(name).hexdigest("abc") }
p OpenSSL::Digest::SHA256.new("a").update("b").hexdigest == OpenSSL::Digest.hexdigest("SHA256", "ab")
p OpenSSL::Digest::SHA256.hexdigest("x"), OpenSSL::Digest.new("SHA1").name, OpenSSL::Digest.new("SHA1").digest_length
digest = OpenSSL::Digest.new("SHA256")
digest << "a"
copy = digest.dup
copy << "b"
p digest.hexdigest[0, 8], copy.hexdigest[0, 8]
begin
  OpenSSL::Digest.new("nope")
rescue RuntimeError, StandardError => e
  p e.message.start_with?("Unsupported digest algorithm")
end
puts OpenSSL::HMAC.hexdigest("SHA256", "key", "The quick brown fox jumps over the lazy dog")
puts OpenSSL::HMAC.hexdigest(OpenSSL::Digest.new("MD5"), "k" * 200, "data"), OpenSSL::HMAC.base64digest("SHA1", "", "")
hmac = OpenSSL::HMAC.new("k", "SHA512")
hmac << "a" << "b"
p hmac.hexdigest == OpenSSL::HMAC.hexdigest("SHA512", "k", "ab"), hmac == OpenSSL::HMAC.new("k", "SHA512").update("ab")
puts OpenSSL::KDF.pbkdf2_hmac("password", salt: "salt", iterations: 3, length: 40, hash: "SHA256").unpack1("H*")
puts OpenSSL::PKCS5.pbkdf2_hmac_sha1("password", "salt", 2, 20).unpack1("H*")
puts OpenSSL::KDF.hkdf("secret", salt: "salt", info: "info", length: 42, hash: "SHA256").unpack1("H*")
p OpenSSL.fixed_length_secure_compare("abc", "abd"), OpenSSL.secure_compare("a", "a"), OpenSSL::Random.random_bytes(3).bytesize
begin
  OpenSSL.fixed_length_secure_compare("a", "ab")
rescue ArgumentError => e
  p e.message
end
