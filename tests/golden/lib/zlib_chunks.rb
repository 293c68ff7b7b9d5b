# oracle: native
# Output by chunks, streams that are closed twice, names of files, data that ends too early.
require "zlib"
require "stringio"

data = (0...200_000).map { |i| (i * i % 251).chr }.join.b
packed = Zlib.deflate(data)
stream = Zlib::Inflate.new
sizes = []
stream.inflate(packed) { |chunk| sizes << chunk.bytesize }
p sizes, stream.finish.bytesize
stream = Zlib::Inflate.new
sizes = []
packed.bytes.each_slice(700) { |part| stream.inflate(part.pack("C*")) { |chunk| sizes << chunk.bytesize } }
p sizes
stream = Zlib::Inflate.new
stream.inflate(packed) { break }
p stream.finish.bytesize
parts = []
Zlib.deflate("abc") { |chunk| parts << chunk }
p Zlib.inflate(parts.join)

gzip = Zlib.gzip("foo")
[gzip[0...-8], gzip[0...-1], gzip[0, 9]].each { |text| Zlib.gunzip(text) rescue puts "#{$!.class}: #{$!.message}" }
io = StringIO.new(gzip)
reader = Zlib::GzipReader.new(io)
p reader.read, reader.close.class, reader.close
writer = Zlib::GzipWriter.new(StringIO.new)
writer.write("x")
p writer.close.class, writer.close
begin
  Zlib::GzipReader.new(StringIO.new(""))
rescue Zlib::GzipFile::Error => error
  p error.message, error.input
end
reader = Zlib::GzipReader.new(StringIO.new(Zlib.gzip("あいう\nかきく")), external_encoding: "UTF-8")
p reader.gets(4), reader.gets(20), reader.gets(nil, 5), reader.gets(nil, 20), reader.gets

small = Zlib.deflate("0" * 40_000)
buffer = +""
sizes = []
p Zlib::Inflate.new.inflate(small, buffer: buffer) { |chunk| sizes << [chunk.size, chunk.equal?(buffer)] }, sizes
inflate = Zlib::Inflate.new
(inflate.inflate(small) { inflate.inflate(small) }) rescue p $!.class < StandardError
deflate = Zlib::Deflate.new
flushed = deflate.deflate("foo", Zlib::FULL_FLUSH) << deflate.deflate("bar", Zlib::FINISH)
inflate = Zlib::Inflate.new
inflate << "\0" * 9 + flushed rescue p $!.class
p inflate.sync(""), inflate.inflate("")
inflate = Zlib::Inflate.new
p inflate.sync("no"), inflate.sync("\0\0"), inflate.sync("\xFF\xFF".b + flushed)
