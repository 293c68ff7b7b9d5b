# Characters that are read and put back.
require "stringio"

io = StringIO.new(+"héllo\u{1F600}x\xE3\x81")
chars = []
while (char = io.getc)
  chars << char
  io.ungetc(char)
  io.getc
end
p chars, io.pos
io.rewind
io.getc
io.ungetc("ZZ")
p io.string, io.pos
io.read(4)
io.ungetc("é")
p io.string.b, io.pos, io.getc
io.pos = 50
io.ungetc("é")
p io.string.b, io.pos

io = StringIO.new("ab".freeze)
io.getc
p((io.ungetc("a") rescue [$!.class, $!.message]), (io.ungetc(nil) rescue [$!.class, $!.message]), (io.ungetbyte(97) rescue [$!.class, $!.message]))

io = StringIO.new(+"abc")
io.getc
line = io.string.dup
io.ungetbyte(0x1c3)
p io.string.b, line, io.read, io.ungetc(""), io.ungetc(0x41), io.read, io.ungetc("x" * 10), io.string

io = StringIO.new("あい".encode("EUC-JP"))
p io.getc.encoding, io.getc.bytes, io.getc

# A long string is not copied for every character.
io = StringIO.new(+"x" * 200_000)
20_000.times { io.ungetc(io.getc) if io.getc }
p io.pos, io.string.size

io = StringIO.new(nil)
p io.getc, io.ungetc("a"), io.ungetbyte(3), io.getc
