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

# Ciphers.
def cipher(name, is_encrypting = true)
  OpenSSL::Cipher.new(name).tap do |made|
    is_encrypting ? made.encrypt : made.decrypt
    made.key = "k" * made.key_len
    made.iv = "i" * made.iv_len if made.iv_len > 0
  end
end

def attempt
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message[/\A[\w ]+/]}"
end
text = "some text of more than two blocks, in pieces"
%w[aes-128-cbc aes-192-cbc AES-256-CBC aes-256-ctr aes-128-gcm aes-256-gcm aes-256-ecb aes128 id-aes256-GCM].each do |name|
  made = cipher(name)
  coded = made.update(text[0, 5]) + made.update(text[5, 30]) + made.update(text[35..]) + made.final
  tag = made.auth_tag if made.authenticated?
  p [made.name, made.key_len, made.iv_len, made.block_size, coded.unpack1("H*"), tag&.unpack1("H*")]
  back = cipher(name, false)
  back.auth_tag = tag if tag
  p back.update(coded) + back.final == text, coded.encoding == Encoding::BINARY
end
sealed = cipher("aes-256-gcm")
sealed.auth_data = "to whom it concerns"
coded = sealed.update("secret") + sealed.final
opened = cipher("aes-256-gcm", false)
opened.auth_tag = sealed.auth_tag
opened.auth_data = "to whom it concerns"
p opened.update(coded) + opened.final, sealed.auth_tag(12).bytesize
begin
  cipher("aes-256-gcm", false).tap { |made| made.auth_tag = "x" * 16 }.then { |made| made.update(coded) && made.final }
rescue OpenSSL::Cipher::CipherError
  puts "forged"
end
nonce = OpenSSL::Cipher.new("aes-256-gcm").encrypt
nonce.iv_len = 20
nonce.key = "k" * 32
nonce.iv = "i" * 20
p (nonce.update("text") + nonce.final).unpack1("H*"), nonce.auth_tag.unpack1("H*")
attempt { OpenSSL::Cipher.new("nope") }
attempt { OpenSSL::Cipher.new("aes-256-cbc").encrypt.key = "short" }
attempt { OpenSSL::Cipher.new("aes-256-cbc").encrypt.iv = "short" }
attempt { cipher("aes-256-cbc").update("") }
attempt { cipher("aes-256-cbc").auth_tag }
attempt { cipher("aes-256-cbc", false).tap { |made| made.update("x" * 20) }.final }
attempt { cipher("aes-256-cbc", false).tap { |made| made.update("x" * 32) }.final }
attempt { cipher("aes-256-cbc").tap { |made| made.padding = 0 }.tap { |made| made.update("x") }.final }
attempt { cipher("aes-256-cbc").tap { |made| made.padding = 0 }.then { |made| (made.update("x" * 16) + made.final).bytesize } }
attempt { cipher("aes-256-cbc").tap { |made| made.pkcs5_keyivgen("pw", "saltsalt", 10, "sha256") }.final.unpack1("H*") }
attempt { cipher("aes-256-cbc").tap { |made| made.update("x" * 16) }.reset.update("x" * 16).unpack1("H*") }
attempt { cipher("aes-256-cbc").tap { |made| made.update("x" * 10) }.dup.final.unpack1("H*") }
attempt { buffer = +"old"; cipher("aes-256-cbc").update("x" * 40, buffer).equal?(buffer) && buffer.bytesize }
p OpenSSL::Cipher::AES.new(256, :CBC).name, OpenSSL::Cipher::AES256.new(:GCM).name, OpenSSL::Cipher::AES128.new.name
p OpenSSL::Cipher.ciphers.include?("aes-256-gcm"), cipher("aes-256-ctr").random_key.bytesize

# Keys of passwords.
puts OpenSSL::KDF.scrypt("password", salt: "salt", N: 1024, r: 8, p: 2, length: 32).unpack1("H*")
attempt { OpenSSL::KDF.scrypt("password", salt: "salt", N: 1000, r: 8, p: 2, length: 32) && 1 }
attempt { OpenSSL::KDF.pbkdf2_hmac("password", salt: "salt", iterations: 0, length: 20, hash: "SHA1") }
attempt { OpenSSL::KDF.hkdf("secret", salt: "", info: "", length: 9000, hash: "SHA256") && 1 }
puts OpenSSL::KDF.pbkdf2_hmac("password", salt: "salt", iterations: 70_000, length: 70, hash: "SHA512").unpack1("H*")

# Large numbers.
number = OpenSSL::BN.new("1000")
p number.mod_exp(7, 13).to_i, number.mod_inverse(13).to_i, (number / 7).map(&:to_i), (number**7).to_s, number.num_bits, number == 1000
p number.to_s(16), number.to_s(2), number.to_s(0), OpenSSL::BN.new("\x03\xE8".b, 2).to_i, OpenSSL::BN.new("3e8", 16) <=> number, 5.to_bn.odd?
