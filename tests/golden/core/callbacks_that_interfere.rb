# What a method was given changes the receiver, or answers with what it may not.

def try(name)
  result = begin
    yield.inspect
  rescue Exception => error
    "#{error.class}: #{error.message}"
  end
  puts "#{name}: #{result}"
end

def answering(name, &body) = Object.new.tap { |object| object.define_singleton_method(name, &body) }

# A block of fill that cuts the array short ends it.
try("fill") { a = (0..9).to_a; a.fill { |i| a.clear if i == 5; i * 2 } }
try("fill, shorter") { a = (0..9).to_a; a.fill { |i| a.pop if i == 5; i * 2 } }
try("fill beyond the end") { [1].fill(7, 2, 2) }
try("fill beyond the end, block") { [1].fill(3, 2) { |i| i } }
try("fill, a start that clears") { a = [1, 2, 3]; a.fill(9, answering(:to_int) { a.clear; 1 }, 3) }

try("transpose") { a = [[1, 2]]; a << answering(:to_ary) { a.clear; [3, 4] } << [5, 6]; a.transpose }
try("shuffle!") { a = (0..9).to_a; a.shuffle!(random: answering(:rand) { |n| a.clear; 0 }) }

# gsub looks after each replacement that code of the program made.
try("gsub, block") { s = +"abcabc"; s.gsub(/b/) { s.clear; "x" } }
try("gsub, hash") { s = +"abcabc"; s.gsub(/b/, Hash.new { s.clear; "x" }) }
try("gsub, nothing found") { s = +"abcabc"; s.gsub(/z/) { s.clear; "x" } }
try("sub") { s = +"abcabc"; [s.sub(/b/) { s.clear; "x" }, s] }
try("how often gsub yields") { s = +"abab"; count = 0; s.gsub(/a/) { count += 1; s << "z"; "x" } rescue count }

# Hashes of keys are integers, or become some.
try("hash of a key, a string") { {answering(:hash) { "x" } => 1} }
try("hash of a key, a float") { {answering(:hash) { 1.5 } => 1}.size }
try("hash of a key, nil") { {answering(:hash) { nil } => 1} }

# Fibers are initialized once.
try("a fiber twice") { f = Fiber.new { 1 }; f.send(:initialize) { 2 } }
try("a running fiber twice") { f = Fiber.new { Fiber.yield 1; 3 }; f.resume; begin f.send(:initialize) { 2 }; ensure puts f.resume end }
try("alive? of none") { Fiber.allocate.alive? }

# Marshal.
try("negative string") { Marshal.load("\x04\b\"\xfa") }
try("negative array") { Marshal.load("\x04\b[\xfa") }
try("negative bignum") { Marshal.load("\x04\bl+\xfa") }
try("a Rational of no array") { Marshal.load("\x04\bU:\x0dRationali\x06") }
try("more than was asked for") do
  bytes = [4, 8, 34, 10]
  source = answering(:getbyte) { bytes.shift }
  source.define_singleton_method(:read) { |_| "x" * 100 }
  Marshal.load(source)
end
try("bytes that are strings") do
  bytes = ["\x04", "\b", "T"]
  source = answering(:getbyte) { bytes.shift }
  source.define_singleton_method(:read) { |_| "" }
  Marshal.load(source)
end

# Counts of objects go into a hash, whose other values become 0.
try("count_objects") { h = {"x" => 1, 3 => 2}; ObjectSpace.count_objects(h); [h["x"], h[3], h[:TOTAL] > 0] }
try("count_objects, no hash") { ObjectSpace.count_objects(5) }
try("count_objects, frozen") { ObjectSpace.count_objects({}.freeze) }
