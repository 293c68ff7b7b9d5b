# What single-byte encodings know of their bytes: classes, and letters in both cases. Each has a table of its own in CRuby, or that
# of another one, or ASCII's. Bytes that fold to a letter without being its pair are left out where they stand alone.
LONE = {
  "ISO-8859-16" => "\xA4\xA5", "Windows-1250" => "\xD7\xF7", "Windows-1252" => "\xAF\xBF\xD7\xF7",
  "Windows-1251" => "\x80\x90\x81\x83\x8A\x9A\x8C\x9C\x8D\x9D\x8E\x9E\x8F\x9F\xA1\xA2\xA3\xBC\xA5\xB4\xAA\xBA\xAF\xBF\xB2\xB3\xBD\xBE",
  "Windows-1253" => "\xA2\xB6\xDC\xB5\xCC\xEC", "Windows-1254" => "\x8A\x9A\x8C\x9C\x9F\xFF",
}
LONE.default = ""

def runs(bytes)
  bytes.sort.slice_when { |a, b| b != a + 1 }.map { |run| [run[0], run[-1]].uniq.map { "%02X" % _1 }.join("-") }.join(" ")
end

def digest(text) = text.b.bytes.inject(7) { |sum, byte| (sum * 31 + byte) % 1_000_003 }

SINGLE = Encoding.list.select do |encoding|
  encoding.ascii_compatible? && !encoding.dummy? && (0x80..0xFF).all? { _1.chr.b.force_encoding(encoding).valid_encoding? }
end
NAMES = %w[alpha upper lower alnum punct print graph cntrl space blank digit xdigit word ascii]
seen = {}

SINGLE.each do |encoding|
  all = (0..255).map { _1.chr.b }.join.force_encoding(encoding)
  regexp = ->(source, options = 0) { Regexp.new(source.b.force_encoding(encoding), options) }
  members = ->(source, options = 0) { all.scan(regexp[source, options]).flatten.map(&:ord) }
  letters = (0..255).select { _1 >= 0x80 || _1.chr.match?(/[a-z]/i) }
  letters.select! { _1 % 8 == 1 } if members["[[:alpha:]]"].max < 0x80
  lone = LONE[encoding.name].b.bytes
  lines = []

  NAMES.each do |name|
    lines << "#{name} #{runs(members["[[:#{name}:]]"].select { _1 > 0x7F })}"
  end
  lines << "ASCII #{NAMES.map { |name| members["[[:#{name}:]]"].count { _1 < 0x80 } }}"
  forms = NAMES.flat_map { ["[[:#{_1}:]]", "[[:^#{_1}:]]"] } + %w[\w \W \d \D \s \S \h \H . \R \X] +
    %w[Alpha upper Lower Print SPACE Word].flat_map { ["\\p{#{_1}}", "\\P{#{_1}}", "\\p{^#{_1}}", "[\\p{#{_1}}]", "[^\\p{#{_1}}]"] }
  ["", "(?a)", "(?u)"].each do |mode|
    lines << "#{mode} #{digest(forms.map { |form| [members[mode + form], members[mode + form, 1]] }.inspect)}"
    edges = %w[b B].map { |edge| (0..255).select { |b| ("\0".b + b.chr.b).force_encoding(encoding).match?(regexp["#{mode}\\0\\#{edge}"]) } }
    lines << "#{mode}\\b #{digest(edges.inspect)} #{runs(edges[0].select { _1 > 0x7F })}"
  end

  # In a set, and what is not in one.
  sets = letters.to_h { |byte| [byte, members["[\x01".b + byte.chr.b + "]", 1] - [1]] }
  pairs = sets.select { |byte, found| found.size > 1 && found.any? { _1 > 0x7F } && byte == found.min }
  lines << "pairs #{pairs.values.map { |found| found.map { "%02X" % _1 }.join("=") }.join(" ")}"
  lines << "sets #{digest(sets.inspect)}"
  lines << "negated #{digest(letters.each_slice(7).map { |bytes| members["[^\x01".b + bytes.map(&:chr).join.b + "]", 1] }.inspect)}"
  wide = [[0xC0, 0xDF], [0xE0, 0xFF], [0x80, 0xBF], [0x41, 0x5A], [0x61, 0xFF]].map { |from, to| from.chr.b + "-".b + to.chr.b }
  lines << "ranges #{digest(wide.map { |range| [members["[".b + range + "]", 1], members["[^".b + range + "]", 1]] }.inspect)}"

  # As text in several places, and as what a group was.
  rest = letters - lone
  texts = rest.map do |byte|
    text = byte.chr.b
    [members["(".b + text + ")", 1], members["(?=".b + text + ")(?m:.)", 1]]
  end
  lines << "texts #{digest(texts.inspect)}"
  around = rest.map do |byte|
    regexps = [regexp["q".b + byte.chr.b, 1], regexp[byte.chr.b + "q".b, 1], regexp["^(?-i:(".b + byte.chr.b + "))(?i:\\1)$".b]]
    (sets[byte] | [byte, byte ^ 0x20, byte ^ 0x10]).select do |other|
      ["Q".b + other.chr.b, other.chr.b + "Q".b, byte.chr.b + other.chr.b].zip(regexps).map { _1.force_encoding(encoding).match?(_2) }.any?
    end
  end
  lines << "around #{digest(around.inspect)}"
  groups = lone.map { |byte| letters.select { |other| (byte.chr.b + other.chr.b).force_encoding(encoding).match?(regexp["^(?-i:(".b + byte.chr.b + "))(?i:\\1)$".b]) } }
  lines << "lone #{groups.uniq.map { |found| runs(found) }}"

  # ß and two letters s.
  sharp = [["\xDF", "ss"], ["\xDF", "SS"], ["ss", "\xDF"], ["Ss", "\xDF"], ["[\xDF]", "ss"], ["(\xDF)\\1", "\xDFss"], ["a\xDFb", "aSSB"], ["assb", "a\xDFB"],
    ["[^\xDF]", "\xDF"], ["^.s$", "\xDF"], ["x\xDF+y", "xSSssy"], ["x\xDF+y", "xx\xDFssy"], ["\xDF", "s"]]
  lines << "sharp #{sharp.map { |source, text| regexp[source, 1].match?(text.b.force_encoding(encoding)) ? 1 : 0 }.join}"

  # Methods that go by the same letters.
  text = letters.map { _1.chr.b }.join.force_encoding(encoding)
  lines << "methods #{digest([text.upcase, text.downcase, text.swapcase, text.capitalize, text.sub(/[[:upper:]]+$/i, "."), text.scan(/\b/).size,
    text.split(/[[:lower:]]/), text.tr("a-z", "A-Z"), text.casecmp(text.swapcase), text.casecmp?(text.swapcase), text.index(/[[:punct:]]/), text.rindex(/\s/),
    text.gsub(/[[:alpha:]]/i) { |letter| letter.swapcase }].map { _1.is_a?(String) ? _1.b : _1 }.inspect)}"

  # Only once for encodings that answer the same.
  known = seen[lines] and next puts("#{encoding} as #{known}")
  seen[lines] = encoding
  puts "#{encoding}:", lines.map { "  #{_1}".rstrip }
end
