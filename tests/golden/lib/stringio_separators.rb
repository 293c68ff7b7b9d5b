# Lines that end in something else than a newline.
require "stringio"

def all(text, *args, **options)
  io = StringIO.new(text)
  lines = []
  while (line = io.gets(*args, **options))
    lines << [line, line.encoding, io.pos, io.lineno]
  end
  lines
end

p all("a>b>>c", ">"), all("a>b>>c", ">", chomp: true)
p all("a--b-c--", "--"), all("a--b-c--", "--", chomp: true)
p all("a\r\nb\nc\r\n", "\r\n", chomp: true), all("a\r\nb\nc\r\n", "\n", chomp: true)
p all("é—ü—", "—"), all("é—ü—".b, "—".b), all("a;é".b, ";")
p all("no end", "zzz"), all("", ">")
p all("abc".encode("UTF-16LE"), "b".encode("UTF-16LE")).map { |line, *rest| [line.b, *rest] }
p all("a\nb\n".encode("UTF-16BE")).map { |line, *rest| [line.b, *rest] }
[["é—ü—".b, "—"], ["日本語", "\xA6".b], ["ab".encode("UTF-16LE"), "b"], ["", "\xA6".b], ["ab".encode("UTF-16LE"), "b", 3],
 ["é".b, "é", 1], ["ab".encode("UTF-16LE"), ""]].each do |text, *args|
  p all(text, *args).map { |line, *rest| [line.b, *rest] }
rescue ArgumentError => e
  puts e.message
end
p all("a>b>c", ">", 1), all("a>b", nil), all("a\n\n\nb", "", chomp: true), all("a>b", ">", nil)

io = StringIO.new("1;2;3")
p io.readline(";"), $_, io.readline(";", chomp: true), $_, io.lineno, io.readline(";"), io.eof?
begin
  io.readline(";")
rescue EOFError => e
  p e.message, $_
end
p StringIO.new("1;2;3").readlines(";"), StringIO.new("1;2;3").each_line(";", chomp: true).to_a
p StringIO.new("1;2;3").each(";").map(&:frozen?)

separator = Class.new { def to_str = ";" }.new
p StringIO.new("1;2;3").gets(separator)

io = StringIO.new("1;2;3", "w")
begin
  io.gets(";")
rescue IOError => e
  p e.message
end

string = +"a;b;c;d"
io = StringIO.new(string)
line = io.gets(";")
string[0] = "X"
line << "more"
p line, string, io.gets(";")
string.replace("zz")
p io.gets(";"), io.pos
io.pos = 10
p io.gets(";"), io.lineno

class Loud < StringIO
  def gets(*args, **options)
    $stdout.puts "gets #{args} #{options}"
    super
  end
end
p Loud.new("1;2").readline(";")

binary = StringIO.new("\xFF;\xFE;".b)
binary.set_encoding("UTF-8")
p binary.gets(";"), binary.gets(";").valid_encoding?
