# Options of sockets for groups of hosts, what comes with messages, sockets that nobody opened, addresses' rare forms.
# oracle: native
require "socket"
require "ipaddr"

ttl = Socket::Option.ipv4_multicast_ttl(128)
loop = Socket::Option.ipv4_multicast_loop(1)
p ttl, loop, ttl.ipv4_multicast_ttl, loop.ipv4_multicast_loop, ttl.level == Socket::IPPROTO_IP
begin
  ttl.ipv4_multicast_loop
rescue TypeError => error
  puts error.message
end

info = Socket::AncillaryData.ip_pktinfo(Addrinfo.ip("127.0.0.1"), 3, Addrinfo.ip("127.0.0.2"))
address, interface, from = info.ip_pktinfo
p address.ip_address, interface, from.ip_address, info.data.bytesize, info.family == Socket::AF_INET, info.cmsg_is?(:IP, :PKTINFO), info.cmsg_is?("IPV6", "PKTINFO")
info = Socket::AncillaryData.ipv6_pktinfo(Addrinfo.ip("::1"), 2)
p info.ipv6_pktinfo_addr.ip_address, info.ipv6_pktinfo_ifindex, info.cmsg_is?(Socket::IPPROTO_IPV6, Socket::IPV6_PKTINFO)
number = Socket::AncillaryData.int(:UNIX, :SOCKET, :RIGHTS, 3)
p number.int, number.type == Socket::SCM_RIGHTS

[TCPSocket, UDPSocket, UNIXSocket, Socket].each { |kind| puts kind.allocate.inspect.sub(/0x\h+/, "0x") }
begin
  TCPSocket.new("127.0.0.1", 1).close
rescue Errno::ECONNREFUSED => error
  puts error.class
end

p IPAddr.new("1:2:3:4:5:6:7::").to_s, IPAddr.new("0:0:0:1::").to_s, IPAddr.new("::").to_s, IPAddr.new("10.0.0.0/30").freeze.to_range.map(&:to_s)
begin
  IPAddr.new("1.2.3.4").zone_id
rescue IPAddr::InvalidAddressError => error
  puts error.message
end

# What one call writes is one message.
left, right = UNIXSocket.pair(:DGRAM)
p left.write("x", 1, "", :yz), right.recv(10)
left.puts("q")
p right.recv(10)
