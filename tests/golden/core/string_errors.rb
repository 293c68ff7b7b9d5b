# Errors of String, Symbol, Encoding, format and pack: classes and messages; conversions with options.
def t(n)
  p [n, yield]
rescue Exception => e
  p [n, e.class, e.message]
end
t(1){ "abc".dup.insert(-6,"x") }
t(2){ "abc".dup.insert(7,"x") }
t(3){ [nil].pack("C") }
t(4){ [nil].pack("d") }
t(5){ ["x"].pack("d") }
t(6){ "abc".encode("foo") }
t(7){ "abc".encode("utf-8", invalid: :x) }
t(8){ "abc".encode("utf-8", undef: :x) }
t(9){ "abc".encode("utf-16", xml: :x) }
t(10){ "%c" % "" }
t(11){ "%c" % 0x110000 }
t(12){ "%c" % nil }
t(13){ "%d" % nil }
t(14){ "%f" % nil }
t(15){ "%f" % "x" }
t(16){ "%d" % Float::NAN }
t(17){ "%{x}" % {} }
t(18){ "%{x}" % [1] }
t(19){ "abc".to_i(99) }
t(20){ "abc".to_i(-3) }
t(21){ "abc".upcase(:x) }
t(22){ "abc".upcase(1) }
t(23){ "abc".unicode_normalize(:x) }
t(24){ "abc".b.force_encoding("ISO-8859-1").unicode_normalize }
t(25){ "abc".tr("c-a","x") }
t(26){ "abc".delete }
t(27){ "abc".count }
t(28){ "a".casecmp(1) }
t(29){ "abc".bytesplice(0, 1) }
t(30){ "abc".bytesplice(0..1, "x", 1) }
t(31){ "abc".dup.bytesplice(4,1,"x") }
t(32){ "é".dup.bytesplice(1,1,"x") }
t(33){ "abc".append_as_bytes(nil) }
t(34){ "abc".dup.append_as_bytes("é", 255, 300).inspect }
t(35){ "abc".scrub("\xff") }
t(36){ "a\xff".scrub("\xff") }
t(37){ "\xff".to_sym }
t(43){ +"abc" << -1 }
t(44){ +"abc" << 0x110000 }
t(45){ (+"abc").force_encoding("US-ASCII") << 200 }
t(46){ Encoding.find("x") }
t(47){ Encoding.find(1) }
t(48){ "abc".force_encoding("x") }
t(49){ Encoding.default_external = nil }
t(50){ "abc".unpack("y") }
t(51){ "abc".unpack1("C", offset: 5) }
t(52){ "abc".unpack("C", offset: -1) }
t(53){ "a".dup[-5]="x" }
t(54){ "a".dup[1..-5]="x" }
t(55){ "a".dup[3..4]="x" }
t(56){ "a".dup[0,-1]="x" }
t(57){ "abc".dup["z"]="x" }
t(58){ "abc".dup[nil] }
t(59){ "abc".sum(-3) }
t(60){ "abc".crypt("a") }
t(61){ "abc".encode("utf-16le").to_i }
t(62){ :a.to_proc.call }
t(64){ :upcase.to_proc.call("abc") }
t(65){ Symbol.new }
t(66){ Symbol.allocate }
t(67){ Encoding.new }
t(68){ "x".undump }
t(70){ "abc".strip("a-b") }
t(71){ String.new(capacity: -1) }
t(72){ String.new("a", "b") }
t(73){ String.new(foo: 1) }
t(74){ "abc".unicode_normalized?(:nfx) }
t(75){ "é".encode("us-ascii", fallback: {"é"=>"e"}) }
t(76){ "é<".encode("us-ascii", xml: :text) }
t(77){ "é<\"".encode("us-ascii", xml: :attr) }
t(78){ "a\nb".encode(crlf_newline: true) }
t(79){ "a\r\nb".encode(universal_newline: true) }
t(80){ "é".encode("us-ascii", undef: :replace) }
t(81){ "é".encode("us-ascii", undef: :replace, replace: "zz") }
t(82){ "\xffa".encode("utf-16be", invalid: :replace).bytes }
t(83){ begin; "aé".encode("us-ascii"); rescue => e; [e.error_char, e.source_encoding, e.destination_encoding_name]; end }
t(84){ begin; "a\xE3\x81b".encode("utf-16le"); rescue => e; [e.error_bytes, e.readagain_bytes, e.incomplete_input?, e.message]; end }
t(85){ ec = Encoding::Converter.new("utf-8","iso-8859-1"); [ec.convert("é"), ec.finish, ec.convpath, ec.inspect, ec.replacement] }
t(86){ ec = Encoding::Converter.new("utf-8","us-ascii"); d=+""; [ec.primitive_convert(s=+"aéb", d), d, s, ec.primitive_errinfo, ec.last_error.class] }
t(87){ ec = Encoding::Converter.new("utf-8","utf-16be"); d=+""; [ec.primitive_convert(s=+"aéb", d, nil, 3), d, s, ec.primitive_errinfo] }
t(88){ Encoding::Converter.search_convpath("iso-8859-1","euc-jp") }
t(89){ Encoding::Converter.asciicompat_encoding("utf-16be") }
t(90){ Encoding.compatible?("a", "é".encode("iso-8859-1")) }
t(101){ a = +"hello"; a[/l(l)/, 3] = "x"; a }
t(102){ a = +"hello"; a[/z/] = "x"; a }
t(103){ a = +"hello"; a[/h(z)?/, 1] = "x"; a }
t(104){ a = +"hello"; a[/h(?<q>e)/, "q"] = "x"; a }
t(105){ a = +"hello"; a[/h(?<q>e)/, "r"] = "x"; a }
t(106){ a = +"hello"; [a.slice!(/h(?<q>e)/, "q"), a, $~ && $~[0]] }
t(107){ a = +"hello"; [a.slice!(/z/), a, $~ && $~[0]] }
t(108){ a = +"hello"; a[/l(l)/, -3] = "x"; a }
t(109){ a = +"hello"; [a.start_with?(/he/), $~[0], a.start_with?(/e/), $~] }
