# Streams over strings: paragraphs, modes, frozen streams, positions without a string.
require "stringio"

# Prints what a block gives, or what it raises.
def t
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message.gsub(/0x\h+/, "0x")}"
end

t { StringIO.new("abc\n\ndef\n").gets("", chomp: true) }
t { s = StringIO.new("abc\n\ndef\n"); s.gets("", chomp: true); s.gets("", chomp: true) }
t { s = StringIO.new("abc\r\n\r\ndef\r\n"); s.gets("", chomp: true); s.gets("", chomp: true) }
t { StringIO.new("abc\n\ndef\n").gets(nil, chomp: true) }
t { StringIO.new("abc\n\ndef\n").each_line(nil, chomp: true).to_a }
t { StringIO.new("foo\nbar\n\n\nbaz\n").each("", chomp: true).to_a }
t { StringIO.new("foo\nbar\n\n\nbaz\n").readlines("", chomp: true) }
t { f = StringIO.new("\u3042"); f.read_nonblock(exception: false) }
t { StringIO.new("").read_nonblock }
t { StringIO.new("a").read_nonblock(-1) }
t { s = StringIO.new("".dup, "w:utf-32be"); s.print "abc"; s.string }
t { s = StringIO.new("".dup, "w:utf-16le"); s.print "abc"; [s.string, s.external_encoding] }
t { StringIO.new('', 'x') }
t { StringIO.new('', 'rx') }
t { StringIO.new('', 'rbt') }
t { s = StringIO.new; s.freeze; s.puts("foo") }
t { s = StringIO.new; s.freeze; s.string = "foo" }
t { s = StringIO.new; s.freeze; s.reopen("") }
t { s = StringIO.new; s.freeze; s.pos = 1 }
t { s = StringIO.new("abc"); s.freeze; s.gets }
t { f = StringIO.new("pread"); b = "".b; [f.pread(3, 0, b), b] }
t { f = StringIO.new("pread"); f.pread(0, -1) }
t { f = StringIO.new("pread"); f.pread(-1, 0) }
t { f = StringIO.new("pread"); f.pread(1, 9) }
t { f = StringIO.new(nil); [f.seek(0, 0), f.pos, f.seek(0, 1), f.seek(0, 2), f.pos] }
t { f = StringIO.new(nil); f.seek(3); f.pos }
t { f = StringIO.new("abc".b); s = +""; f.read(nil, s); s.encoding }
t { f = StringIO.new("abc".b); s = +""; f.read(2, s); s.encoding }
t { f = StringIO.new("abc"); f.read(1, f.string) }
