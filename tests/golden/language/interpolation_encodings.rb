# The encoding of an interpolated string, and which parts do not go together.
def show
  text = yield
  p [text, text.encoding, text.valid_encoding?, text.length]
rescue => error
  p error.class, error.message
end

wide = "é\nb c".encode("UTF-16LE")
ascii_wide = "ab".encode("UTF-16LE")
empty_wide = "".encode("UTF-16BE")
bytes = "\xff".b
utf8 = "é"
us_ascii = "a".encode("US-ASCII")
euc = "あ".encode("EUC-JP")

puts "-- encodings that are not compatible with ASCII"
show { "#{wide}" }
show { "#{wide}#{ascii_wide}" }
show { "#{wide}#{empty_wide}" }
show { "#{empty_wide}#{wide}" }
show { "#{empty_wide}" }
show { "#{empty_wide}x" }
show { "x#{empty_wide}" }
show { "#{""}#{wide}" }
show { "#{nil}#{wide}" }
show { :"#{wide}".to_s }
show { "#{ascii_wide}x" }
show { "x#{ascii_wide}" }
show { "#{wide}#{utf8}" }
show { "#{1}#{wide}" }
show { "#{wide}#{1}" }

puts "-- encodings that are"
show { "#{bytes}#{utf8}" }
show { "#{bytes}" }
show { "#{bytes}x" }
show { "#{us_ascii}" }
show { "#{us_ascii}x" }
show { "#{us_ascii}é" }
show { "#{us_ascii}#{us_ascii}#{euc}" }
show { "#{euc}x#{us_ascii}" }
show { "x#{euc}" }
show { "#{euc}#{utf8}" }

puts "-- characters that two parts make"
show { "#{"\xE3"}#{"\x81\x82"}" }
show { "#{"\x81".dup.force_encoding("SJIS")}#{"@"}" }
show { "#{"\xE3".b}#{"a"}" }
show { "#{""}#{"\xE3"}" }

puts "-- an interpolated string is like any other"
show { "#{wide}".scrub }
show { "#{wide}#{wide}".lines[1] }
show { "#{wide}".split(" ".encode("UTF-16LE"))[1] }
