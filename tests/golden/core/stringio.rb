# StringIO: reading, writing, positions, modes and what is refused.
require "stringio"
io = StringIO.new("foo\nbar\n\nbaz")
p io.gets, $_, io.lineno, io.read(2), io.pos, io.gets, io.eof?, io.read, io.read, io.read(1), io.gets
io.rewind
p io.readlines(chomp: true), io.rewind, io.each_line("a").to_a, io.rewind, io.gets(2), io.gets(nil, 3), io.getc, io.getbyte
io.ungetc("é")
p io.string, io.pos, io.getc
out = StringIO.new
out.puts [1, [2, nil]], "x\n", :a
out.print "a", 1
out << "z" << 2
out.printf("%03d", 7)
out.putc "qq"
p out.string, out.pos
out.pos = 0
p out.write("AB", :C), out.string[0, 8], out.truncate(4), out.string, out.seek(2, IO::SEEK_END), out.write("!"), out.string
p StringIO.new("a\n\nb\n\n\nc").each_line("").to_a, StringIO.new("é1é").each_char.to_a, StringIO.new("é1").each_byte.to_a
def attempt = p(yield)
attempt { StringIO.new("x".freeze).write("a") } rescue p $!
attempt { StringIO.new("x", "w").read } rescue p $!
attempt { StringIO.new("x".freeze, "w") } rescue puts $!.class
attempt { StringIO.new.tap(&:close).read } rescue p $!
attempt { StringIO.new("").readline } rescue p $!
attempt { StringIO.new(1) } rescue p $!
append = StringIO.new(+"abc", "a")
append.write("d")
append.rewind
append.write("e")
p append.string
p StringIO.open("block") { |s| s.read(3) }, StringIO.new("abc").closed?, StringIO.new("x").tty?, StringIO.new("x").sync
$stdout = StringIO.new
puts "caught"
caught = $stdout.string
$stdout = STDOUT
p caught
p StringIO.new("a\r\nb\r").each_line(chomp: true).to_a, StringIO.new(nil).gets, StringIO.new(nil).write("x")
p StringIO.new("é\nü".encode("UTF-16LE")).gets.bytes, StringIO.new("a\nb").tap { |s| s.pos = 5 }.gets
