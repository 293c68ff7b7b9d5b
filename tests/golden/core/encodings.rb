# Encodings: validity, conversion, compatibility, binary data, code points.
p __ENCODING__, Encoding.default_external, Encoding.default_internal, "".encoding, :a.encoding, :é.encoding, 5.to_s.encoding, nil.to_s.encoding, [].inspect.encoding
s = "héllo wörld"
p s.size, s.bytesize, s.bytes.size, s.byteslice(0, 2), s.byteslice(1, 2), s.getbyte(1), s.byteindex("w"), s.valid_encoding?, s.ascii_only?, s.unpack("U*").size
b = s.b
p b.encoding, b.size, b[1], b == s, b.force_encoding("UTF-8") == s
latin = s.encode("ISO-8859-1")
p latin.bytesize, latin.encoding, latin == s, latin.encode("UTF-8") == s, latin.inspect, latin.valid_encoding?
p "a".encode("UTF-16LE").bytes, "é".encode("UTF-16").bytes, "😀".encode("UTF-16BE").bytes, "😀".encode("UTF-32LE").bytes, "あ".encode("Shift_JIS").bytes, "あ".encode("EUC-JP").bytes, "あ".encode("Windows-31J").inspect
p "\x82\xA0".dup.force_encoding("Shift_JIS").encode("UTF-8"), "caf\xe9".dup.force_encoding("Windows-1252").encode("UTF-8"), "€".encode("Windows-1252").bytes, "é".encode("IBM437").bytes
def error = (yield; :none) rescue "#{$!.class}: #{$!.message}"
p error { "é".encode("US-ASCII") }, error { "\xff".encode("UTF-16LE") }, error { "é" + "\xe9".dup.force_encoding("ISO-8859-1") }, error { "x".encode("nope") }, error { "é".b.encode("UTF-8") }, error { "é".force_encoding("x") }
p "é".encode("US-ASCII", undef: :replace), "é".encode("US-ASCII", undef: :replace, replace: "?!"), "é".encode("US-ASCII", fallback: { "é" => "e" }), "é<".encode("US-ASCII", xml: :text), "\"é".encode("US-ASCII", xml: :attr), "a\xffb".encode("UTF-16LE", invalid: :replace).encode("UTF-8"), "a\nb".encode(crlf_newline: true), "a\r\nb".encode(universal_newline: true)
p "a" + "é".b, ("a".b + "é").encoding, ("é" + "a".b).encoding, Encoding.compatible?("a", "é".b), Encoding.compatible?("é", "é".b), Encoding.compatible?("é", "a".encode("UTF-16LE")), "abc".b == "abc", "é" == "é".b, "é".eql?("é".b), { "é" => 1 }["é".b]
p "\xff\xfeab".scrub, "a\xE3\x81".scrub("*"), "\xf0\x9f\x98".scrub { _1.bytes.inspect }, "ok".scrub.equal?("ok"), "\xC0\x80".valid_encoding?, "\xED\xA0\x80".valid_encoding?, "\xF4\x90\x80\x80".valid_encoding?, "\u{10FFFF}".valid_encoding?
p "\xE3\x81a".chars, "\xff\xfe".each_char.to_a, "a\x80b".codepoints rescue p "#{$!.class}: #{$!.message}"
p "a\x80b".size, "a\x80b".reverse, "a\x80b"[1], "a\x80b".inspect, ("a\x80b".upcase rescue $!.message), ("a\x80b" =~ /b/ rescue $!.class), "a\x80b".include?("b"), "a\x80b".index("b"), "a\x80b".sub("b", "c"), ("a\x80b".split("b") rescue $!.class)
p Encoding.find("utf-8"), Encoding.find("BINARY"), Encoding::UTF_8.name, Encoding::BINARY.names.first(2), Encoding::UTF_8.ascii_compatible?, Encoding::UTF_16LE.ascii_compatible?, Encoding::UTF_8.dummy?, Encoding::UTF_16.dummy?, Encoding::UTF_7.inspect, Encoding::ASCII_8BIT.inspect, Encoding::UTF_8.to_s, Encoding.name_list.include?("EUC-JP"), Encoding.aliases["BINARY"]
p "é".unicode_normalize(:nfd).codepoints, "e\u0301".unicode_normalize(:nfc).codepoints, "ﬁ".unicode_normalize(:nfkc), "가".unicode_normalize(:nfd).size, "é".unicode_normalized?, "e\u0301".unicode_normalized?
p "é".ord, 233.chr("UTF-8"), 0x1F600.chr("UTF-8"), (256.chr rescue $!.message), (0xD800.chr("UTF-8") rescue $!.message), 200.chr.encoding, 65.chr.encoding, "あいう".tr("あ-う", "a-c"), "あいう".each_char.map(&:ord), "日本語".center(9, "*"), "日本".ljust(4, "語"), "日本語"[1..], "日本語".index("語"), "日本語".byteindex("語")
ec = Encoding::Converter.new("UTF-8", "ISO-8859-1")
p ec.convert("é").bytes, ec.source_encoding, ec.destination_encoding, (ec.convert("あ") rescue $!.error_char), ec.finish, Encoding::Converter.search_convpath("ISO-8859-1", "EUC-JP").size
p :é.inspect, "é".to_sym == :é, :é.to_proc.inspect.size > 5, "é".intern.size, :é.length, %w[é e z].sort, %w[é e z].max, "É".casecmp?("é"), "É".casecmp("é"), "é".hash == "e\u0301".hash
p "caf\u00e9 \u{1F468 200D 1F469 200D 1F467}!".grapheme_clusters.size, "e\u0301x".each_grapheme_cluster.map(&:bytesize), "\r\n".grapheme_clusters.size, "🇫🇷🇩🇪".grapheme_clusters.size
p ["é"].pack("a*").encoding
p [233].pack("U").encoding, [233].pack("C").encoding, "é".unpack("C*"), "é".unpack("U*"), [0x20AC].pack("U"), ["20ac"].pack("H*").bytes, "\u20ac".unpack1("H*"), "abc".unpack("b*"), ["é"].pack("M"), ["é"].pack("m")
