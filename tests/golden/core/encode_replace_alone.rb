# `replace:` without `invalid:` also replaces what the destination lacks.
def show
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

s = "\u00e9\u20ac"
show { s.encode("US-ASCII", replace: "?") }
show { s.encode("US-ASCII", replace: "?", invalid: :replace) }
show { s.encode("US-ASCII", replace: "?", undef: nil) }
show { s.encode("US-ASCII", replace: "?", invalid: nil) }
show { s.encode("US-ASCII", replace: nil) }
show { s.encode("US-ASCII", replace: "?", xml: :text) }
show { s.encode("US-ASCII", replace: "?", fallback: {"\u00e9"=>"e"}) }
show { s.encode("US-ASCII", replace: 5) }
show { s.encode("US-ASCII", replace: 5, invalid: :replace) }
show { "a\xff".encode("US-ASCII", "UTF-8", replace: "?") }
show { "a\xff".encode("UTF-8", "UTF-8", replace: "?") }
show { "a\xff".encode("UTF-16LE", "UTF-8", replace: "?") }
show { "a\xff\u00e9".encode("US-ASCII", "UTF-8", invalid: :replace, replace: "?") }
show { Encoding::Converter.new("UTF-8", "US-ASCII", replace: "?").convert(s) }
show { Encoding::Converter.new("UTF-8", "US-ASCII", replace: "?", invalid: :replace).convert(s) }
show { Encoding::Converter.new("UTF-8", "US-ASCII", replace: "?").replacement }
show { Encoding::Converter.new("UTF-8", "US-ASCII", replace: 5) }
show { Encoding::Converter.new("UTF-8", "US-ASCII", undef: :foo, replace: "?") }
show { s.encode("US-ASCII", undef: :foo, replace: "?") }
show { s.encode("US-ASCII", invalid: :foo, replace: "?") }
show { e=Encoding::Converter.new("UTF-8", "US-ASCII"); e.replacement="!"; e.convert(s) }
require "tmpdir"
Dir.chdir(Dir.mktmpdir)
File.write("given.txt", "a\u00e9b")
show { File.open("given.txt", "r:UTF-8:US-ASCII", replace: "?") { |f| f.read } }
show { File.open("given.txt", "r:UTF-8:US-ASCII", replace: "?", invalid: :replace) { |f| f.read } }
show { File.open("replaced.txt", "w:US-ASCII", replace: "?") { |f| f.write s }; File.read("replaced.txt") }
