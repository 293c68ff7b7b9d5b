# encoding: binary
# Encoding::Converter: what it read beyond a mistake, and converters that only decorate.
def t; p yield; rescue => e; puts "#{e.class}: #{e.message}"; end
C = Encoding::Converter
t { C.new("utf-8", "utf-8") }
t { C.new("utf-8", "UTF-8", crlf_newline: true) }
t { C.new("UTF-8", Encoding::UTF_8) }
t { C.new("", "", crlf_newline: true).convert("a\n") }
t { C.new("", "", crlf_newline: true) }
t { C.new("", "") .convert("abc") }
e = C.new("EUC-JP", "ISO-8859-1")
p e.primitive_convert(src = +"abc\xa1def", dst = +"", nil, 10), src, dst, e.primitive_errinfo
p e.putback, e.putback, e.primitive_errinfo
e = C.new("utf-16le", "iso-8859-1")
p e.primitive_convert(src = +"\x00\xd8\x61\x00b\x00", dst = +""), src, dst, e.primitive_errinfo
p e.putback(1), e.putback(5), e.putback(0), src
e = C.new("utf-8", "iso-8859-1")
p e.primitive_convert(src = +"\xf1abcd", dst = +""), src
p e.primitive_convert(src, dst), src, dst
e = C.new("utf-8", "iso-8859-1")
t { e.convert("x\xf1abcd") }
p e.primitive_errinfo, e.last_error
t { e.convert("z") }
t { e.finish }
t { e.convert("z") }
t { e.finish }
p e.primitive_errinfo
e = C.new("EUC-JP", "ISO-8859-1")
t { e.convert("\xa4") }
p e.putback, e.primitive_errinfo
t { e.finish }
p e.primitive_errinfo, e.last_error
t { e.convert("a") }
e = C.new("utf-8", "utf-16le")
p e.primitive_convert(src = +"a\xf1\x80\x80b", dst = +""), src, dst, e.primitive_errinfo, e.putback, src
e = C.new("utf-8", "utf-16le", invalid: :replace)
p e.primitive_convert(src = +"a\xf1\x80\x80b", dst = +""), src, dst, e.primitive_errinfo, e.putback, src
t { e.convert("\xf1a") }
t { e.primitive_convert(+"a", +"") }
e = C.new("gb18030", "utf-8")
p e.primitive_convert(src = +"a\x81\x30\x81zbc", dst = +""), src, dst, e.primitive_errinfo, e.putback(2), e.putback, src
e = C.new("utf-8", "us-ascii")
t { e.convert("a\u00e9b") }
p e.primitive_errinfo, e.putback
t { e.convert("c") }
p e.primitive_convert(src = "d\u00e9f".b, dst = +""), src, dst
p C.new("", "", crlf_newline: true).source_encoding, C.new("", "", universal_newline: true).convpath
p C.new("UTF-8", "EUC-JP", crlf_newline: true, xml: :attr), C.new("UTF-8", "EUC-JP", xml: :text).convpath
t { "a".encode("UTF-8", "x", crlf_newline: true, xml: :attr) }
["UTF-16BE", "UTF-16LE"].each { |name| ["a", "\0a\r\n", "\n", "\xFF", "\xE3\x81\x82", "\x00\xD8"].each { |s| p s.dup.force_encoding(name).encode(crlf_newline: true).b } }
%w[Big5 GBK GB18030 CP949 CP51932].each do |name|
  ["\x82a", "\x8E\xB1", "\x81", "\x810", "\x80", "\xC6\xA1", "\xF9\xFE", "\xA2\xA4", "\xFE\x59", "\xA8\xBC", "\x8F\xA2\xAF", "\xA1\x40"].each do |s|
    puts "#{name} #{s.unpack1("H*")} " + begin s.dup.force_encoding(name).encode("UTF-8").unpack("U*").map { |c| c.to_s(16) }.join(" ") rescue $!.message end
  end
  [0x2550, 0x2593, 0x4EDD, 0xF6B1, 0xF848, 0x1E3F, 0x9FB4, 0xFE19, 0xE7C7, 0xE81E, 0x401, 0x3000].each do |c|
    puts "%s %x %s" % [name, c, ([c].pack("U").encode(name).unpack1("H*") rescue $!.message)]
  end
end
