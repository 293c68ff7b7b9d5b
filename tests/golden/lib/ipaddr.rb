# Addresses and networks.
# oracle: native
require "ipaddr"
def show
  p(yield)
rescue IPAddr::Error => e
  puts "#{e.class}: #{e.message}"
end
show { IPAddr.new("192.168.2.0/24") }
show { IPAddr.new("192.168.2.77/255.255.255.0").to_s }
show { IPAddr.new("3ffe:505:2::1") }
show { IPAddr.new("[::1]/64").to_string }
show { IPAddr.new("::ffff:1.2.3.4").then { |ip| [ip.to_s, ip.ipv4_mapped?, ip.native.to_s] } }
show { IPAddr.new("1.2.3.4").ipv4_mapped.to_s }
show { %w[:: ::1 1:: 1:0:0:2:0:0:0:3 2001:db8::1:0:0:1 fe80::1 ::1.2.3.4].map { |text| IPAddr.new(text).to_s } }
net = IPAddr.new("10.0.0.0/8")
show { [net.include?("10.1.2.3"), net.include?("11.0.0.0"), net === IPAddr.new("10.2.0.0/16"), net.to_range.last.to_s, net.prefix] }
show { [net.netmask, net.succ.to_s, net.reverse, net.hton.bytes, net.family] }
show { [net | 5, net & 0xff, ~net, net << 1, net >> 1, net + 1].map(&:to_s) }
show { IPAddr.new("3ffe:505:2::f").reverse }
show { [IPAddr.new("127.0.0.1").loopback?, IPAddr.new("::1").loopback?, net.private?, IPAddr.new("fe80::").link_local?, IPAddr.new("fd00::1").private?] }
show { %w[1.2.3.4 1.2.3.3].map { |text| IPAddr.new(text) }.min.to_s }
show { IPAddr.new("1.2.3.4") == "1.2.3.4" }
show { {IPAddr.new("1.2.3.4") => 1}[IPAddr.new("1.2.3.4")] }
show { IPAddr.new("fe80::1%eth0").then { |ip| [ip.to_s, ip.zone_id, ip.inspect] } }
show { IPAddr.new(0x01020304, 2).to_s }
show { IPAddr.new_ntoh("\x01\x02\x03\x04".b).to_s }
show { IPAddr.ntop(("\0" * 15 + "\1").b) }
show { IPAddr.new("192.168.1.1").mask(16).to_s }
["256.1.1.1", "1.2.3.4/33", "::1/129"].each { |text| show { IPAddr.new(text) } }
show { IPAddr.new(1) }
