# Names and addresses, of a file of the program itself and as the system has them.
# oracle: native
require "resolv"
require "tempfile"
file = Tempfile.new("hosts")
file.write("# a comment\n10.0.0.1 one.test alias.test # another\n\n::1\tsix.test\n10.0.0.2 one.test\nalone\n")
file.close
hosts = Resolv::Hosts.new(file.path)
p hosts.getaddress("one.test").to_s, hosts.getaddresses("one.test").map(&:to_s), hosts.getaddresses("none.test")
p hosts.getname("10.0.0.1").to_s, hosts.getnames("10.0.0.1").map(&:to_s), hosts.getname("::1").to_s
begin
  hosts.getaddress("none.test")
rescue Resolv::ResolvError => e
  p e.message[/has no name.*/]
end
begin
  hosts.getname("10.9.9.9")
rescue Resolv::ResolvError => e
  p e.message[/has no address.*/]
end
both = Resolv.new([Resolv::Hosts.new(File::NULL), hosts])
p both.getaddress("alias.test"), both.getaddresses("six.test"), both.getaddress("1.2.3.4"), both.getaddresses("::1")
begin
  both.getaddress("none.test")
rescue Resolv::ResolvError => e
  p e.message
end
p Resolv.getaddress("127.0.0.1"), Resolv.getaddresses("localhost").empty?
%w[1.2.3.4 1.2.3 256.1.1.1 01.2.3.4 ::1 1:2:3:4:5:6:7:8 1::8 ::ffff:1.2.3.4 1:2:3:4:5:6:1.2.3.4 fe80::1%eth0 1:::2 g::1 1:2].each do |text|
  p [text, Resolv::IPv4::Regex.match?(text), Resolv::IPv6::Regex.match?(text), Resolv::AddressRegex.match?(text)]
end
p Resolv::IPv4.create("1.2.3.4").to_s, Resolv::IPv4.create("1.2.3.4") == Resolv::IPv4.create("1.2.3.4")
p Resolv::IPv6.create("1:0:0:0:0:0:0:8").to_s, Resolv::IPv6.create("2001:db8::ff").to_s, Resolv::IPv6.create("::").to_s
["x", "1.2.3"].each do |text|
  Resolv::IPv4.create(text)
rescue ArgumentError => e
  p e.message
end
