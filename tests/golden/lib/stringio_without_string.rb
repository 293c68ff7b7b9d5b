# A StringIO over nil: nothing to read, and nowhere to write.
require "stringio"

def outcome(name)
  p [name, yield]
rescue Exception => error
  p [name, error.class, error.message]
end

QUESTIONS = %i[read getc getbyte gets readlines eof? pos rewind string size length readline readchar readbyte sysread lineno
               closed? external_encoding internal_encoding set_encoding_by_bom]
QUESTIONS.each { |name| outcome(name) { StringIO.new(nil).__send__(name) } }
%i[each_line each_byte each_char each_codepoint].each { |name| outcome(name) { StringIO.new(nil).__send__(name).to_a } }

io = StringIO.new(nil)
outcome("read(1)") { io.read(1) }
outcome("read(0)") { io.read(0) }
outcome("read into") { buffer = +"abc"; [io.read(nil, buffer), buffer] }
outcome("read(1) into") { buffer = +"abc"; [io.read(1, buffer), buffer] }
outcome("pread") { io.pread(1, 0) }
outcome("readpartial") { io.readpartial(1) }
outcome("read_nonblock") { io.read_nonblock(1, exception: false) }
outcome("write") { io.write("abc") }
outcome("write nothing") { io.write("") }
outcome("putc") { io.putc("x") }
outcome("puts") { io.puts "x" }
outcome("seek") { io.seek(3); io.pos }
outcome("seek to the end") { io.seek(0, IO::SEEK_END) }
outcome("ungetc") { io.ungetc("x") }
outcome("ungetbyte") { io.ungetbyte(1) }
outcome("truncate") { [io.truncate(3), io.truncate(0)] }
outcome("string=") { StringIO.new("abc").string = nil }
outcome("w") { StringIO.new(nil, "w").write("a") }
outcome("r") { StringIO.new(nil, "r").read }
outcome("a") { StringIO.new(nil, "a").write("x") }
outcome("reopen") { StringIO.new("a").reopen(nil) }
outcome("reopen with a mode") { other = StringIO.new("a"); other.reopen(nil, "r"); other.read }
outcome("dup") { StringIO.new(nil).dup.read }
outcome("open") { StringIO.open(nil) { |other| other.read } }
outcome("gets(2)") { io.gets(2) }
outcome("gets(0)") { io.gets(0) }
outcome("gets(nil, 0)") { io.gets(nil, 0) }
outcome("gets(nil)") { io.gets(nil) }
outcome("gets of a paragraph") { io.gets("") }
