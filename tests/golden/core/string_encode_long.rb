# Long texts: characters that were met before, and mistakes, lacking characters and decorations between them.
require "digest"

def shown(text)
  [text.encoding.name, text.bytesize, text.valid_encoding?, Digest::MD5.hexdigest(text)].inspect
end

def attempt
  shown(yield)
rescue EncodingError => e
  "#{e.class}: #{e.message}"
end

WESTERN = "Grüße, señor! «déjà vu» naïve\r\n<a & b> \"q\" 'x'\n"
GREEK = "αβγδε ΩΨΧ\n"
RUSSIAN = "Привет, мир!\n"
JAPANESE = "日本語のテキスト、カタカナ。ABC漢字\n"
KANA = "ｶﾞｷﾞｱﾝ\n"
CHINESE = "简体中文测试，字符。abc\n"
TRADITIONAL = "繁體中文測試，字元。abc\n"
KOREAN = "한국어 텍스트 시험. abc\n"
EMOJI = "a😀b👍\u{10FFFF}\u{FFFF}\u0080\u07FF\u0800\0\n"

{
  WESTERN => %w[ISO-8859-1 ISO-8859-15 Windows-1252 IBM437 macRoman UTF-16LE UTF-16BE UTF-16 UTF-32LE UTF-32 IBM037],
  GREEK => %w[ISO-8859-7 Windows-1253 Shift_JIS EUC-JP GBK Big5],
  RUSSIAN => %w[KOI8-R ISO-8859-5 Windows-1251 IBM866 EUC-KR GB18030],
  JAPANESE => %w[Shift_JIS Windows-31J EUC-JP eucJP-ms CP51932 ISO-2022-JP CP50221 stateless-ISO-2022-JP UTF8-MAC],
  KANA => %w[Shift_JIS EUC-JP CP50220 CP50221 UTF-16LE],
  CHINESE => %w[GBK GB2312 GB18030 UTF-16BE],
  TRADITIONAL => %w[Big5 Big5-HKSCS GBK GB18030],
  KOREAN => %w[EUC-KR CP949 UTF-16LE],
  EMOJI => %w[UTF-16LE UTF-16BE UTF-32BE GB18030 UTF-16],
}.each do |text, names|
  long = text * 200
  names.each do |name|
    made = long.encode(name)
    puts "#{name}: #{shown(made)} #{made.encode("UTF-8") == long} #{made == text.encode(name) * 200}"
    puts attempt { made.encode("UTF-16LE") }, attempt { made.encode("Windows-1252", undef: :replace) }
    odd = (long + "\u{1F600}" + long + "☃" + long)
    puts attempt { odd.encode(name) }, attempt { odd.encode(name, undef: :replace) }
    puts attempt { odd.encode(name, fallback: ->(c) { "?" * c.ord.digits.size }) }
    puts attempt { odd.encode(name, xml: :attr) }, attempt { odd.encode(name, universal_newline: true, undef: :replace) }
    puts attempt { odd.encode(name, crlf_newline: true, undef: :replace, replace: "!") }
    broken = (made + "\xFF\xFF\xFF".dup.force_encoding(name) + made).b.force_encoding(name)
    puts attempt { broken.encode("UTF-8") }, attempt { broken.encode("UTF-8", invalid: :replace, undef: :replace) }
    puts attempt { made.b[0..-2].force_encoding(name).encode("UTF-8", invalid: :replace, undef: :replace) }
  end
end

# Mistakes in UTF-8 whose beginnings were met.
long = "é日😀" * 300
["\xC3", "\xE6\x97", "\xF0\x9F\x98", "\xC3A", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC0\x80", "\x80"].each do |bad|
  %w[UTF-16LE EUC-JP ISO-8859-1 UTF-32BE].each do |name|
    broken = long + bad + long
    puts attempt { broken.encode(name) }, attempt { broken.encode(name, invalid: :replace, undef: :replace) }
    puts attempt { (long + bad).encode(name, invalid: :replace, undef: :replace) }
  end
end

# Decorations alone, and between encodings that are not ASCII.
text = "a\r\nb\rc\n<&>é\"'" * 200
%i[universal crlf cr lf].each { |newline| puts attempt { text.encode(newline: newline) } }
%i[text attr].each { |xml| puts attempt { text.encode(xml: xml) } }
puts attempt { text.encode("UTF-16BE").encode("UTF-16LE", universal_newline: true) }

# Pieces of a converter.
%w[Shift_JIS UTF-16LE GB18030 EUC-JP].each do |name|
  source = ("日本語a" * 500).encode(name).b
  converter = Encoding::Converter.new(name, "UTF-8")
  puts shown(source.scan(/.{1,997}/mn).map { |piece| converter.convert(piece) }.join + converter.finish)
end
