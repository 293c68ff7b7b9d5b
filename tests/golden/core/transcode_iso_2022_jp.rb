# ISO-2022-JP and its Windows variants: shifts, sets that go on, Katakana and their marks; UTF8-MAC; encode without a destination.
def t; puts yield.inspect.b.gsub("\n","~"); rescue Exception => e; puts "#{e.class}: #{e.message.gsub(/0x\h+/,"XX")}".b.inspect; end
t { "abc\xa4".encode("ISO-8859-1","EUC-JP") rescue $!.readagain_bytes }
t { "abc\xa4".encode("ISO-8859-1","EUC-JP") rescue $!.error_bytes }
t { "\u{e9}".encode("UTF8-MAC").b }
t { "\u{fb4d}".encode("UTF8-MAC").b }
t { "\u{1ff7}\u{212b}\u{f900}\u{2f800}\u{ac00}\u{2126}\u{fb1d}".encode("UTF8-MAC").b }
t { "\u05DB\u05BF".encode("UTF-8", "UTF8-MAC").b }
t { "\u03C9\u0342\u0345".encode("UTF-8", "UTF8-MAC").b }
t { "e\u0301te\u0300".encode("UTF-8", "UTF8-MAC").b }
t { "\u1100\u1161\u11a8".encode("UTF-8", "UTF8-MAC").b }
t { "\u{212b}".encode("UTF-8", "UTF8-MAC").b }
t { "\u0061\u0308\u0304".encode("UTF-8", "UTF8-MAC").b }
t { "\x0e".encode("utf-8","iso-2022-jp") }
t { "\x0f".encode("utf-8","iso-2022-jp") }
t { "a\x0f".encode("utf-8","cp50221") }
t { "\x0E\xB1\x0f1".encode("utf-8","cp50221") }
t { "\x0E11\x0f1".encode("utf-8","cp50221") }
t { "\x0E\e(B1".encode("utf-8","cp50221") }
t { "\e$B!!\n!!".encode("utf-8","cp50221") }
t { "\e$B!!\n!!".encode("utf-8","iso-2022-jp") }
t { "\e$B!!\x0f!!".encode("utf-8","cp50221") }
t { "\e$B!!\x0e!!".encode("utf-8","cp50220") }
t { "\e$B!! ".encode("utf-8","iso-2022-jp") }
t { "\e$B!!\x7f".encode("utf-8","iso-2022-jp") }
t { "\e(I11\n".encode("utf-8","cp50221") }
t { "\e(I11 ".encode("utf-8","cp50221") }
t { "\e(I\x60".encode("utf-8","cp50221") }
t { "\e(J\\~".encode("utf-8","iso-2022-jp") }
t { "\xA4\xA2\xFF\xA4\xA4".encode("ISO-2022-JP", "EUC-JP", invalid: :replace, replace: "").b }
t { "\xA4\xA2\xFF\xA4\xA4".encode("ISO-2022-JP", "EUC-JP", invalid: :replace, replace: "?").b }
t { "\xA4\xA2\xFF\xA4\xA4".encode("ISO-2022-JP", "EUC-JP", invalid: :replace, replace: "い").b }
t { "あ\u4E02い".encode("ISO-2022-JP", xml: :text).b }
t { "あ\u4E02い".encode("ISO-2022-JP", undef: :replace).b }
t { "あ\u4E02い".encode("ISO-2022-JP", undef: :replace, replace: "").b }
t { "あ\u4E02い".encode("ISO-2022-JP", fallback: ->(c) { "う" }).b }
t { "あ\u{1F600}い".encode("ISO-2022-JP", fallback: ->(c) { "う" }).b }
t { "あ\u{1F600}い".encode("ISO-2022-JP", xml: :text).b }
t { "あ\u{1F600}い".encode("EUC-JP", xml: :text).b }
t { "\u{1F600}".encode("UTF-16BE").encode("Shift_JIS", xml: :text).b }
t { "\x80".dup.force_encoding("koi8-r").encode("iso-8859-1", xml: :text).b }
t { "\xff".dup.force_encoding("utf-8").encode }
t { "\xff".dup.force_encoding("utf-8").encode(invalid: :replace) }
$VERBOSE = nil
Encoding.default_internal = "utf-8"
t { "\xff".dup.force_encoding("utf-8").encode.b }
t { "\xff".dup.force_encoding("utf-8").encode(invalid: :replace).b }
t { "\xff".dup.force_encoding("utf-8").encode("utf-8").b }
t { "\xff".dup.force_encoding("utf-8").encode(undef: :replace).b }
t { "\xff".dup.force_encoding("utf-8").encode(universal_newline: true).b }
t { "\xff\r\n".dup.force_encoding("utf-8").encode(universal_newline: true).b }
t { "\xff<".dup.force_encoding("utf-8").encode(xml: :text).b }
t { "\xff".dup.force_encoding("euc-jp").encode.b }
t { "a\xff".b.encode.b }
ec = Encoding::Converter.new("EUC-JP", "ISO-2022-JP")
dst = +""
t { ec.primitive_convert(+"\xa1\xa1", dst, nil, 10, partial_input: true); dst.b }
t { ec.insert_output("???") }
t { ec.primitive_convert(+"", dst, nil, 10, partial_input: true); dst.b }
t { ec.primitive_convert(+"\xa1\xa2", dst, nil, 10, partial_input: true); dst.b }
t { ec.insert_output("\xA1\xA1".dup.force_encoding("EUC-JP")) }
t { ec.primitive_convert(+"", dst, nil, 10, partial_input: true); dst.b }
t { ec.insert_output("\u3042") }
t { ec.primitive_convert(+"", dst, nil, 10); dst.b }
t { "\e$B~~\e(B".dup.force_encoding("iso-2022-jp").encode("stateless-iso-2022-jp").b }
t { "\e$B~~\e(B".dup.force_encoding("iso-2022-jp").encode("euc-jp").b }
t { "\e$B#$\e(B".dup.force_encoding("iso-2022-jp").encode("euc-jp").b }
t { "\e$B~~\e(B".dup.force_encoding("iso-2022-jp").encode("utf-8").b }
t { "\x92\xfe\xfe".dup.force_encoding("stateless-iso-2022-jp").encode("iso-2022-jp").b }
t { "\xfe\xfe".dup.force_encoding("euc-jp").encode("iso-2022-jp").b }
t { "\x8e\xfe".dup.force_encoding("euc-jp").encode("iso-2022-jp").b }
t { "\xB5\xDE\xB6\xDE\xC4\xDE\xC5\xDE\xC9\xDE\xCA\xDE\xCE\xDE\xCF\xDE\xCA\xDF\xCE\xDF\xB1".encode("cp50220", "sjis").b }
t { "\xA1\xDF\xB3\xDE\xB3\xDF\xDC\xDE\xB6A\xB6".encode("cp50220", "sjis").b }
t { "\xB6\xDE".encode("cp50221", "sjis").b }
t { "\x8E\xA1\x8E\xFE".encode("cp50220", "cp51932").b }
t { "\x8E\xA1\x8E\xFE".encode("cp50221", "cp51932").b }
t { "\e(I!_\e(B".encode("sjis","cp50220").b }
