# oracle: native
# `read`, `readpartial` and `IO.copy_stream` into a buffer that is given; long writes.
require "tmpdir"
Dir.mktmpdir do |dir|
  path = File.join(dir, "a")
  File.binwrite(path, "0123456789" * 10_000)
  File.open(path, "rb") do |f|
    buf = +"é"
    p f.read(3, buf).equal?(buf), buf, buf.encoding
    long = buf
    f.read(20_000, buf)
    p buf.size, buf[0, 4], buf[-4..], buf.encoding, long.equal?(buf)
    copy = buf.dup
    part = buf[10, 200]
    f.read(20_000, buf)
    p copy[0, 4], buf[0, 4], part[0, 5], copy == buf
    f.read(5, buf)
    p buf, buf.valid_encoding?
    f.readpartial(30_000, buf)
    p buf.size, buf[0, 4]
    p f.read(0, buf), buf
    f.seek(0, IO::SEEK_END)
    buf << "kept"
    p f.read(10, buf), buf
    buf << "kept"
    begin
      f.readpartial(10, buf)
    rescue EOFError => e
      p e.message, buf
    end
    frozen = "frozen".freeze
    begin
      f.read(1, frozen)
    rescue => e
      p e.class, e.message
    end
    f.rewind
    p f.read(100_000).size, f.read(1), f.read
    f.rewind
    p f.getc, f.read(99_999).size
    f.rewind
    p f.gets("9"), f.readpartial(5), f.read(7, buf), buf
  end

  # A chunk of a short read does not keep the room of the long one.
  r, w = IO.pipe
  w << "abc"
  buf = String.new(capacity: 100_000)
  p r.readpartial(70_000, buf), buf
  w << "defg"
  p r.readpartial(70_000)
  w.write("x" * 30_000, "", :sym, 12, nil, "y" * 10, "é")
  p r.readpartial(30_000).size, r.readpartial(100)
  w.close
  p r.read(10, buf), buf
  r.close

  # Writers see strings as they were.
  r, w = IO.pipe
  text = +"z" * 300_000
  reader = Thread.new { got = +""; (sleep 0.001; got << r.readpartial(65_536)) until got.size == 300_000; got }
  writer = Thread.new { w.write(text) }
  Thread.pass until writer.stop?
  text << "more"
  text.replace("other")
  writer.join
  p reader.value == "z" * 300_000, text
  [r, w].each(&:close)

  class Source
    def initialize(sizes) = @sizes = sizes
    def read(len, buf)
      (@asked ||= []) << len
      size = @sizes.shift or return
      buf.replace("s" * size)
    end
    attr_reader :asked
  end
  class Target
    def initialize = @written = []
    def write(text)
      @written << text.bytesize
      text.bytesize
    end
    attr_reader :written
  end
  source = Source.new([10, 20_000, 3])
  p IO.copy_stream(source, path), File.size(path), source.asked
  source = Source.new([10, 20])
  p IO.copy_stream(source, path, 30), source.asked
  File.binwrite(path, "q" * 40_000)
  target = Target.new
  p IO.copy_stream(path, target), target.written
  target = Target.new
  p IO.copy_stream(path, target, 20_000, 100), target.written
  other = File.join(dir, "b")
  p IO.copy_stream(path, other, 39_000), File.read(other) == "q" * 39_000

  # Long writes do not wait for `flush`, short ones do.
  File.open(other, "w") do |f|
    f.write("1" * 10)
    short = File.size(other)
    f.write("2" * 9000)
    p [short, File.size(other)]
    f.write("3")
    f.puts("4" * 20_000)
    f.seek(0)
    f.write("5" * 9000)
    f.seek(0)
    f.write("6")
  end
  p File.size(other), File.read(other, 3)
  a, b = UNIXSocket.pair if defined?(UNIXSocket)
  r, w = IO.pipe
  p w.write_nonblock("ab"), w.write_nonblock("c", exception: false), r.read_nonblock(10), r.read_nonblock(1, exception: false)
  r.close
  begin
    w.write("x" * 10_000)
  rescue Errno::EPIPE => e
    p e.class
  end
  w.close
end
