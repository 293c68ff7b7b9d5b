# What is in a network, the range that it is, and what is no address at all.
# oracle: native
require "ipaddr"

def show
  p(yield)
rescue IPAddr::Error, NoMethodError => error
  puts "#{error.class}: #{error.message}"
end

net = IPAddr.new("10.0.0.0/8")
["10.1.1.1", "11.1.1.1", "10.0.0.0/7", "10.0.0.0/9", "::1", nil, 167_772_161, -1, 1 << 33, :a, IPAddr.new("10.2.3.4"),
 "10.1.1.300", "10.1.1.1/33"].each do |other|
  show { net.include?(other) }
  show { net === other }
  show { net == other }
  show { net <=> other }
end
class Other < IPAddr
  def to_range = raise("nobody asks")
end
p Other.new("10.0.0.0/8").include?("10.0.0.1"), Other.new("10.0.0.0/8").succ.class, net.to_range, net.succ
p IPAddr.new("fe80::/10").include?("fe80::1%eth0"), IPAddr.new("fe80::1%eth0").to_range, net.to_range.include?("10.3.4.5")
p IPAddr.protected_method_defined?(:begin_addr), IPAddr.protected_method_defined?(:end_addr)
["1000.01.1.1", "01.999.1.1", "999.01.1.1", "0300.1.1.1", "00.0.0.0", "0.0.0.0/0", "[::1]", "[::1]/64", "1.2.3.4/", "/", "",
 "1.2.3.4/010", "::/0", "::1.2.3.4"].each { |text| show { IPAddr.new(text) } }
