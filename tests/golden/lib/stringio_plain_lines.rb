# Lines of streams while `$/` is something else, and in encodings whose newline is no byte.
require "stringio"
$VERBOSE = nil

def lines(text)
  io = StringIO.new(text)
  one_by_one = []
  while (line = io.gets)
    one_by_one << [line, io.lineno]
  end
  p one_by_one, StringIO.new(text).each_line.to_a, StringIO.new(text).each_line(chomp: true).to_a
end

[";", "", "\n\n", nil, "\n"].each do |separator|
  $/ = separator
  lines("a;b\n\n;c\r\nd")
end

io = StringIO.new("a\nb\n".encode("UTF-16LE").b)
io.set_encoding("UTF-16LE")
p io.gets.bytes, io.gets.bytes, io.gets, io.lineno

io = StringIO.new("é\nb\n")
io.set_encoding("ISO-8859-1")
line = io.gets
p line.encoding, line.bytes, io.gets, io.gets
