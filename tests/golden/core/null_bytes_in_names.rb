def t; yield; rescue => e; puts "#{e.class} #{e.message}"; end
t { $stdin.set_encoding(Encoding::UTF_8, "null\0byte") }; t { $stdin.set_encoding("null\0byte", Encoding::UTF_8) }; t { $stdin.set_encoding("utf-8", "utf-16\0") }
# A program's own hashes may differ in the lowest bits alone.
Key = Struct.new(:hash)
p (0..7).map { |i| [Key.new(i)].hash }.uniq.size
