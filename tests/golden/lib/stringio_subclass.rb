# A subclass of StringIO may define methods of any name: only what writes and reads by way of another method asks it.
require "stringio"

class Told < StringIO
  %i[string pos external_encoding getbyte getc closed? size eof? set_encoding each_char].each do |name|
    define_method(name) { |*| raise "#{name} was called" }
  end

  private

  %i[rest state take convert bytesize release unget deliver set_up check_readable].each do |name|
    define_method(name) { |*| raise "#{name} was called" }
  end
end

io = Told.new(+"one\ntwo\n\u00e9t\u00e9\n\nend")
p io.gets, io.read(2), io.read, io.rewind, io.each_line.to_a, io.rewind
p io.each_byte.first(2), io.each_codepoint.first(2), io.gets(nil, 3), io.gets(""), io.gets("d")
io.ungetc("x")
io.ungetbyte(65)
p io.read, io.seek(2), io.write("12"), io.truncate(6), io.rewind, io.read
p io.puts("a", ["b"]), io.rewind, io.readlines
p Told.open(+"text", "r") { |inner| inner.read }, StringIO.new(io.instance_exec { "copied" }).read

class Upper < StringIO
  def write(*texts) = super(*texts.map { |text| text.to_s.upcase })
  def read(...) = super&.upcase
  def getc = super&.swapcase
  def getbyte = super&.succ
  def gets(...) = super&.reverse
end

io = Upper.new
io << "a"
io.print("b", "c")
io.puts("d", 1)
io.printf("%s", "e")
io.putc("f")
io.syswrite("g")
io.write_nonblock("h")
io.rewind
p io.string, io.readchar, io.readbyte, io.readline, io.sysread, (io.rewind; io.readpartial(2)), io.read_nonblock(2)
p io.rewind, io.each_char.to_a, io.rewind, io.each_byte.first(2), io.rewind, io.each_line.to_a, io.rewind, io.readlines

p StringIO.new("a\nb\nc\n").take(2), StringIO.new("a\nb\n").first
