# oracle: native
# The connections of Net's protocols, over a pair of sockets.
require "net/protocol"
require "stringio"
def pair(io_class, **options)
  a, b = UNIXSocket.pair
  [io_class.new(a, **options), b]
end
io, other = pair(Net::BufferedIO)
other << "first line\r\nsecond\nthird\r\nab" << "cd\0rest"
p io.readline, io.readuntil("\n"), io.readuntil("\r\n"), io.read(4), io.readuntil("\0")
p io.write("one", "two"), io.writeline("three"), io << "four"
p other.readpartial(100)
other.close
p io.read(10, +"got: ", true), io.eof?, io.closed?
begin
  io.readline
rescue EOFError => e
  p e.message
end
io.close
p io.closed?
io, other = pair(Net::BufferedIO, read_timeout: 0.01)
begin
  io.readline
rescue Net::ReadTimeout => e
  p e.class.superclass, e.message.sub(/0x\h+|fd \d+/, "..."), e.io.equal?(io.io)
end
p Net::ReadTimeout.new.message, Net::WriteTimeout.new.message, Net::WriteTimeout.superclass
other << "all of it"
other.close
p io.read_all

def sent(log = nil)
  io, other = pair(Net::InternetMessageIO, debug_output: log)
  count = yield io
  io.close
  [count, other.read]
end
p sent { |io| io.write_message("plain\ntext\r\n.dots\n..\nend") }
p sent { |io| io.write_message("") }
p sent { |io| io.write_message(["a\r", "\nb", "c\n", ".d\n"]) }
p sent { |io| io.write_message("mac\rends\r\n") }
p sent { |io| io.write_message_by_block { |f| f.puts "head"; f.print "x"; f << "y\n" << ".z"; f.printf("%d\n", 5); f.write("last") } }
p sent { |io| io.write_message_by_block { |f| } }
p sent(log = +"") { |io| io.write_message("logged\n") }
puts log
io, other = pair(Net::InternetMessageIO)
other << "one\r\n..two\r\n\r\n.\r\nitem 1\r\nitem 2\r\n.\r\n"
io.each_message_chunk { |line| p line }
io.each_list_item { |line| p line }

class Own < Net::Protocol
  protocol_param :port, "25"
  protocol_param :name, ":own"
end
p Own.new.port, Own.new.name
p Net::WriteAdapter.new(nil).inspect, Net::ReadAdapter.new(nil).inspect
got = []
r = Net::ReadAdapter.new(->(s) { got << s })
r << "a"
r << "b"
p got, Net::ProtocRetryError
