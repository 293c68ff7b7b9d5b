# Corners of numbers, strings, hashes and enumerables that few programs reach.
def attempt
  yield
rescue StandardError => error
  "#{error.class}: #{error.message}"
end

# Numbers
p Rational(0, 1)**Rational(2, 3), attempt { Rational(0, 1)**Rational(-2, 3) }
one = Object.new
def one.to_int = 1
p Rational(one, 1), Rational(1, one), Rational(one, one)
p Float("0x0." + "0" * 600 + "1fp3427") == 31.0 * 2**1019
p attempt { 1.0.step(2.0, nil) {} }, attempt { 1.step(10, nil) {} }
silent = Class.new(Numeric) { def coerce(_) = nil }.new
p attempt { -silent }
huge = 1e300.to_i
p (huge**2).fdiv(1e300), attempt { (huge**2).fdiv(0.0) }, attempt { (huge**2).fdiv(Float::INFINITY) }
p attempt { (1.0...5).each.size }
raising = Object.new
def raising.<=>(_) = raise("cmp")
p attempt { (raising..3) }, attempt { Range.new(raising, 3) }
p rand(Time.at(0)..Time.at(2)).class
p attempt { Random.new(0).freeze.__send__(:marshal_load, Random.new(1).__send__(:marshal_dump)) }[0, 40]

# A wrapper with the hash of what it wraps is found in its place.
wrapper = Struct.new(:inside) do
  def hash = inside.hash
  def eql?(other) = inside.eql?(other)
end
p [5, -1, true, nil, 0.0, 1.7e-77, :foo, "str", "\u3042"].all? { |key| {key => :found}[wrapper.new(key)] == :found }
p({1 => 2}.hash == {1 => 2}.hash, 1.hash == 1.hash, 1.hash == 2.hash, 1.hash.class)

# Lambdas of two parameters
seen = []
pairs = ->(value, index) { seen << [value, index] }
%w[a b].each_with_index.grep(proc { |value, _| value == "b" }, &pairs)
%w[a b].each_with_index.grep_v(proc { |value, _| value == "b" }, &pairs)
%w[a b].each_with_index.cycle(2, &pairs)
%w[a b].each_with_index.zip([:x, :y], &->((value, index), other) { seen << [value, index, other] })
p seen
p (0..).lazy.with_index(2).map(&->(i, j) { [i, j] }).first(2)
always = Class.new(Regexp) { def ===(_) = true }.new("x")
p [1, 2].grep(always), [1, 2].grep_v(always)

# Strings
p "".b.slice!("".dup.force_encoding("EUC-JP")).encoding
p attempt { "\x80".b.insert(2, "\xA1\xA1".dup.force_encoding("EUC-JP")) }
p attempt { "".scan("\xA1") }, attempt { "\xA1".scan("") }, attempt { "\xA1a".sub("a", "b") }
p "\x81a".dup.force_encoding("Windows-31J").tr("", "\x81".dup.force_encoding("Windows-31J"))
p attempt { "\xA1".tr("", "a") }, "".delete("\xA1")
p "abc\n".encode("UTF-16BE").chomp("\n".encode("UTF-32LE")), "a".b.chomp("\0a".dup.force_encoding("UTF-16BE"))
p "\0A".dup.force_encoding("UTF-16BE").casecmp("\0a".dup.force_encoding("UTF-16BE"))
p " ab  cd ".encode("UTF-16BE").split(" ".encode("UTF-16BE")).map { |part| part.encode("UTF-8") }
text = +"abc " * 20
p attempt { 10.times { text.split { text.prepend("xxx" * 100) } } }
broken = +"\u3042\x81\u3042"
p attempt { broken.scrub { broken << "x" * 100; "?" } }
p sprintf("%c".encode("US-ASCII"), 0x80), attempt { sprintf("%<\u3042>s".encode("EUC-JP"), {}) }
p [Struct.new(:to_str).new("u")].join.encoding

# Packing
format = "c" * 2000
changing = Object.new
changing.define_singleton_method(:to_int) { format.replace(""); 1 }
p attempt { [changing].pack(format) }, attempt { [1].pack("C".encode("UTF-16LE")) }

# Dumps
p Marshal.load("\x04\x08u:\tTime\r\x20\x7c\x1e\xc0\x00\x00\x00\x00").to_s
p Marshal.load("\x04\bIu:\tTime\r \x80\x11\x80@\xE2\x01\x00\x06:\rsubmicro\"\ax\x90").nsec
p Time.gm(2000, 1, 1, 0, 0, "0", :foo, :foo).to_s

# Interpolated patterns and those of other encodings
p attempt { part = "\\"; /#{part}/ }, Regexp.allocate.fixed_encoding?
p Regexp.new("^(\xB0)$".dup.force_encoding("ISO-8859-5"), Regexp::IGNORECASE).match?("\xD0".dup.force_encoding("ISO-8859-5"))
p Regexp.new("^ss$", Regexp::IGNORECASE).match?("\xDF".dup.force_encoding("ISO-8859-2"))
p Regexp.new("\x8E\xFE".dup.force_encoding("EUC-JP")).match?("a\x8E\xFE".dup.force_encoding("EUC-JP"))
(1..16).each { |part| p eval("# encoding: iso8859-#{part}\n/\\xdf/").encoding unless part == 12 }

# Converters in pieces
converter = Encoding::Converter.new("", "xml_attr_content_escape")
p converter.convert("&<>\"'"), converter.finish
quoting = Encoding::Converter.new("", "xml_attr_quote")
p quoting.convert(""), quoting.convert("<"), quoting.finish
p Encoding::Converter.new("UTF-8", "US-ASCII", Encoding::Converter::UNDEF_HEX_CHARREF).convert("\u3042")
p Encoding::Converter.search_convpath("ISO-8859-1", "UTF-32BE", universal_newline: true)
copying = Encoding::Converter.new("", "")
source, out = +"abcdefg", +""
p copying.primitive_convert(source, out, nil, 2), source, out
stepping = Encoding::Converter.new("UTF-8", "EUC-JP")
source, out = +"abc\u3042", +""
p stepping.primitive_convert(source, out, nil, 100, after_output: true), source, out
p attempt { Encoding::Converter.new("", "", universal_newline: true, crlf_newline: true) }[0, 38]

# What is shown of texts in other encodings
%w[UTF-16LE EUC-JP].each do |name|
  shown = Object.new
  shown.define_singleton_method(:inspect) { "a\n\u3042".encode(name) }
  p [shown].inspect, {shown => shown}.inspect
end
Encoding.default_external = "US-ASCII"
shown = {"\u3042": 1, a: 2}.inspect
Encoding.default_external = "UTF-8"
puts shown
Encoding.default_internal = "EUC-JP"
converted = ["\xE3\x81\x82\x81".encode, "\u2665".encode]
Encoding.default_internal = nil
p converted, attempt { "".encode("EUC-JP", undef: :replace, replace: "\x80".dup.force_encoding("EUC-JP")) }
p attempt { sprintf("%c".encode("EUC-JP"), 0xC2) }, sprintf("%c".encode("EUC-JP"), 0xC2A1)
p File::Stat.allocate.inspect
p Float("0x1" + "0" * 400 + "p-1600"), Float("0x0.00000000000000000001p80"), Float("0x1.fffffffffffff8p0"), Float("-0x1.8p1")
p Float("0x" + "f" * 40 + ".8p-160") == 1.0
p File.basename("foo\x93_a".dup.force_encoding("CP932"), "_a").bytesize, File.basename("foo.rb", ".rb"), File.basename("foo.rb", ".*")
half = Class.new(Numeric) { def to_r = 1r; def /(_) = 42 }.new
p Rational(half, 2), Rational(1, 3.0), Rational(0.5, 2)
