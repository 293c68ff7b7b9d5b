# oracle: native
# A process's own hashes of numbers.
require "rbconfig"
ruby = RbConfig.ruby
[0.0, 1.0, -1.0, 1.72723e-77, Float::INFINITY, 5, 2**70].each do |number|
  dump = number == Float::INFINITY ? "Float::INFINITY" : number.inspect
  hashes = Array.new(3) { IO.popen([ruby, "--disable=gems", "-e", "print (#{dump}).hash"], &:read) }
  puts "#{dump} #{hashes.uniq.size > 1} #{number.hash == number.hash} #{number.hash == (number + 0).hash}"
end
p 0.0.hash == -0.0.hash, { 1.5 => 1 }[1.5], { 0.0 => 2 }[-0.0]
