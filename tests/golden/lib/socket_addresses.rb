# Addresses, options and ancillary data as they are shown, packed and refused.
# oracle: native
require "socket"
# Names of classes and encodings that differ between versions of Ruby are not shown.
def show
  p yield
rescue StandardError => e
  puts "#{e.class.name.sub("Socket::ResolutionError", "SocketError")}: #{e.message}"
end

puts "-- Addrinfo"
stream = Socket.sockaddr_in(80, "127.0.0.1")
show { [Addrinfo.new(stream).pfamily, Addrinfo.new(stream)] }
[[:INET6], [:INET, :STREAM], [:INET, :STREAM, 17], [:INET, :RAW, 255], [:INET, :RAW, 254], [:INET, 77, 6], [55]].each do |kind|
  show { Addrinfo.new(stream, *kind) }
end
[
  ["AF_INET", 80, "hostname", "127.0.0.1"], ["AF_INET", "80", "x", "127.0.0.1"], ["AF_INET", 80, "127.0.0.1"],
  ["AF_INET6", 80, "x", "127.0.0.1"], ["AF_INET6", 80, "x", "::1"], ["AF_UNIX", "abc"], [2, 80, "x", "127.0.0.1"],
  ["AF_FOO", 80, "x", "127.0.0.1"], ["AF_APPLETALK", 80], [], nil, 3
].each { |list| show { Addrinfo.new(list) } }
[
  "", "a", [2].pack("S"), [2].pack("S") + "abcd", [2].pack("S") + "a" * 20, [10].pack("S") + "abcd", [1].pack("S"),
  [1].pack("S") + "ab c", [1].pack("S") + "abc", [5].pack("S") + "ab", [0].pack("S"), [77].pack("S") + "ab"
].each do |bytes|
  show { Addrinfo.new(bytes) }
  show { Addrinfo.new(bytes).ip_unpack }
  show { Addrinfo.new(bytes).unix_path }
end
show { Addrinfo.unix("\0abc") }
show { Addrinfo.unix("/a", :DGRAM) }
show { Addrinfo.unix("a" * 200) }
show { Addrinfo.tcp("localhost", 80) }
show { Addrinfo.tcp("127.0.0.1", "80") }
show { Addrinfo.tcp("0.0.0.0", "nosuch") }
show { Addrinfo.tcp("::ffff:1.2.3.4", 3).ipv6_to_ipv4 }

puts "-- of the same family"
unix = Addrinfo.unix("/a")
tcp = Addrinfo.tcp("127.0.0.1", 3)
[[], ["/x", "/y"], ["/x"], [tcp]].each { |arguments| show { unix.family_addrinfo(*arguments) } }
[[Addrinfo.udp("127.0.0.1", 3)], ["127.0.0.1"], ["127.0.0.1", 3, 4], ["127.0.0.1", 4], [tcp]].each do |arguments|
  show { tcp.family_addrinfo(*arguments) }
end

puts "-- Marshal"
[Addrinfo.tcp("localhost", 80), Addrinfo.unix("/abc", :DGRAM), Addrinfo.ip("1.2.3.4")].each do |info|
  show { info.marshal_dump }
  show { Marshal.load(Marshal.dump(info)) }
end

puts "-- AncillaryData"
[
  [:INET, :IP, :TTL, [3].pack("i")], [:INET, :TCP, :NODELAY, ""], [:INET6, :IPV6, :PKTINFO, "abc"],
  [:UNIX, :SOCKET, :CREDENTIALS, [1, 2, 3].pack("iII")], [:UNIX, 77, 35, "x"], [88, 77, 35, "x"], [:INET, :UDP, 35, "x"],
  [:UNIX, :IP, :TTL, ""], [:INET, :IP, :TTL, nil]
].each { |parts| show { Socket::AncillaryData.new(*parts) } }
show { Socket::AncillaryData.ip_pktinfo(Addrinfo.ip("127.0.0.1"), 0, Addrinfo.ip("127.0.0.1")) }
show { Socket::AncillaryData.ipv6_pktinfo(Addrinfo.ip("::1"), 0) }
show { Socket::AncillaryData.unix_rights(10) }
one, other = UNIXSocket.pair
show { one.sendmsg("a", 0, nil, Socket::AncillaryData.unix_rights(STDIN, $stdout)) }
message, from, _, rights = other.recvmsg(scm_rights: true)
show { [message, from, rights.unix_rights.map(&:class), rights.unix_rights.all? { |io| io.fileno > 2 }] }
show { one.sendmsg("b", 0, nil, [:SOCKET, :RIGHTS, [0].pack("i")]) }
show { other.recvmsg.last.unix_rights }
show { one.sendmsg("c", 0, nil, [:SOCKET, :RIGHTS]) }
show { other.recvmsg_nonblock(exception: false) }

puts "-- Option"
[
  [:INET, :SOCKET, :LINGER, [1, 9].pack("ii")], [:INET, :SOCKET, :RCVTIMEO, [1, 500].pack("qq")],
  [:INET, :SOCKET, :TYPE, [1].pack("i")], [:INET, :SOCKET, :ERROR, [111].pack("i")],
  [:UNIX, :SOCKET, :PEERCRED, [111, 2, 3].pack("iII")], [:INET, 77, 99, [111].pack("i")], [:INET, :TCP, :INFO, "abc"],
  [:INET, :IP, :ADD_MEMBERSHIP, "abcdefgh"], [:INET6, :IPV6, :JOIN_GROUP, "abcdefghabcd12341234"]
].each { |parts| show { Socket::Option.new(*parts) } }
show { Socket::Option.int(:INET, :SOCKET, :KEEPALIVE, 1).linger }
show { Socket::Option.new(:INET, :SOCKET, :LINGER, "abc").linger }
show { Socket::Option.new(:INET, :SOCKET, :KEEPALIVE, "abc").int }
show { one.setsockopt(1, 2) }
show { one.setsockopt(:SOCKET, :SNDBUF, nil) }
show { one.setsockopt(:TCP, :NODELAY, 1) }

puts "-- halves"
show { one.close_write && one.write("a") }
show { one.close_read }
show { one.closed? }

puts "-- at once"
r, w = UNIXSocket.pair
show { r.read_nonblock(1, exception: false) }
show { w.write_nonblock("abc") }
size = [0].pack("i")
show { [r.ioctl(0x541B, size), size.unpack1("i")] }
show { r.ioctl(0x541B, "".freeze) }
show { r.ioctl(0x541B, :a) }
