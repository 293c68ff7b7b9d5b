# Conversions between the same encodings one after the other: what one has found must serve the next, and no other pair of encodings.

texts = ["日本語のテキスト", "ひらがな、カタカナ。", "ｱｲｳ", "ABC abc", "Привет, мир", "ÄÖÜ äöü ß €", "中文字符", "한국어", "a日b本c", "",
  "\u{1F600}", "～―", "漢" * 300 + "字" * 300]
targets = %w[Shift_JIS EUC-JP Windows-31J EUC-KR GBK GB18030 Big5 CP949 KOI8-R Windows-1251 Windows-1252 ISO-8859-15 IBM437
  ISO-2022-JP UTF-16LE UTF-32BE UTF8-MAC CP50221 eucJP-ms]

def attempt
  yield
rescue EncodingError => error
  "#{error.class}: #{error.message}"
end

first = targets.map { |target| texts.map { |text| attempt { text.encode(target).b } } }
2.times do
  again = targets.map { |target| texts.map { |text| attempt { text.encode(target).b } } }
  p again == first
end
targets.each_with_index do |target, i|
  puts target
  first[i].first(12).each { |made| p made }
end

# Back, from each to each.
targets.each_with_index do |source, i|
  back = 2.times.map do
    first[i].map { |made| made.include?("Error: ") ? made : attempt { made.dup.force_encoding(source).encode("UTF-8") } }
  end
  p back[0] == back[1]
  p back[0].zip(texts).count { |a, b| a == b }
end

# Characters that share bytes in several encodings.
bytes = "\xB0\xA1\xB0\xA2\xC4\xE3"
%w[EUC-JP EUC-KR GBK Big5 Shift_JIS Windows-1252 KOI8-R].each do |source|
  p 2.times.map { attempt { bytes.dup.force_encoding(source).encode("UTF-8") } }.uniq
end

# Mistakes behind what is known, before it, and in it.
good = "日本".encode("Shift_JIS").b.freeze
["\x82".b, "\xFF".b, "\x81\x20".b, good[0], "\x85\x40".b].each do |bad|
  [good + bad, bad + good, good[0, 3] + bad + good[2..]].each do |mixed|
    mixed = mixed.force_encoding("Shift_JIS")
    p attempt { mixed.encode("UTF-8") }
    p attempt { mixed.encode("UTF-8", invalid: :replace, undef: :replace) }
    p attempt { mixed.encode("UTF-8", invalid: :replace, undef: :replace, replace: "<?>") }
  end
end
["日\xE6\x97", "\xE6\x97日", "日\xFF本", "日\xE6\x97本"].each do |mixed|
  p attempt { mixed.encode("EUC-JP") }
  p attempt { mixed.encode("EUC-JP", invalid: :replace).b }
end

# What the destination lacks.
["日한本", "한", "日€"].each do |text|
  p attempt { text.encode("Shift_JIS") }
  p attempt { text.encode("Shift_JIS", undef: :replace).b }
  p attempt { text.encode("Shift_JIS", fallback: ->(c) { "<#{c.ord}>" }).b }
  p attempt { text.encode("Shift_JIS", xml: :text).b }
end
p attempt { "日本".encode("Shift_JIS", undef: :replace, replace: "한").b }
p attempt { "日\r\n本\n".encode("Shift_JIS", universal_newline: true).b }
p attempt { "日\n本\n".encode("Shift_JIS", crlf_newline: true).b }

# A converter that is given pieces.
converter = Encoding::Converter.new("Shift_JIS", "UTF-8")
p "日本日本".encode("Shift_JIS").b.each_char.map { |byte| converter.convert(byte) }
p converter.finish
