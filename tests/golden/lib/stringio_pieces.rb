# Writing and reading by pieces: what is usual is native, and whatever is not leaves that.
require "stringio"

def show(io) = p([io.string, io.string.encoding, io.pos, io.lineno])

# At the end, before it and behind it.
io = StringIO.new
p io.write("a", :b, 3), io.write, io.write(""), (io << "x" << nil << 1.5).equal?(io)
show io
io.pos = 1
io.puts "line"
show io
io.pos = 14
io.print "behind", "it"
show io
io.rewind
p io.gets, io.lineno, io.eof?, io.read(4), io.read(0), io.read, io.read(1), io.read, io.eof?

# Appending wherever the position is.
io = StringIO.new(+"begin ", "a+")
io.rewind
p io.getc
io.puts "one", ["two", ["three\n", []]], nil
show io
p io.read

# Encodings: of the string, of the stream, of what is written.
io = StringIO.new(+"".encode("US-ASCII"))
io << "plain" << "größe" << "x"
show io
io = StringIO.new(+"".b)
io << "größe"
show io
io = StringIO.new((+"").force_encoding("ISO-8859-1"))
io << "größe" << "-"
show io
p((io << "日").string) rescue p $!.class
io = StringIO.new("größe\nmaß\n")
p io.getc, io.getc, io.getc, io.getbyte, io.getc, io.pos
io.set_encoding("ISO-8859-1")
p io.gets, io.getc.encoding, io.getc, io.getc, io.pos, io.gets(chomp: true)
io = StringIO.new("a\nb\nc".encode("UTF-16LE"))
p io.gets, io.gets(chomp: true), io.getc, io.getc
io = StringIO.new("\xE3\x81x\xFFé")
p io.getc, io.getc, io.getc, io.getc, io.getc

# Putting back.
io = StringIO.new(+"größe")
3.times { io.getc }
io.ungetc("ö")
show io
io.ungetc("R")
show io
io.ungetc("12345")
show io
io.ungetbyte(0xC3)
p io.getc, io.read
frozen = StringIO.new("fixed".freeze)
frozen.getc
begin
  frozen.ungetc("f")
rescue IOError => e
  p e.message
end

# The string changes while it is read and written.
text = +"some text\nmore"
io = StringIO.new(text)
p io.gets
text.clear
p io.gets, io.getc, io.getbyte, io.read(3), io.eof?, io.pos
io.write "new"
show io
io.string = +"other"
io.write "an"
show io
text = +"soon frozen"
io = StringIO.new(text)
text.freeze
begin
  io.write "x"
rescue IOError, FrozenError => e
  p e.class, e.message
end

# A stream's own write is what the others write by.
class Shouting < StringIO
  def write(*texts) = super(*texts.map { |text| text.to_s.upcase })
end
io = Shouting.new
io.puts "a", "b\n", ["c"], 1
io.print "d", :e
io << "f" << 2
io.printf("%s", "g")
p io.string
io = StringIO.new
def io.write(*texts) = super(*texts, "!")
io << "a"
io.puts
p io.string

# Copies have the position in common.
io = StringIO.new(+"abc\ndef")
copy = io.dup
p io.getc, copy.getc, io.pos, copy.gets, io.gets, copy.eof?

# Closed streams.
io = StringIO.new(+"text")
io.close_read
%i[getc gets getbyte eof? read].each { |name| io.__send__(name) rescue p [name, $!.class, $!.message] }
io.close_write
[-> { io.write("x") }, -> { io << "x" }, -> { io.puts("x") }, -> { io.print("x") }].each { |call| call.() rescue p $!.message }
StringIO.open(+"block") { |inner| p inner.gets; io = inner }
p io.closed?, io.string, (io.read rescue $!.class)

# Separators other than a newline.
io = StringIO.new("a,b,,c\n\n\nd\n")
p io.gets(","), io.gets(",", 1), io.gets(3), io.gets(""), io.gets(nil), io.gets
io.rewind
p io.each_line(",", chomp: true).to_a, io.lineno, io.each_char.to_a
