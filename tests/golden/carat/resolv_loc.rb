# Where on earth a host is: sizes, coordinates, heights, and records that hold them. CRuby 3.1 writes negative coordinates wrongly.
require "resolv"

p Resolv::LOC::Size.create("1234.56m"), Resolv::LOC::Size.create("0.01m").scalar, Resolv::LOC::Size.create("98765432.10m")
p Resolv::LOC::Coord.create("71 5 6.344 W"), Resolv::LOC::Coord.create("42 21 43.952 N").coordinates, Resolv::LOC::Coord.create("90 0 0.000 S").orientation
p Resolv::LOC::Alt.create("-24m"), Resolv::LOC::Alt.create("+42849672.95m").altitude
p Resolv::LOC::Alt.create("1.0m") == Resolv::LOC::Alt.create("1m"), Resolv::LOC::Size.create("1.0m").eql?(2.0) rescue p $!.class
size = Resolv::LOC::Size.create("10m")
p Resolv::LOC::Size.create(size).equal?(size), size.hash == Resolv::LOC::Size.create("10m").hash
record = Resolv::DNS::Resource::IN::LOC.new("\0".b, "1m", "10000m", "10m", "42 21 54.000 N", "71 6 18.000 W", "-24m")
message = Resolv::DNS::Message.new(7)
message.add_answer("here.example.", 60, record)
wire = message.encode
p wire
_name, ttl, read = Resolv::DNS::Message.decode(wire).answer.first
p ttl, read.class, read.latitude.to_s, read.longitude.to_s, read.altitude.to_s, read.ssize.to_s, read.hprecision.to_s, read.vprecision.to_s, read.version
[["Size", "1cm"], ["Size", "100000000.00m"], ["Coord", "90 0 0.001 N"], ["Coord", "x"], ["Alt", "-100000.01m"], ["Alt", 1]].each do |kind, text|
  Resolv::LOC.const_get(kind).create(text)
rescue ArgumentError => error
  puts error.message
end
