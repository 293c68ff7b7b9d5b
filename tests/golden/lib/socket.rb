# Sockets of every kind, and their addresses.
# oracle: native
require "socket"
require "tmpdir"
server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]
p server.addr.values_at(0, 2, 3), server.local_address.ip?, port.positive?
t = Thread.new do
  c = server.accept
  line = c.gets
  c.puts "echo #{line}"
  c.write "x" * 100_000
  c.close
end
s = TCPSocket.new("127.0.0.1", port)
s.puts "hello"
p s.gets
p s.read.size
p s.peeraddr.values_at(0,2,3)
s.close
t.join
begin; TCPSocket.new("127.0.0.1", 1); rescue => e; p e.class, e.message; end
begin; TCPServer.new("127.0.0.1", port); rescue => e; p e.class, e.message.sub(port.to_s, "PORT"); end
a, b = UNIXSocket.pair
a.write "abc"; a.close_write
p b.read
b.write "back"; b.close
p a.read
u1 = UDPSocket.new; u1.bind("127.0.0.1", 0)
u2 = UDPSocket.new; u2.connect("127.0.0.1", u1.addr[1])
u2.send "dgram", 0
p u1.recvfrom(100).then { |m, f| [m, f[0], f[3]] }
p u1.recv_nonblock(10, exception: false)
begin; u1.recv_nonblock(10); rescue => e; p e.class, e.message; end
begin; server.accept_nonblock; rescue => e; p e.class, e.message; end
p server.accept_nonblock(exception: false)
path = File.join(Dir.tmpdir, "carat-socket-#{$$}")
us = UNIXServer.new(path)
th = Thread.new { c = us.accept; c.puts c.gets.upcase; c.close }
UNIXSocket.open(path) { |q| q.puts "unix"; p q.gets; p q.peeraddr[1] == path }
th.join
File.unlink path
p Addrinfo.tcp("127.0.0.1", 80), Addrinfo.udp("::1", 53), Addrinfo.unix("/tmp/x")
p Socket.unpack_sockaddr_in(Socket.sockaddr_in(80, "127.0.0.1")), Socket.unpack_sockaddr_un(Socket.sockaddr_un("/tmp/s"))
p Socket.sockaddr_in(80, "::1").bytes
sock = Socket.new(:INET, :STREAM, 0)
sock.setsockopt(:SOCKET, :REUSEADDR, true)
p sock.getsockopt(:SOCKET, :REUSEADDR).bool, sock.getsockopt(:SOCKET, :TYPE).int
sock.bind(Addrinfo.tcp("127.0.0.1", 0)); sock.listen(5)
c = sock.connect_address.connect
d, ai = sock.accept
c.puts "hi"; p d.gets, ai.ip_address
[c, d, sock].each(&:close)
begin; Socket.new(:FOO, :STREAM); rescue SocketError => e; p e.message; end
server.close
Socket.tcp_server_sockets("127.0.0.1", 0) { |ss| p ss.size
  Thread.new { Socket.accept_loop(ss) { |x, _| x.puts "looped"; x.close; break } }
  Socket.tcp("127.0.0.1", ss[0].local_address.ip_port) { |x| p x.gets } }
p TCPSocket.ancestors.take(4)
r = IO.select([u1], nil, nil, 0.01)
p r
p [u1, u2].map { |q| q.close; q.closed? }
p Socket.pair(:UNIX, :DGRAM, 0).each(&:close).size
