# Digests by name, and one that nobody has.
require "digest"

p Digest(:MD5).hexdigest("a"), Digest("SHA256").hexdigest("")[0, 8], Digest.const_get(:SHA1).new.digest_length
begin
  Digest::Nothing
rescue LoadError => error
  puts error.message
end
