# StringIO: writing over what is there, at the end, behind it; print, puts and << with and without a write of a subclass; readlines.
require "stringio"

def try
  p yield
rescue => e
  puts "#{e.class}: #{e.message.sub(/0x\h+/, "0x")}"
end

def at(text, position, mode = "r+")
  io = StringIO.new(+text, mode)
  io.pos = position
  yield io
  p [io.string, io.pos, io.string.encoding, io.string.valid_encoding?, io.string.ascii_only?]
rescue => e
  puts "#{e.class}: #{e.message.sub(/0x\h+/, "0x")}"
end

["", "abc", "abcdefgh", "héllo wörld"].each do |text|
  [0, 1, 2, 3, 5, 12].each do |position|
    at(text, position) { |io| p io.write("XY") }
    at(text, position) { |io| p io.write("") }
    at(text, position) { |io| p io.write("é") }
    at(text, position) { |io| p io.write("X", :y, 1) }
    at(text, position) { |io| io << "XY" << 12 }
    at(text, position) { |io| io.puts("XY") }
    at(text, position) { |io| io.puts("XY\n", ["Z", ["é"]], nil, 1) }
    at(text, position) { |io| io.puts }
    at(text, position) { |io| io.print("XY", 1, :z) }
    at(text, position) { |io| io.printf("%03d", 7) }
    at(text, position) { |io| io.putc("Q") }
    at(text, position, "a+") { |io| io.write("XY"); io.puts("Z") }
  end
end

# Encodings.
at("abc".encode("UTF-16LE"), 2) { |io| io.write("X") }
at("abc".b, 1) { |io| io.write("é") }
at("héllo", 1) { |io| io.write("\xff".b) }
at("héllo", 1) { |io| io.write("é".encode("ISO-8859-1")) }
at((+"abc").force_encoding("US-ASCII"), 1) { |io| io.write("é") }
at("abc", 1) { |io| io.set_encoding("ISO-8859-1"); io.write("é") }

# The string itself, one that is frozen, one that shares its bytes.
text = +"hello"
io = StringIO.new(text)
io.pos = 2
io.write(text)
p text, io.pos
io.rewind
io.write(text)
p text, io.pos
long = "abcdefghij" * 20
copy = long.dup
io = StringIO.new(copy)
io.write("ZZZ")
p long[0, 5], copy[0, 5], copy.size
io = StringIO.new(+"abc")
io.string.freeze
try { io.write("x") }
try { io.puts("x") }
try { io.print("x") }
try { io << "x" }
io = StringIO.new("abc", "r")
try { io.write("x") }
try { io.print("x") }
try { io << "x" }
io = StringIO.new(+"abc").freeze
try { io.write("x") }
try { io.puts("x") }
try { io.print("x") }
try { io << "x" }
io = StringIO.new(+"abc")
io.close_write
try { io.print("x") }
try { io << "x" }

class Loud < StringIO
  def write(*objects)
    Kernel.print "<", objects.inspect, ">"
    super
  end
end
io = Loud.new(+"abcdef")
io.print("x", 1)
io << "y"
io.puts("z")
puts
p io.string
io = StringIO.new(+"abcdef")
def io.write(*objects) = super(*objects.map { |object| object.to_s.upcase })
io.print("x")
io << "y"
p io.string

$_ = "last"
io = StringIO.new(+"abcdef")
io.print
p io.string

puts "readlines"
io = StringIO.new("a\nb\n\nc")
p io.readlines, io.lineno, io.readlines, io.lineno, io.eof?
io.rewind
p io.gets, io.readlines(chomp: true), io.lineno
io.rewind
p io.readlines(""), io.lineno
io.rewind
p io.readlines("b", 2), io.lineno
p StringIO.new("").readlines
p StringIO.new("é\r\nx\r\n").readlines(chomp: true).map { |line| [line, line.encoding] }
p StringIO.new("a\nb\n".encode("UTF-16LE")).readlines.size
try { StringIO.new(+"", "w").readlines }
try { StringIO.new("a\nb").readlines(0) }
