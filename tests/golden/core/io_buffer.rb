# IO::Buffer: making, reading, writing, slicing, locking and showing buffers, and what each refuses.
Warning[:experimental] = false

def try
  r = yield
  puts r.inspect
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

def show(buffer) = puts(buffer.inspect.sub(/0x\h+\+/, "X+"))

B = IO::Buffer
p B.constants.sort, B.ancestors.take(3), B::MaskError.superclass, B::LockedError.superclass
p B.instance_methods(false).sort, B.singleton_methods.sort
p B.for("Hello World").each_byte(2, 2).to_a, B.for("Hello World").each_byte(2).to_a, B.for("Hello World").each_byte.to_a
p B.for("Hello World").each(:U8, 2, 2).to_a, B.for("Hello World").each(:u32).to_a
try { B.for("Hello").each(:x).to_a }
try { B.for("Hello").each("U8").to_a }
try { B.for("Hello").values(:U8, 1, 9) }
try { B.for("Hello").values(:U8, 10) }
try { B.for("Hello").values(:U16) }
try { B.for("Hello").values }
try { B.for("Hello").get_value(:U32, 2) }
try { B.for("Hello").get_value(:U32, -1) }
try { B.for("Hello").get_value("U32", 1) }
try { B.for("Hello").get_values([:U8, :u16], 1) }
try { B.for("Hello").get_values(:U8, 1) }
try { B.size_of([:u32, :U8]) }
try { B.size_of(:bad) }
try { B.size_of("U8") }
b = B.new(16)
try { b.set_value(:U8, 0, 300) }
try { b.set_value(:U8, 1, -1) }
try { b.set_value(:S8, 2, 200) }
try { b.set_value(:U8, 3, 2.9) }
try { b.set_value(:u64, 4, 2**64) }
try { b.set_value(:u64, 8, 2**64 - 1) }
try { b.set_value(:u64, 8, -1) }
try { b.set_value(:s64, 8, 2**63) }
try { b.set_value(:F32, 4, 1.5) }
try { b.set_value(:f64, 8, 1r / 3) }
try { b.set_value(:f64, 8, "1") }
try { b.set_value(:U8, 8, "1") }
try { b.set_value(:U8, 16, 1) }
try { b.set_values([:U8, :u16], 0, [1, 2]) }
try { b.set_values([:U8], 0, [1, 2]) }
try { b.set_values(1, 0, [1, 2]) }
try { b.set_values([1], 0, 2) }
p b.get_string
try { b.get_string(17) }
try { b.get_string(1, 17) }
try { b.get_string(-1) }
try { b.get_string(1, 2, "utf-8").encoding }
try { b.get_string(nil, 2) }
try { b.get_string("a") }
try { b.set_string("test", 1, 2, 1) }
try { b.set_string("test", 14) }
try { b.set_string("test", 1, 5) }
try { b.set_string("test", 1, 2, 5) }
try { b.set_string(:a) }
try { b.copy(B.for("xyz"), 3) }
try { b.copy("xyz", 3) }
try { b.clear(255, 14).get_string }
try { b.clear(1, 2, 3).get_string }
try { b.clear(-1).get_string }
try { b.hexdump }
try { b.hexdump(2, 5, 4) }
try { b.hexdump(2, 5, 0) }
try { b.hexdump(20) }
show B.new(300)
show B.for("a")
show B.for("a").slice
s = b.slice(2, 4)
try { s.size }
try { b.slice(2, 40) }
try { b.slice(20) }
try { s.resize(8).size }
b.free
try { s.valid? }
try { b.get_string }
try { b.set_string("a") }
try { b.null? }
x = B.new(8)
y = x.slice(1, 3)
x.free
try { y.get_string }
try { y.set_string("a") }
show y
try { B.for("ab") <=> B.for("abc") }
try { (B.for("ab") <=> B.for("ac")) < 0 }
try { B.for("ab") == B.for("ab") }
try { B.for("ab") <=> 1 }
try { B.for("ab") < B.for("ac") }
try { (B.for("1234567890") & B.for("\xFF\x00\x00\xFF")).get_string }
try { (~B.for("12")).get_string }
try { B.for("12") & B.new(0) }
try { z = B.for("12").dup; z.xor!(z) }
try { B.for("12").dup.or!(B.for("\x0f")).get_string }
try { B.for("12").not! }
try { B.for("12").and!(1) }
try { B.for(1) }
str = +"test"
B.for(str) do |u|
  try { u.set_string("b"); str }
  try { str << "x" }
  try { u.readonly? }
  try { u.resize(3) }
  try { str.replace("u") }
  try { str.clear }
  copy = str.dup
  try { u.set_string("r"); [str, copy, u.get_string, u.valid?] }
end
p str, str << "!"
try { B.string(4) { |u| u.set_string("hi") } }
try { B.string(-1) { } }
try { B.string(3) }
q = B.new(4)
try { q.locked { q.locked { } } }
p q.locked?
try { q.free }
try { q.resize(1) }
w = B.new(4)
try { w.dup.size }
try { w.transfer.size }
try { w.size }
try { w.resize(5).size }
try { B.new(-1) }
try { B.new(nil) }
try { B.new(10, 0) }
try { B.new(1, 2, 3) }
p B::DEFAULT_SIZE, [B::EXTERNAL, B::INTERNAL, B::MAPPED, B::SHARED, B::LOCKED, B::PRIVATE, B::READONLY]
File.open(__FILE__) do |f|
  r = B.new(8)
  try { r.read(f, 4) }
  try { r.get_string }
  try { r.pread(f, 2, 4) }
  try { r.pread(f, 2, 4, 6) }
  try { r.read(f, 9) }
  try { r.read(f, 2, 7) }
  try { r.write(f) < 0 }
end
