# oracle: native
# Numbers of descriptors and characters that are no C ints.
def try
  p yield
rescue RangeError, SystemCallError => error
  puts "#{error.class}: #{error.message.tr("`", "'")}"
end

try { IO.new(2**40) }
try { IO.new(2**32) }
try { IO.new(-2**40) }
try { IO.new(2**70) }
try { File.open(2**40) }
reader, writer = IO.pipe
try { writer.putc(2**40) }
try { writer.putc(2**70) }
try { writer.putc(0x141) }
try { writer.putc(-1) }
writer.close
p reader.read.bytes
