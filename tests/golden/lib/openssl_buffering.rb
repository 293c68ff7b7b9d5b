# oracle: native
# OpenSSL::Buffering, on which sockets of TLS stand: lines and pieces over sysread and syswrite.
module OpenSSL; end
require "openssl/buffering"

class Pieces
  Base = Struct.new(:sync)
  module Opening
    def initialize(text) = (@io, @text, @written = Base.new(false), text.b, [])
  end
  include Opening
  include OpenSSL::Buffering
  attr_reader :written

  def sysread(size, buffer = nil)
    raise EOFError, "end of file reached" if @text.empty?
    piece = @text.slice!(0, [size, 5].min)
    buffer ? buffer.replace(piece) : piece
  end

  def syswrite(text)
    @written << text.byteslice(0, 7)
    [text.bytesize, 7].min
  end

  def sysclose = @written << :closed
end

lines = "one\ntwo\n\n\nthree: 3\nfour"
def lines.fresh = Pieces.new(dup)
p lines.fresh.readlines, lines.fresh.readlines("t"), lines.fresh.to_a.size
from = lines.fresh
p from.gets, from.gets("w", chomp: true), from.gets("\n", 3), from.getc, from.getbyte, from.eof?, from.read(4), from.read, from.read(1), from.read
p from.gets, from.eof?, (from.readline rescue $!.class), (from.readchar rescue $!.class), (from.readpartial(3) rescue $!.class)
from = lines.fresh
p from.readpartial(3), from.ungetc("X"), from.readpartial(10), from.readpartial(10), from.read(0), from.gets("zz"), from.getc
buffer = +"old"
from = lines.fresh
p from.read(2, buffer), buffer, from.read(0, buffer), buffer, from.readpartial(1, buffer), buffer
bytes = []
Pieces.new("ab").each_byte { |byte| bytes << byte }
p bytes, lines.fresh.map(&:size)
lines.fresh.each_line("\n\n") { |part| p part }

to = Pieces.new("")
p to.write("a", "1", "b"), (to << "c" << "d").equal?(to), to.puts("x", ["y\n", nil]), to.print("p", 2), to.printf("%03d", 7)
p to.written
p to.flush.equal?(to), to.sync, to.written
to.sync = true
p to.write("now"), to.written.last
p to.write("x" * 20), to.written.last(3)
to.sync = false
to << "rest"
p to.close, to.written.last(2)
p OpenSSL::Buffering::BLOCK_SIZE, Pieces.include?(Enumerable)
