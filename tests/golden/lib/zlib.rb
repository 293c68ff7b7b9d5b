# oracle: native
# Compressed data: streams, gzip files, checksums.
require "zlib"
require "stringio"

def show
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end

s = "hello world " * 1000
show { Zlib.inflate(Zlib.deflate(s))==s }
show { Zlib.deflate("\0"*10) }
show { Zlib.gunzip(Zlib.gzip(s))==s }
show { Zlib.gzip("x").size }
show { Zlib.crc32("abc") }
show { Zlib.crc32 }
show { Zlib.crc32("c",Zlib.crc32("ab")) }
show { Zlib.adler32("abc") }
show { Zlib.adler32("c",Zlib.adler32("ab")) }
show { Zlib.crc_table.sum }
show { Zlib.crc32_combine(Zlib.crc32("ab"),Zlib.crc32("cd"),2)==Zlib.crc32("abcd") }
show { Zlib.adler32_combine(Zlib.adler32("ab"),Zlib.adler32("cd"),2)==Zlib.adler32("abcd") }
show { Zlib.adler32("a"*100000) }
show { Zlib.inflate("garbage") }
show { Zlib.inflate(Zlib.deflate(s)[0..-5]) }
show { x=Zlib.deflate(s); x.setbyte(-1,x.getbyte(-1)^1); Zlib.inflate(x) }
show { Zlib.gunzip("xx") }
show { Zlib.gunzip(Zlib.gzip(s)[0..-3]) }
show { x=Zlib.gzip(s);x.setbyte(-6,x.getbyte(-6)^1);Zlib.gunzip(x) }
show { Zlib.inflate("") }
d=Zlib::Deflate.new
show { d.deflate("abc") }
show { d << "def"; d.finish.size }
show { d.finished? }
show { d.total_in }
show { d.total_out }
show { d.adler==Zlib.adler32("abcdef") }
show { d.close }
show { d.closed? }
show { d.finish }
i = Zlib::Inflate.new
out = +""
"#{Zlib.deflate(s)}trail".b.each_char { |byte| out << i.inflate(byte) }
show { out==s }
show { i.finished? }
show { i.total_out }
show { i.finish }
show { i.close }
show { Zlib::Inflate.new(-15).inflate(Zlib::Deflate.new(nil,-15).deflate(s,Zlib::FINISH))==s }
show { Zlib::Inflate.new(47).inflate(Zlib.gzip(s))==s }
show { Zlib::Inflate.new(47).inflate(Zlib.deflate(s))==s }
show { Zlib::Inflate.new(31).inflate(Zlib.gzip(s))==s }
d=Zlib::Deflate.new; d.set_dictionary("hello world "); z=d.deflate("hello world hello",Zlib::FINISH)
show { Zlib.inflate(z) }
show { i=Zlib::Inflate.new; i.add_dictionary("hello world "); i.inflate(z) }
show { i=Zlib::Inflate.new; begin; i.inflate(z); rescue Zlib::NeedDict; i.set_dictionary("hello world "); i.inflate(""); end }
io=StringIO.new; w=Zlib::GzipWriter.new(io); w.mtime=Time.at(1); w.orig_name="n"; w.comment="c"; w.puts "line1","é"; w.print "x", 1; w.write("\n","last"); w.printf("%d",5); w << "q"; w.putc 65
show { w.pos }
w.close
show { w.closed? }
r=Zlib::GzipReader.new(StringIO.new(io.string))
show { [r.mtime.to_i,r.orig_name,r.comment,r.level,r.os_code] }
show { r.gets }
show { r.lineno }
show { r.getc }
show { r.getbyte }
show { r.pos }
show { r.ungetc("é") }
show { r.read(3) }
show { r.gets(nil) }
show { r.eof? }
show { r.gets }
show { r.read }
show { r.read(1) }
show { r.rewind }
show { r.each_line.to_a }
show { r.close.class }
show { r.read }
show { Zlib::GzipReader.new(StringIO.new("nope")) }
show { Zlib::GzipReader.new(StringIO.new("")) }
show { Zlib::GzipReader.new(StringIO.new(io.string[0..-3])).read }
show { Zlib::GzipReader.new(StringIO.new(io.string[0..20])).read }
show { Zlib::GzipReader.zcat(StringIO.new(Zlib.gzip("a")+Zlib.gzip("b"))) }
show { Zlib::GzipReader.new(StringIO.new(Zlib.gzip("a")+"rest")).tap(&:read).unused }
show { Zlib::Deflate.deflate(s,9)==Zlib.deflate(s,9) }
show { Zlib::Deflate.new(99) }
show { Zlib::Inflate.new.tap(&:close).inflate("") }
show { Zlib::GzipReader.new(StringIO.new(Zlib.gzip("abcdefg"))).gets(3) }
show { Zlib::GzipReader.new(StringIO.new(Zlib.gzip("éa"))).each_char.to_a }
show { Zlib::GzipReader.new(StringIO.new(Zlib.gzip("abc"))).readpartial(10) }
show { Zlib.gzip("a",level: 9).getbyte(8) }

# The edges: what is asked too early, too often or too late.
def attempt
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end
packed = Zlib.deflate("hello hello hello world " * 20)
attempt { stream = Zlib::Inflate.new; stream.inflate(packed + "rest"); [stream.avail_in, stream.finish, stream.finished?] }
attempt { stream = Zlib::Inflate.new; stream.inflate(packed + "rest"); stream.inflate("more"); stream.finish }
attempt { stream = Zlib::Deflate.new; stream << "abc"; stream.flush; stream.flush }
attempt { stream = Zlib::Deflate.new; stream.finish; stream.deflate("abc") }
attempt { stream = Zlib::Deflate.new; stream.deflate("abc", 99) }
attempt { stream = Zlib::Deflate.new; stream.set_dictionary("hello"); [stream.adler, stream.deflate("hello world", Zlib::FINISH), stream.adler] }
attempt { stream = Zlib::Deflate.new(1); stream << "abc" * 30; stream.params(9, 0); stream << "def"; Zlib.inflate(stream.finish) == "#{"abc" * 30}def" }
attempt { Zlib::Deflate.new(9, 15, 100) }
attempt { Zlib::Deflate.new(9, 15, 8, 77) }
attempt { Zlib::Inflate.new(100) }
attempt { Zlib.deflate(nil) }
attempt { Zlib.inflate(nil) }
attempt { Zlib.gunzip(Zlib.gzip("abc")[0, 12]) }
attempt { Zlib::ZStream.new }
attempt { Zlib::GzipFile.new }
pieces = []
io = Object.new
io.define_singleton_method(:write) { |text| pieces << text.bytesize }
io.define_singleton_method(:flush) { pieces << :flush }
writer = Zlib::GzipWriter.new(io)
writer.write("foo")
writer.write("bar")
writer.finish
p pieces
pieces.clear
writer = Zlib::GzipWriter.new(io)
writer.sync = true
writer << "foo" << "bar"
writer.close
p pieces
failing = Object.new
failing.define_singleton_method(:write) { |_| raise IOError, "gone" }
writer = Zlib::GzipWriter.new(failing)
attempt { writer.finish }
attempt { [writer.closed?, writer.finish.equal?(failing), writer.closed?] }
