# oracle: native
# Strings that a thread reads into, and another one moves to a Ractor meanwhile.

Warning[:experimental] = false

READS = {
  read: ->(io, buffer) { io.read(50, buffer) },
  read_all: ->(io, buffer) { io.read(nil, buffer) },
  readpartial: ->(io, buffer) { io.readpartial(50, buffer) },
  sysread: ->(io, buffer) { io.sysread(50, buffer) },
  more_than_there_is_room_for: ->(io, buffer) { io.read(50_000, buffer) },
}

READS.each do |name, read|
  reading, writing = IO.pipe
  buffer = +"x" * 9000
  thread = Thread.new { read.(reading, buffer).size rescue :failed }
  Thread.pass until thread.stop?
  Ractor.new { Ractor.receive; nil }.tap { |other| other.send(buffer, move: true) }.value
  writing.write("y" * 100)
  writing.close
  read = thread.value
  GC.start
  size = begin
    buffer.size
  rescue Ractor::MovedError
    :moved
  end
  p [name, read, size]
end
