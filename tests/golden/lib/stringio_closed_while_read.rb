# A StringIO that is closed, or loses its text, while it is read bit by bit.
require "stringio"

%i[each_byte each_char each_codepoint each_line].each do |method|
  io = StringIO.new("12\n34\n")
  seen = []
  io.public_send(method) { seen << it; io.close_read if seen.size == 2 }
  p [method, seen]
rescue IOError => error
  p [method, seen, error.message]
end

%i[each_byte each_char each_codepoint each_line].each do |method|
  io = StringIO.new("12\n34\n")
  seen = []
  io.public_send(method) { seen << it; io.string = +"x" if seen.size == 2 }
  p [method, seen]
end
