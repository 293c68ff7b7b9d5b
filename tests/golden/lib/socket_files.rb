# Open files sent between processes of one machine, and the machine's own addresses.
# oracle: native
require "socket"

UNIXSocket.pair do |here, there|
  reader, writer = IO.pipe
  p here.send_io(reader)
  copy = there.recv_io
  writer.puts "through the copy"
  p copy.gets, copy.class, copy.close_on_exec?, copy.fileno == reader.fileno
  here.send_io(writer.fileno)
  number = there.recv_io(nil)
  p number.class
  IO.for_fd(number, "w").tap { |io| io.puts "by its number" }.close
  p reader.gets
  here.send_io(here)
  p there.recv_io(UNIXSocket).tap(&:close).class
  here.send_io(writer)
  p there.recv_io(IO, "w").tap(&:close).class
  begin
    here.send_io(Object.new)
  rescue TypeError => error
    puts error.class
  end
end

own = Socket.getifaddrs.find { |interface| interface.addr&.ipv4_loopback? }
p own.class, own.name, own.ifindex.class, own.flags & 8, own.addr.ip_address, own.netmask.ip_address, own.broadaddr, own.dstaddr
puts own.inspect[/\A#<Socket::Ifaddr lo UP,LOOPBACK,RUNNING/], own.inspect[/ 127.*/]
p Socket.ip_address_list.all?(&:ip?), Socket.ip_address_list.map(&:ip_address).include?("127.0.0.1")
p Socket.getifaddrs.all? { |interface| interface.inspect.start_with?("#<Socket::Ifaddr #{interface.name}") }
