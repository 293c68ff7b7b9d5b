# The encodings whose tables are recorded: what every code and every character becomes, as sums; then some errors.
def sum(strings)
  strings.each_with_index.sum { |string, index| (string.b.sum(32) + 1) * (index % 9973 + 1) } % (1 << 61)
end

REPLACING = { invalid: :replace, undef: :replace, replace: "?" }
NAMES = %w[EUC-JIS-2004 Big5-HKSCS Big5-UAO CP950 CP951 GB12345 GB2312 SJIS-DoCoMo SJIS-KDDI SJIS-SoftBank
           stateless-ISO-2022-JP-KDDI]
HIGH = (0x80..0xFF).to_a
PAIRS = HIGH.product((0x20..0xFF).to_a).map { |pair| pair.pack("C2") }
CHARS = [*0x80..0xFFF, *0x2000..0x4FFF, *0xE000..0xFFFF, *0x1F000..0x1FFFF, *0x20000..0x20FFF].map { |c| [c].pack("U") }

NAMES.each do |name|
  codes = PAIRS
  prefix = name.start_with?("stateless") ? "\x92".b : "\x8F".b
  codes += PAIRS.map { |pair| prefix + pair } if name.match?(/EUC|stateless/)
  decoded = codes.map { |code| code.dup.force_encoding(name).encode("UTF-8", **REPLACING) }
  p [name, sum(decoded), sum(CHARS.map { |char| char.encode(name, **REPLACING) })]
end
%w[UTF-8 UTF8-DoCoMo UTF8-KDDI UTF8-SoftBank].permutation(2) do |from, to|
  p [from, to, sum(CHARS.map { |char| char.dup.force_encoding(from).encode(to, **REPLACING) })]
end

TEXTS = [
  ["\u3042\uE63E", "UTF8-DoCoMo"], ["\u2600\u{1F1EF 1F1F5}", "UTF-8"], ["\uE488\uE63E\uFF71", "UTF8-KDDI"],
  ["\x92\xA4\xA2\x92\xFC\xFE", "stateless-ISO-2022-JP-KDDI"], 
  ["a\e$B$\"\e(J\\", "ISO-2022-JP-KDDI"], ["\xF8\x9F\xB1\xFC\xFC", "SJIS-DoCoMo"], ["\e(I1", "ISO-2022-JP-KDDI"],
  ["\x88\x59\x81\x20\xFF", "Big5-HKSCS"], ["\xA4\xF7\x8F\xFE\xFE", "EUC-JIS-2004"]
]
TEXTS.each do |text, from|
  %w[UTF-8 UTF-16LE Windows-31J EUC-JP ISO-2022-JP-KDDI SJIS-KDDI UTF8-SoftBank Big5-UAO].each do |to|
    next if from == to
    string = text.dup.force_encoding(from)
    p [from, to, (string.encode(to).b rescue [$!.class, $!.message])]
    p string.encode(to, invalid: :replace, undef: :replace).b
  end
end
[%w[SJIS-DoCoMo ISO-2022-JP-KDDI], %w[SJIS-KDDI EUC-JP], %w[UTF-8 Big5-HKSCS], %w[UTF8-SoftBank UTF8-KDDI]].each do |pair|
  p Encoding::Converter.search_convpath(*pair)
end
