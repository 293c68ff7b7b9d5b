require "./streams"
require "tempfile"

def error
  yield
rescue StandardError => e
  "#{e.class}: #{e.message}"
end

# ---- streams that C code opens ----

class Port < IO
  def initialize = raise("never called")
end

reading, writing = Streams.make_pipe(Port)
p reading.class, reading.closed?, writing.sync, reading.sync
writing.puts "one line", "and another"
p reading.gets, reading.readline, error { reading.write("x") }, error { writing.read }
writing << "rest"
writing.close
p reading.read, reading.eof?, writing.closed?
reading.close
p reading.closed?, error { reading.read }, reading.close

reading, writing = Streams.make_pipe(IO)
p Streams.record_of(reading), Streams.record_of(writing), Streams.check_writable(writing)
p error { Streams.check_writable(reading) }
writing.write("through a record")
p reading.readpartial(100), IO.select([reading], [writing], nil, 0)&.map(&:size)
[reading, writing].each(&:close)
p error { Streams.record_of(reading) }

io, *record = Streams.empty_record
p record, error { io.read }, error { Streams.record_of(io) }

Tempfile.create("streams") do |file|
  named = Streams.open_named(file.path, "w+")
  p named.class, named.path == file.path, named.inspect == "#<File:#{file.path}>", named.size
  named.write("abc\n", "def\n")
  named.rewind
  p named.readlines, named.lineno
  copy = named.dup
  p copy.pos, copy.path == file.path
  copy.close
  Streams.open_named(file.path, "a") { |f| f }.tap { |f| f << "more\n" }.close
  p File.read(file.path)
  p error { Streams.open_named("#{file.path}/none", "r") }.sub(file.path, "")

  ends = IO.pipe
  Streams.reopen_onto(ends[0], file)
  p ends[0].read, ends[0].fileno == file.fileno
  p error { ends[1].write("x") }
  ends.each(&:close) rescue p $!.class
end

["r", "r+", "w", "wb", "w+", "wx", "a", "a+", "rt"].each { |mode| p [mode, Streams.modes(mode)] }
["x", "rx", "rbt", "", "rw"].each { |mode| p error { Streams.modes(mode) } }

# Streams that nobody uses, and some that are in use, while much is collected.
kept = Array.new(20) { Streams.make_pipe(Port) }
GC.start
kept.each_with_index { |(_, to), i| to.write("number #{i}") }
p kept.map { |from, to| to.close; from.read }.last
kept.each { |from, _| from.close }

# ---- buffers ----

$VERBOSE = nil
p Streams.sizes
buffer = Streams.lend(IO::Buffer::EXTERNAL)
p buffer.class, buffer.size, buffer.external?, buffer.get_string, Streams.look(buffer)
buffer.set_string("LENT")
p Streams.lent_bytes, Streams.read_bytes(buffer)
slice = buffer.slice(4, 4)
Streams.fill(slice, 0x2a)
p Streams.lent_bytes, slice.get_string
Streams.clear(buffer, 0x2d, 12, 4)
p Streams.lent_bytes
p error { Streams.resize(buffer, 100) }
p Streams.free_buffer(buffer).null?, error { slice.get_string }, Streams.look(slice), Streams.look(buffer)
p error { Streams.read_bytes(buffer) }, error { Streams.fill(buffer, 1) }

only = Streams.lend(IO::Buffer::EXTERNAL | IO::Buffer::READONLY)
p only.readonly?, error { only.set_string("x") }, error { Streams.fill(only, 1) }, Streams.read_bytes(only)

given = Streams.give(8)
p given.internal?, given.get_string, Streams.resize(given, 12).get_string
p Streams.transfer(given).get_string, given.null?
20.times { Streams.give(100_000) }
GC.start

own = Streams.make(6)
p own.size, own.get_string, Streams.fill(own, 0x61).get_string
p Streams.lock(own).locked?, error { Streams.lock(own) }, error { own.resize(1) }
p Streams.unlock(own).locked?, error { Streams.unlock(own) }, Streams.try_unlock(own)
p Streams.lock(own).locked?, Streams.try_unlock(own), error { Streams.free_locked(own) }
Streams.lock(own)
p Streams.free_locked(own).null?

text = +"a text that a buffer is for"
IO::Buffer.for(text) do |view|
  p Streams.read_bytes(view), Streams.look(view)[1]
  Streams.fill(view.slice(0, 6), 0x2e)
end
p text
p Streams.read_bytes(IO::Buffer.for("frozen".freeze)), error { Streams.fill(IO::Buffer.for("frozen".freeze), 1) }

Tempfile.create("mapped") do |file|
  file.write("0123456789")
  file.flush
  mapped = Streams.map(file, 10)
  p mapped.mapped?, Streams.read_bytes(mapped)
  Streams.fill(mapped.slice(2, 3), 0x78)
  p File.read(file.path), mapped.get_string
  mapped.set_string("yy", 8)
  p Streams.read_bytes(mapped), File.read(file.path)
  mapped.free
  p error { Streams.read_bytes(mapped) }
  file.rewind
  part = Streams.make(4)
  part.set_string("buff")
  p Streams.move(part, file, 4), part.get_string, File.read(file.path)
end

# ---- calls ----

lister = Object.new
def lister.list(*all) = all
p Streams.counted(lister), Streams.yield_counted { |*all| all }

# ---- members by number ----

Pair = Struct.new(:left, :right)
class Triple < Struct.new(:a, :b, :c)
  def [](_) = :never
  def extra = @extra = :ivar
end
triple = Triple.new(1, 2, 3)
triple.extra
p Streams.member(Pair.new(:x, false), 0), Streams.member(Pair.new(:x, false), 1), Streams.member(Pair.new(:x, 1), -1)
p [0, 1, 2, -3].map { |i| Streams.member(triple, i) }, Streams.member(triple, :b)
p error { Streams.member(Pair.new, 2) }, error { Streams.member(Pair.new, -3) }, error { Streams.member(Pair.new, :none) }
2.times { p Streams.class_text(Pair), Streams.class_text(Triple), Streams.class_text(Comparable) }
p Streams.class_text(Class.new).start_with?("#<Class:0x")
object = Object.new
def object.own = 1
p Streams.freeze(object).frozen?, object.singleton_class.frozen?, Streams.freeze(:symbol), Streams.freeze(1)

puts "waits under a profiler's signals"
reader, writer = IO.pipe
in_time = lambda do |&wait|
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  result = Alarms.under(&wait)
  [result, (0.1..5).cover?(Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)]
end
p in_time.call { Alarms.wait_for(reader.fileno, 0.1) }, in_time.call { IO.select([reader], nil, nil, 0.1) }
p in_time.call { reader.wait_readable(0.1) }, in_time.call { sleep(0.1).class }
writer << "x"
p Alarms.under { Alarms.wait_for(reader.fileno, 5) }
