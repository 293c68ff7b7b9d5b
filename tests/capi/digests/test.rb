require "digest"
require "./digests"

sum = Digest::Sum.new
sum << "ab"
sum.update("c")
p sum.hexdigest, sum.digest_length, sum.block_length, sum.size
copy = sum.dup
copy << "d"
p copy.hexdigest, sum.hexdigest, sum == "0000012600000003", sum == copy
p sum.hexdigest!, sum.hexdigest
p Digest::Sum.hexdigest("hello"), Digest::Sum.digest("hello"), Digest::Sum.base64digest("hello")
p sum.reset.equal?(sum), sum.inspect, sum.to_s

class Digest::Twice < Digest::Sum
  def update(text) = super(text + text)
end
p Digest::Twice.new.update("x").hexdigest
p 500.times.map { |i| Digest::Sum.hexdigest(i.to_s) }.last

def error
  yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end
error { sum << nil }
error { sum.freeze.send(:initialize_copy, copy) }
error { Digest::Base.new }
p Digest::MD5.hexdigest("still native")
