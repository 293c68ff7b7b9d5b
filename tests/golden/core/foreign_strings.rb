# Strings in encodings that do not contain ASCII, or that are only names, and mixtures of encodings.
def try
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end

CYRILLIC = "Русский".dup.force_encoding("iso-8859-5").freeze
try { "hllëllo".gsub(/ë/) { CYRILLIC } }
try { "héllëllo".gsub("ë", CYRILLIC) }
try { ["hllëllo".sub("ë", CYRILLIC), "hllëllo".gsub("ë", "ë" => CYRILLIC)].map(&:encoding) }
try { "B\ufffd".encode("US-ASCII", fallback: Object.new) }
try { "Bé".encode("US-ASCII", fallback: { "é" => "bar" }, undef: :replace, replace: "foo") }
try { "abc".dup.force_encoding("internal").encoding }
try { '"foo"'.encode("utf-16le").undump }
try { "a,b".split(",", 2_147_483_647) }
try { "hello".bytesplice(0, 1, "xxx", 0) }

wide = "a\nb".encode("utf-16le")
try { [wide.to_sym, wide.to_sym.encoding, wide.lines, wide.chomp("\n"), wide.ljust(5).bytes] }
try { %w[UTF-7 ISO-2022-JP].map { |name| "ae".dup.force_encoding(name).to_sym } }
try { "a\nb".encode("UTF-16").lines }
try { "a\nb".dup.force_encoding("UTF-7").lines }
try { "\x8E\xB1".dup.force_encoding("US-ASCII").to_sym }
try { "\xFF\xFE\xFF".dup.force_encoding("UTF-8").to_sym }
%w[UTF-16LE ISO-2022-JP].each do |name|
  text = "ab".dup.force_encoding(name)
  try { [format("%s", text), format("%s%s", text, text), format("%s", text).encoding] }
  try { format("%s%s", text, "b") }
  try { format("x%s", text) }
end
try { "\xC3a\x810\x810".dup.force_encoding("GB18030").unicode_normalize(:nfd).bytes }
try { "é".encode("GB18030").unicode_normalize(:nfd) == "e\u0301".encode("GB18030") }
try { ["e\u0301", "é"].map { |text| text.encode("GB18030").unicode_normalized? } }
try { "\xD8\0".dup.force_encoding("UTF-16BE").unicode_normalize }
broken = "a\xC3b".dup.force_encoding("US-ASCII")
%i[count delete squeeze].each { |name| try { broken.send(name, "a") } }
try { [broken.tr("a", "x"), broken.tr_s("a", "x")] }
try { broken.tr(broken, "x") }
try { [(broken << 233).encoding, ("a".dup.force_encoding("US-ASCII") << 233).encoding] }
try { "abc".encode("EUC-TW").encode("UTF-8", xml: :text) }
try { "é".hash == "é".b.hash || "e".hash != "e".b.hash }
try { Encoding.compatible?(/é/, "def".encode("EUC-JP")) }
try { [/abc/.hash == /abc/i.hash, /abc/.hash == /abc/n.hash] }
try { "abc\xE9\xC9".dup.force_encoding("IBM737").succ.bytes }

# Patterns in encodings of wide units.
wide_re = Regexp.new("a+".encode("UTF-16LE"))
try { [wide_re.encoding, wide_re.source, wide_re.options, wide_re.inspect, wide_re.to_s] }
try { [wide_re =~ "xaab".encode("UTF-16LE"), wide_re.match("xaab".encode("UTF-16LE")).offset(0), "xaa".encode("UTF-16LE").rindex(wide_re)] }
try { wide_re =~ "xaab" }
try { wide_re =~ "xaab".encode("UTF-16BE") }
try { Regexp.new("(?<a>é|日)\\w".encode("UTF-16BE")).names }
try { "日本é".encode("UTF-16BE").gsub(Regexp.new("é".encode("UTF-16BE")), "e".encode("UTF-16BE")) == "日本e".encode("UTF-16BE") }
try { "a b\tc".encode("UTF-32LE").split(Regexp.new("\\s".encode("UTF-32LE"))).map { |part| part.encode("UTF-8") } }
try { Regexp.new("é".encode("UTF-16LE"), Regexp::IGNORECASE) =~ "É".encode("UTF-16LE") }
try { Regexp.union("a.".encode("UTF-16LE"), wide_re).source }
try { Regexp.union("a.".encode("UTF-16LE"), "b") }
