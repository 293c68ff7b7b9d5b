# oracle: native
# Digests that `digest` does not have, and how algorithms may be spelt.
require "openssl"
%w[SHA224 SHA512-224 SHA512-256 SHA256].each do |name|
  digest = OpenSSL::Digest.new(name)
  p [digest.name, digest.digest_length, digest.block_length, digest.hexdigest("abc"), digest.hexdigest("")]
  p OpenSSL::HMAC.hexdigest(name, "key", "data")
end
p %w[sha-256 SHA-512 SHA-512/256 RMD160 RIPEMD SHA-1 sha-224 sha2-256 SHA2-512/224 md5].map { OpenSSL::Digest.new(_1).name }
p OpenSSL::Digest::SHA224.new.update("a").update("bc").hexdigest == OpenSSL::Digest.hexdigest("SHA224", "abc")
p OpenSSL::Digest::SHA224.hexdigest("a"), OpenSSL::Digest::SHA224.new("a").base64digest
p OpenSSL::Digest.new(OpenSSL::Digest::SHA224.new).name
copy = (digest = OpenSSL::Digest.new("sha512-256") << "a").dup
copy << "b"
p digest.hexdigest == copy.hexdigest, copy.hexdigest == OpenSSL::Digest.hexdigest("sha512-256", "ab")
p OpenSSL::KDF.pbkdf2_hmac("secret", salt: "salt", iterations: 2, length: 20, hash: "SHA256").unpack1("H*")
begin
  Digest::SHA224
rescue LoadError, NameError
  p $!.class
end
