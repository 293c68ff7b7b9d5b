# Streams that convert what they read: characters, lines, limits, bytes behind the text.
require "tempfile"
require "stringio"

def attempt
  yield
rescue StandardError => error
  "#{error.class}: #{error.message}"
end

FILE = "/tmp/text_and_bytes_of_streams.txt"

def reading(bytes, mode, **options)
  File.binwrite(FILE, bytes)
  File.open(FILE, mode, **options) { |file| p yield(file) }
end

# Line ends of text mode
reading("a\r\nb\rc\n", "rt") { |file| [file.getc, file.getc, file.getc, file.getc, file.read] }
reading("a\rb\rc\r", "rt") { |file| file.readlines }
reading("a\r\n\r\n\r\nb\r\n", "rt") { |file| [file.gets(""), file.gets(""), file.gets("")] }
reading("\0a\0\r\0\n\0b\0\n", "rt:utf-16be:utf-8") { |file| file.readlines }
reading("a\r\nb", "r", textmode: true, universal_newline: false) { |file| file.read }

# Characters with states, limits, separators in the encoding of the lines
reading("\e$B#0#1\e(B!", "r:iso-2022-jp:euc-jp") { |file| [file.getc, file.getc, file.getc, file.getc] }
reading("0123456789", "r:utf-8:utf-32le") { |file| [file.readline(4), file.readline(3)].map(&:bytesize) }
reading("before \u00FF after", "r:utf-8:iso-8859-1") { |file| file.gets("\xFF".dup.force_encoding("iso-8859-1")) }
reading("before \xA2\xA2 after", "r:euc-jp") { |file| attempt { file.gets("\u3042") } }
reading("a\nb\n", "r:utf-8:utf-32le") { |file| attempt { file.gets("b") } }
reading("\xA4\xA2\xA4\xA4\xA4\xA6\n", "r:euc-jp") { |file| [file.gets(3).bytesize, file.gets(1).bytesize] }

# What follows an error is read next
reading("a\x80b", "r:utf-8:euc-jp") { |file| [attempt { file.read }, file.read] }
reading("a\x80b\nc", "r:utf-8:euc-jp") { |file| [attempt { file.gets }, file.gets, file.gets] }
reading("a\uFFFDb", "r:utf-8:euc-jp", undef: :replace) { |file| file.read }

# Text that was put back
reading("foo", "r+t") do |file|
  file.ungetc(file.getc)
  answers = %i[getbyte readbyte].map { |name| attempt { file.__send__(name) } }
  answers << attempt { file.read(2) } << attempt { file.readpartial(2) } << attempt { file.sysread(2) }
  answers << attempt { file.ungetbyte(0) } << file.eof? << file.read
end

# Written text that has states, or quotes around it
File.open(FILE, "w:iso-2022-jp") { |file| file.print "\u3042", "\u3044" }
p File.binread(FILE)
File.open(FILE, "w:utf-16") { |file| file.print "a", "b" }
p File.binread(FILE)
File.open(FILE, "w", xml: :attr) { |file| file.print "<\u3042", "\">" }
p File.binread(FILE)
File.open(FILE, "wb") { |file| file.puts "\u3042\n".encode("UTF-16LE"), "\u0a01".encode("UTF-16LE") }
p File.binread(FILE)

# Arguments are converted once, before the file is opened
File.write(FILE, "foo\nbar\nbaz\n")
limit = Struct.new(:count).new(0)
def limit.to_int = (self.count += 1; -1)
p IO.readlines(FILE, limit), limit.count
wrong = Object.new
def wrong.to_int = raise("no limit")
p attempt { IO.readlines(FILE, wrong, mode: "w") }, File.size(FILE)
p attempt { IO.foreach(FILE, mode: "w").next }

# What converts itself to an array with itself inside
loop_of_one = Class.new { def to_ary = [self] }.new
out = StringIO.new
out.puts(loop_of_one)
p out.string

p attempt { File.open("a\0b") }, attempt { File.basename("a".encode("UTF-16LE")) }
File.unlink(FILE)
