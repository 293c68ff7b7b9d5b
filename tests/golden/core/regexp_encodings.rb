# Regexps, succ and empty needles in encodings beyond UTF-8.
def t; puts yield.inspect.b.gsub("\n","~"); rescue Exception => e; puts "#{e.class}: #{e.message}".b.inspect; end
def e(s) = s.dup.force_encoding("euc-jp")
def s(s) = s.dup.force_encoding("windows-31j")
t { eval(e("/\xc2\xa1/")).to_s }
t { eval(e("/\xc2\xa1/")).to_s.encoding }
t { eval(e("/\xc2\xa1/")).inspect }
t { eval(e("/\xc2\xa1/")).source }
t { /\xc2\xa1/e.to_s.encoding }
t { eval(e("/\xc2\xa1 \\/\n/")).to_s.b }
t { Regexp.union(eval(e("/\xc2\xa1/")), /a/).source.b }
t { e("\xE0\xA0\xA1").length }
t { e("\xE0\xA0\xA1").chars.map(&:b) }
t { e("\xE0\xA0\xA1").index("", -2) }
t { e("\xE0\xA0\xA1").index(e(""), -2) }
t { e("\xE0\xA0\xA1").rindex(e(""), -2) }
t { (-4..4).map { e("\xE0\xA0\xA1").index(e(""), _1) } }
t { (-4..4).map { e("\xE0\xA0\xA1").rindex(e(""), _1) } }
t { (-4..4).map { e("\xE0\xA0\xA1")[_1] } }
t { (-4..4).map { "\xE3\x81z".index("", _1) } }
t { (-4..4).map { "\xE3\x81z".rindex("", _1) } }
t { e("\x8F\xFE\xFE").succ.b }
t { e("\xFE\xFE").succ.b }
t { e("\x8F\xFE\xFD").succ.b }
t { e("a\x8F\xFE\xFE").succ.b }
t { s("\xFC\xFC").succ.b }
t { "\u{10FFFF}".succ.b }
t { "\x8e\xfe".dup.force_encoding("eucjp").succ.b }
t { "\xff\xff\xff\xff".dup.force_encoding("gb18030").succ.b }
t { eval('/\p{Hiragana}/'.force_encoding("euc-jp")).encoding }
t { eval('/a/'.force_encoding("euc-jp")).encoding }
t { eval('"a"'.force_encoding("euc-jp")).encoding }
t { eval('/\p{Hiragana}/').encoding }
t { eval('/\p{Hiragana}\u{3042}/'.dup.force_encoding("euc-jp")).encoding }
t { /\p{Hiragana}/e.encoding }
t { eval(s("/\u3042\#{1}/".b)).encoding }
t { eval(e("/\#{'\xc2\xa1'}/")).source.b }
t { Regexp.new("\xa4\xa2 \\/ \x00 \x7f \n é".dup.force_encoding("euc-jp")).to_s.b }
t { Regexp.new("é\x00\e\t/").to_s.b }
t { Regexp.new("\xe9\x85".dup.force_encoding("iso-8859-1")).to_s.b }
t { Regexp.new("\xe9\x85".b).to_s.b }
t { Regexp.new("\u200b\ufeff\u0378\u{10ffff}\u00a0\u0085").to_s.b }
t { Regexp.new("あ".encode("utf-16le")).to_s.b }
