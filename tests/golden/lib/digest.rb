# Message digests: every algorithm, in one go and step by step.
require "digest"
require "digest/bubblebabble"

def show
  p yield
rescue StandardError, NotImplementedError => error
  puts "#{error.class}: #{error.message}"
end

%i[MD5 SHA1 RMD160 SHA256 SHA384 SHA512].each do |name|
  digest = Digest.const_get(name)
  show { [name, digest.new.digest_length, digest.new.block_length, digest.digest("").encoding, digest.hexdigest("").encoding] }
  show { digest.hexdigest("abc") }
  show { digest.base64digest("a" * 1000) }
  show { digest.bubblebabble("abc") }
end
digest = Digest::SHA256.new
digest << "a" << "b"
copy = digest.dup << "c"
show { [digest.to_s, digest.inspect, copy == Digest::SHA256.hexdigest("abc"), digest == copy, digest.size] }
show { [digest.hexdigest!, digest.hexdigest, digest.reset.equal?(digest), digest.digest("abc") == copy.digest] }
show { [Digest::SHA2.new(384).update("abc").hexdigest, Digest::SHA2.new.inspect] }
show { Digest::SHA2.new(1) }
show { Digest::Base.new }
show { Digest::MD5.hexdigest }
show { Digest::MD5.hexdigest(1) }
show { Digest.hexencode("\xff\x00") }
show { Digest::MD5.file(__FILE__).hexdigest == Digest::MD5.hexdigest(File.binread(__FILE__)) }
show { Digest(:MD5) }
show { Class.new(Digest::MD5).hexdigest("abc") }

[
  -> { Digest::MD5.new("text") }, -> { Digest::SHA256.digest("text", 1) },
  -> { Digest::MD5.allocate.__send__(:initialize_copy, Digest::SHA1.allocate) },
].each do |call|
  p call.()
rescue ArgumentError, TypeError => error
  puts "#{error.class}: #{error.message}"
end
