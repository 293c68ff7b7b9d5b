# Letters and classes of encodings whose characters have several bytes: full-width letters are the same in both cases in Japanese
# ones only, which have scripts as properties, too.
def digest(text) = text.b.bytes.inject(7) { |sum, byte| (sum * 31 + byte) % 1_000_003 }

def runs(codes)
  codes.sort.slice_when { |a, b| b != a + 1 }.map { |run| [run[0], run[-1]].uniq.map { "%X" % _1 }.join("-") }.join(" ")
end

# Some hundred characters of an encoding: those in the rows that letters are in, and a few of the others.
def characters(encoding)
  ascii = (0..127).map { _1.chr.b }
  leads = [0x81, 0x82, 0x83, 0x84, 0x88, 0xA1, 0xA2, 0xA3, 0xA5, 0xA6, 0xA7, 0xB0, 0xE0, 0xFA]
  trails = [*0x40..0xFE].select { _1 % 3 == 1 || _1 & 0x0F == 1 }
  halves = (0xA1..0xDF).map { _1.chr.b } + (0xA1..0xDF).map { "\x8E".b + _1.chr.b }
  long = [*0xA1..0xAF].product([0xA6, 0xE1]).map { |a, b| "\x8F".b + a.chr.b + b.chr.b } + ["\x8E\xA2\xA4\xC1".b, "\x81\x30\x84\x36".b]
  wide = leads.product(trails).map { |lead, trail| lead.chr.b + trail.chr.b }
  (ascii + halves + wide + long).map { _1.force_encoding(encoding) }.select { _1.valid_encoding? && _1.size == 1 }
end

NAMES = %w[alpha upper lower alnum punct print graph cntrl space blank digit xdigit word ascii]
FORMS = NAMES.flat_map { ["[[:#{_1}:]]", "[[:^#{_1}:]]", "[^[:#{_1}:]]"] } + %w[\w \W \d \D \s \S \h \H .]
PROPERTIES = %w[Alpha upper Print Graph Word Space Greek Cyrillic Latin Hiragana katakana Han Any Lu]
ENCODINGS = %w[EUC-JP EUC-JIS-2004 Shift_JIS Windows-31J EUC-KR EUC-TW GB2312 Big5 Big5-UAO GBK GB18030 CP949]

ENCODINGS.map { Encoding.find(_1) }.each do |encoding|
  all = characters(encoding)
  text = all.map(&:b).join.force_encoding(encoding)
  regexp = ->(source, options = 0) { Regexp.new(source.b.force_encoding(encoding), options) }
  found = ->(source, options = 0) { text.scan(regexp[source, options]).map { _1.unpack1("H*").hex } }
  said = ->(codes) { codes.size > 150 ? "#{codes.size}:#{digest(codes.inspect)}" : runs(codes) }
  puts "#{encoding}: #{all.size}"

  ["", "(?a)", "(?u)"].each do |mode|
    puts "  #{mode} #{FORMS.map { |form| found[mode + form].then { |codes| codes.size } }.join(" ")}"
    puts "  #{mode} #{digest(FORMS.map { |form| found[mode + form] }.inspect)}"
    puts "  #{mode}i #{digest(FORMS.map { |form| found[mode + form, 1] }.inspect)}"
    edges = %w[b B].map { |edge| all.select { |c| ("\0".b + c.b).force_encoding(encoding).match?(regexp["#{mode}\\0\\#{edge}"]) } }
    puts "  #{mode}\\b #{edges.map { |list| said[list.map { |c| c.unpack1("H*").hex }] }}"
  end
  PROPERTIES.each do |name|
    answers = ["\\p{#{name}}", "\\P{#{name}}", "\\p{^#{name}}", "[\\p{#{name}}\\x00]", "[^\\p{#{name}}]", "[\\P{#{name}}]"].map do |form|
      [said[found[form]], found[form, 1].size]
    rescue RegexpError
      $!.message
    end
    puts "  #{name} #{answers[0]} #{answers.map { _1.is_a?(Array) ? _1 : "none" }.then { |list| digest(list.inspect) }}"
  end

  # Each letter as text, in a set, in ranges, as what a group was, beside another letter.
  letters = all.select { |c| c.bytesize == 2 && [0xA3, 0xA6, 0xA7, 0x82, 0x83, 0x84].include?(c.getbyte(0)) }
  next if letters.empty?
  letters = letters.each_slice(letters.size / 60 + 1).map(&:first) + letters.last(2)
  rows = letters.map do |letter|
    quoted = letter.b
    [found["(?:" + quoted + ")", 1], found["[" + quoted + "\x01]", 1].drop(1), found["[" + quoted + "-" + quoted + "]", 1], found["[^".b + quoted + "]", 1].size]
  end
  puts "  letters #{letters.zip(rows).map { |letter, row| row.uniq.size == 2 ? row[0].map { "%X" % _1 }.join("=") : "#{letter.b} #{row}" }.uniq.join(" ")}"
  beside = letters.map do |letter|
    others = found["(?:".b + letter.b + ")", 1].map { |code| [code].pack("N").sub(/\A\0+/n, "").b } | [letter.b]
    others.map do |other|
      [["q".b + letter.b, "Q".b + other], [letter.b + "q".b, other + "Q".b], ["^(?-i:(".b + letter.b + "))(?i:\\1)$".b, letter.b + other]].map do |source, subject|
        subject.force_encoding(encoding).match?(regexp[source, 1])
      end
    end
  end
  puts "  beside #{beside.flatten.tally}"
  methods = [text.upcase == text.downcase, text.swapcase, text.casecmp(text.swapcase), text.casecmp?(text.swapcase), text.sub(/[[:lower:]]+/i, "."),
    text.index(/[[:word:]]/), text.split(/[[:punct:]]+/).size, text.scan(/\b/).size]
  puts "  methods #{digest(methods.map { _1.is_a?(String) ? _1.b : _1 }.inspect)}"
end

require "strscan"
scanner = StringScanner.new("\xA3\xC1\xA3\xE1\xA3\xC2 \xA6\xC1".dup.force_encoding("EUC-JP"))
p scanner.scan(Regexp.new("\xA3\xE1+".dup.force_encoding("EUC-JP"), 1)).b, scanner.check_until(Regexp.new("\xA6\xA1".dup.force_encoding("EUC-JP"), 1)).b, scanner.pos
scanner = StringScanner.new("\xC1\xE1\xC2 \xDF".dup.force_encoding("KOI8-U"))
p scanner.scan(Regexp.new("\xE1+".dup.force_encoding("KOI8-U"), 1)).b, scanner.skip(Regexp.new("\xE2".dup.force_encoding("KOI8-U"), 1)), scanner.scan_until(Regexp.new("\xFF".dup.force_encoding("KOI8-U"), 1)).b
text = "\x82\x60\x82\x81 \x82\x61".dup.force_encoding("Windows-31J")
letter = Regexp.new("\x82\x81".dup.force_encoding("Windows-31J"), 1)
p text.sub(letter, "x").b, text.gsub(letter, "x").b, text.scan(letter).size, text.index(letter), text.rindex(letter), text.partition(letter).map(&:b), text.split(letter).map(&:b), text.start_with?(letter), text[letter].b, text.sub(letter) { $&.b.inspect }.b
