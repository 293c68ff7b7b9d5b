# What is left of a StringIO, in its encoding, from any position.
require "stringio"
io = StringIO.new("abcé\ndef")
p io.read(2), io.read, io.read, io.read(1), io.eof?, io.pos
io.rewind
p io.read(nil), io.pos
io.pos = 100
p io.read, io.read(3), io.pos, io.read.encoding
io.pos = 4
p io.read, io.string
buffer = +"old"
io.rewind
p io.read(nil, buffer), buffer, buffer.encoding, io.read(nil, buffer), buffer
io.set_encoding("ISO-8859-1")
io.rewind
text = io.read
p text, text.encoding, io.string.encoding
binary = StringIO.new("é".b)
p binary.read.encoding, binary.read.encoding
frozen = StringIO.new("kept".freeze)
rest = frozen.read
rest << "!"
p rest, frozen.string, rest.frozen?
shared = StringIO.new(source = +"source")
part = shared.read
source << "more"
p part, shared.read
part.upcase!
p source
writing = StringIO.new(+"", "w")
p writing.read rescue p $!.class, $!.message
closed = StringIO.new("a")
closed.close_read
p closed.read rescue p $!.class
leaked = StringIO.open("inside") { |inner| p inner.read; inner }
p leaked.read rescue p $!.class
sub = Class.new(String).new("sub")
p StringIO.new(sub).read.class
utf16 = StringIO.new("aé".encode("UTF-16LE"))
p utf16.getc, utf16.read
