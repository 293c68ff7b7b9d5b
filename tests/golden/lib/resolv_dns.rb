# oracle: native
# Questions to a server of names: messages and what comes back, to a server of the program itself.
require "resolv"
require "socket"

Records = Resolv::DNS::Resource::IN
name = Resolv::DNS::Name.create("www.Example.org.")
p name, name.absolute?, name == Resolv::DNS::Name.create("WWW.example.ORG."), name.subdomain_of?(Resolv::DNS::Name.create("example.org.")), name[0].to_s, name.length
p Resolv::IPv4.create("192.0.2.1").to_name.to_s, Resolv::IPv6.create("::1").to_name.to_s
message = Resolv::DNS::Message.new(7)
message.qr = message.rd = 1
message.add_question("example.org.", Records::MX)
message.add_answer("example.org.", 60, Records::MX.new(10, Resolv::DNS::Name.create("mail.example.org.")))
message.add_answer("example.org.", 60, Records::TXT.new("one", "two"))
message.add_authority("example.org.", 5, Records::NS.new(Resolv::DNS::Name.create("ns.example.org.")))
message.add_additional("ns.example.org.", 5, Records::AAAA.new("2001:db8::1"))
message.add_additional("ns.example.org.", 5, Records::SOA.new(name, name, 1, 2, 3, 4, 5))
bytes = message.encode
p bytes, bytes.bytesize
copy = Resolv::DNS::Message.decode(bytes)
p copy == message, copy.answer[0][2].exchange.to_s, copy.answer[1][2].data, copy.answer[0][2].ttl, copy.additional[0][2].address.to_s
["\0" * 5, "\0\1\0\0\0\1\0\0\0\0\0\0\xc0\x0c\0\1\0\1".b, bytes[0, 40]].each do |broken|
  Resolv::DNS::Message.decode(broken)
rescue Resolv::DNS::DecodeError => error
  puts error.message
end
message = Resolv::DNS::Message.new(8)
message.add_answer("example.org.", 60, Records::WKS.new("192.0.2.1", 6, "\x00\x01".b))
p bytes = message.encode
services = Resolv::DNS::Message.decode(bytes).answer[0][2]
p services.class, services.address, services.protocol, services.bitmap, Resolv::DNS::Resource.get_class(11, 1)
p Records::A.new("1.2.3.4") == Records::A.new("1.2.3.4"), Resolv::DNS::Resource.get_class(1, 1), Resolv::DNS::Resource.get_class(999, 1).superclass

# A port that is free for both.
server = stream = nil
until stream
  server = UDPSocket.new
  server.bind("127.0.0.1", 0)
  port = server.addr[1]
  begin
    stream = TCPServer.new("127.0.0.1", port)
  rescue Errno::EADDRINUSE
    server.close
  end
end
answers = lambda do |text|
  question = Resolv::DNS::Message.decode(text)
  reply = Resolv::DNS::Message.new(question.id)
  reply.qr = 1
  asked, kind = question.question.first
  reply.add_question(asked, kind)
  case asked.to_s
  when "a.example.org" then %w[192.0.2.1 192.0.2.2].each { |address| reply.add_answer(asked, 60, Records::A.new(address)) if kind == Records::A }
  when "alias.example.org"
    target = Resolv::DNS::Name.create("a.example.org.")
    reply.add_answer(asked, 60, Records::CNAME.new(target))
    reply.add_answer(target, 60, Records::A.new("192.0.2.9"))
  when "1.2.0.192.in-addr.arpa" then reply.add_answer(asked, 60, Records::PTR.new(Resolv::DNS::Name.create("a.example.org.")))
  when "long.example.org" then reply.tc = 1
  else reply.rcode = Resolv::DNS::RCode::NXDomain
  end
  reply
end
Thread.new do
  loop do
    text, from = server.recvfrom(512)
    server.send(answers.(text).encode, 0, from[3], from[1])
  end
end
Thread.new do
  loop do
    client = stream.accept
    reply = answers.(client.read(client.read(2).unpack1("n")))
    reply.tc = 0
    reply.add_answer("long.example.org.", 1, Records::TXT.new("by", "tcp"))
    text = reply.encode
    client.write([text.bytesize].pack("n"), text)
    client.close
  end
end
Resolv::DNS.open(nameserver_port: [["127.0.0.1", port]], search: ["example.org"], ndots: 1) do |dns|
  dns.timeouts = 2
  p dns.getresources("a", Records::A).map { |record| record.address.to_s }
  p dns.getaddress("alias.example.org").to_s, dns.getname("192.0.2.1").to_s, dns.getresources("none.example.org", Records::A)
  p dns.getresource("long.example.org", Records::TXT).strings if stream
  begin
    dns.getresource("none", Records::MX)
  rescue Resolv::ResolvError => error
    puts error.message
  end
end
config = Resolv::DNS::Config.new(nameserver: ["127.0.0.1"], ndots: 2, search: ["x.org"])
config.lazy_initialize
p config.single?, config.generate_candidates("a.b").map(&:to_s), config.generate_candidates("a.b.c").map(&:to_s), config.generate_timeouts
