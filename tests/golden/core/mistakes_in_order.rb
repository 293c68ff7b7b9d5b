# Of two mistakes in a call, the error names the one that is found first.

def report(name)
  shown = yield.inspect
rescue StandardError => error
  shown = "#{error.class}: #{error.message}"
ensure
  puts "#{name}: #{shown}"
end

report("setbyte: place, frozen") { "abc".freeze.setbyte(10, 1) }
report("setbyte: place, byte") { "abc".setbyte(10, "x") }
report("setbyte: byte, frozen") { "abc".freeze.setbyte(0, "x") }
report("setbyte: frozen") { "abc".freeze.setbyte(-3, 1) }
report("setbyte: place") { "abc".setbyte(-4, 1) }
report("bytesplice: place, text") { "abc".bytesplice(10, 1, 3) }
report("bytesplice: length, text") { "abc".bytesplice(0, "1", 3) }
report("bytesplice: place, frozen") { "abc".freeze.bytesplice(10, 1, "x") }
report("bytesplice: character, part of the text") { "aä".bytesplice(2, 1, "x", 5, 1) }
report("bytesplice: character, conversion") { "aä".bytesplice(2, 1, "x", "5", 1) }
report("bytesplice: length, character") { "aä".bytesplice(2, -1, "ä", 1, 1) }
report("bytesplice: range, text") { "abc".bytesplice(7..8, 3) }
report("bytesplice: no range, text") { "abc".bytesplice("a", 3) }
report("bytesplice: no range in the text") { "abc".bytesplice(0..1, "x", 1) }
report("bytesplice: range in the text") { "aä".bytesplice(2..2, "x", 7..8) }
report("bytesplice: character, character") { "aä".bytesplice(2..2, "ä", 1..1) }
report("bytesplice: frozen") { "aä".freeze.bytesplice(1, 2, "ä", 1, 1) }
report("bytesplice: count") { "abc".bytesplice(0, 1, "x", 0) }
