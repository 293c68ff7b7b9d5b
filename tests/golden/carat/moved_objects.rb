# Conversions and blocks that move a receiver or an argument to another Ractor: the native method that runs finds
# it empty and frozen, and what was moved is refused wherever it is given.
SINK = Ractor.new { kept = []; loop { kept << Ractor.receive } }

def move(object)
  SINK.send(object, move: true)
  object
end

# An object whose conversion moves another one and then answers `answer`.
def moving(object, conversion, answer)
  converter = Object.new
  converter.define_singleton_method(conversion) do |*|
    move(object)
    answer
  end
  converter
end

def report(name)
  puts "#{name}: #{yield.inspect}"
rescue Exception => e
  puts "#{name}: #{e.class}"
end

puts "-- receivers of strings"
text = -> { "q" * 1000 }
report("[]") { s = text.(); s[0, moving(s, :to_int, 900)] }
report("<<") { s = text.(); s << moving(s, :to_str, "x") }
report("insert") { s = text.(); s.insert(0, moving(s, :to_str, "x")) }
report("setbyte") { s = text.(); s.setbyte(900, moving(s, :to_int, 1)) }
report("[]=") { s = text.(); s[3] = moving(s, :to_str, "x") }
report("replace") { s = text.(); s.replace(moving(s, :to_str, "x")) }
report("concat") { s = text.(); s.concat(moving(s, :to_str, "x"), "y") }
report("prepend") { s = text.(); s.prepend(moving(s, :to_str, "x")) }
report("bytesplice") { s = text.(); s.bytesplice(0, moving(s, :to_int, 1), "y") }
report("byteslice") { s = text.(); s.byteslice(0, moving(s, :to_int, 900)) }
report("tr!") { s = text.(); s.tr!("q", moving(s, :to_str, "r")) }
report("gsub!") { s = text.(); s.gsub!("q") { move(s) rescue 0; "r" } }
report("center") { s = text.(); s.center(4, moving(s, :to_str, "r")) }
report("*") { s = text.(); s * moving(s, :to_int, 3) }
report("unpack") { s = text.(); s.unpack(moving(s, :to_str, "a*")) }
report("each_char") { s = text.(); s.each_char { move(s) rescue 0 } }

puts "-- receivers of arrays"
list = -> { [1] * 1000 }
report("[]=") { a = list.(); a[moving(a, :to_int, 3)] = 1 }
report("[,]=") { a = list.(); a[3, moving(a, :to_int, 1)] = 1 }
report("[..]=") { a = list.(); a[3..4] = moving(a, :to_ary, [1]) }
report("insert") { a = list.(); a.insert(moving(a, :to_int, 1), 2) }
report("slice!") { a = list.(); a.slice!(moving(a, :to_int, 1), 2) }
report("concat") { a = list.(); a.concat(moving(a, :to_ary, [1])) }
report("rotate!") { a = list.(); a.rotate!(moving(a, :to_int, 1)) }
report("fill") { a = list.(); a.fill(0, moving(a, :to_int, 1)) }
report("first") { a = list.(); a.first(moving(a, :to_int, 1)) }
report("values_at") { a = list.(); a.values_at(1, moving(a, :to_int, 1)) }
report("sort_by!") { a = list.(); a.sort_by! { move(a) rescue 0; 1 } }
report("sort!") { a = [2, 1]; a.sort! { move(a) rescue 0; 1 } }
report("delete_if") { a = list.(); a.delete_if { move(a) rescue 0; true } }
report("map!") { a = list.(); a.map! { move(a) rescue 0 } }
report("pack") { a = list.(); a.pack(moving(a, :to_str, "C")) }

puts "-- receivers of hashes"
key = ->(hash) { moving(hash, :hash, 1) }
report("[]") { h = { 1 => 2 }; h[key.(h)] }
report("[]=") { h = { 1 => 2 }; h[key.(h)] = 1; h }
report("delete") { h = { 1 => 2 }; h.delete(key.(h)) }
report("merge!") { h = { 1 => 2 }; h.merge!(moving(h, :to_hash, { 3 => 4 })) }
report("update") { h = { 1 => 2 }; h.update({ 1 => 3, 2 => 4 }) { move(h) rescue 0 } }
report("transform_values!") { h = { 1 => 2 }; h.transform_values! { move(h) rescue 0 } }

puts "-- streams and others"
report("write") { reader, writer = IO.pipe; writer.write(moving(writer, :to_s, "abc")) }
report("moved end") do
  reader, writer = IO.pipe
  Ractor.new { Ractor.receive.close }.send(writer, move: true)
  reader.read
end
report("Regexp") { r = Regexp.new("a(b)"); r.match?(moving(r, :to_str, "ab")) }
report("Struct") { s = Struct.new(:a, :b).new(1, 2); s.each { move(s) rescue 0 } }
report("raise") { raise move(RuntimeError.new("x")) }
report("cause") { raise "x", cause: move(RuntimeError.new("x")) }

puts "-- arguments"
report("Array#concat") { [].concat(move([1] * 50)) }
report("String#replace") { "".replace(move("a" * 100)) }
report("Hash#merge") { {}.merge(move({ 1 => 2 })) }
report("Array#+") { [1] + move([1]) }
report("puts") { $stdout.puts move("x" * 10) }
report("join") { ["a", move("b")].join }
report("splat") { p(*move([1, 2])) }
report("double splat") { { **move({ a: 1 }) } }
report("hash key") { { move("a" * 50) => 1 } }
report("case") { case move("a") when String then 1 else 2 end }
report("include?") { [1].include?(move("a")) }
report("format") { format("%s", move("b")) }
report("freeze") { Kernel.instance_method(:freeze).bind_call(move("a")) }
