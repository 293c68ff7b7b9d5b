# Word characters in Japanese encodings: what joins words in Unicode is not there.
PATTERNS = ["[[:word:]]", "[^[:word:]]", "\\p{Word}", "\\P{Word}", "\\p{^Word}", "[[:word:]a]", "[[:word:]&&[^a]]", "\\w", "\\W", "\\b"]
[["EUC-JP", "\xA4\xA2"], ["EUC-JP", "\x8E\xE0"], ["EUC-JP", "a"], ["Shift_JIS", "\x82\xA0"], ["Windows-31J", "\x82\xA0"]].each do |encoding, bytes|
  text = bytes.dup.force_encoding(encoding)
  PATTERNS.each do |source|
    plain = Regexp.new(source).match?(text) rescue $!.class
    fixed = Regexp.new(source.dup.force_encoding(encoding), Regexp::FIXEDENCODING).match?(text) rescue $!.class
    p [encoding, text.b, source, plain, fixed]
  end
end
p "a\u3042 b".encode("EUC-JP").scan(/[[:word:]]+/).map(&:bytesize)
