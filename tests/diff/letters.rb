# Prints how the tables that CRuby has for bytes of single-byte encodings differ from Unicode's: the list `EXCEPTIONS` of
# `crates/text/src/letters/exceptions.rs`. Run it under CRuby 4.0.
#
# What an item means stands there.

FAMILIES = %w[
  ISO-8859-1 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-10 ISO-8859-11
  ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U Windows-1250 Windows-1251 Windows-1252 Windows-1253 Windows-1254
]

# In this order: what is a control is nothing else, and the later classes are made of the earlier ones.
CLASSES = %w[cntrl alpha upper lower digit xdigit punct graph print blank space word alnum]

# Bytes as text: `8A,8C-8F`.
def list(bytes)
  runs = bytes.sort.slice_when { |a, b| b != a + 1 }
  runs.map { |run| [run.first, run.last].uniq.map { |byte| "%02X" % byte }.join("-") }.join(",")
end

Family = Struct.new(:name) do
  def text(byte) = byte.chr.b.force_encoding(name)
  def all = @all ||= (0..255).map(&:chr).map(&:b).join.force_encoding(name)
  def regexp(source, options = 0) = Regexp.new(source.b.force_encoding(name), options)
  def members(name) = all.scan(regexp("[[:#{name}:]]")).map(&:ord)
  def meaning(byte) = text(byte).encode("UTF-8") rescue nil

  def byte(char)
    char.encode(name).then { |text| text.bytesize == 1 ? text.ord : nil } rescue nil
  end

  # Which bytes a class has by the rule, if the earlier ones are as Ruby has them.
  def by_rule(name)
    controls = name == "cntrl" ? [] : members("cntrl").select { |byte| byte >= 0x80 }
    (0..255).select { |byte| !controls.include?(byte) && (char = meaning(byte)) && in_class?(name, byte, char) }
  end

  def in_class?(name, byte, char)
    return char.match?(/[[:#{name}:]]/) if byte < 0x80
    case name
    when "cntrl" then char.match?(/\p{Cc}/)
    when "alpha" then char.match?(/[\p{L}\p{M}&&[^ʰ-˿ͺ]]/)
    when "upper" then char.match?(/\p{Upper}/)
    when "lower" then char.match?(/[\p{Lower}&&[^ͺ]]/)
    when "digit", "xdigit" then false
    when "punct" then char.match?(/[\p{P}\u{AD}&&[^§¶]]/)
    when "graph" then char.match?(/[^\p{Cc}\p{Cn}\p{Z}]/)
    when "print" then members("graph").include?(byte) || char.match?(/\p{Zs}/)
    when "blank" then char.match?(/\p{Zs}/)
    when "space" then members("blank").include?(byte)
    when "word" then members("alpha").include?(byte) || char.match?(/[\p{N}\p{Pc}]/)
    when "alnum" then members("alpha").include?(byte)
    end
  end

  def class_exceptions
    CLASSES.flat_map do |name|
      has, ought = members(name), by_rule(name)
      [["+", has - ought], ["-", ought - has]].reject { _2.empty? }.map { |sign, bytes| "#{name}#{sign}#{list(bytes)}" }
    end
  end

  def letters = (0..255).select { |byte| byte >= 0x80 || byte.chr.match?(/[a-z]/i) }

  # What a byte is one with in a set, as text, and as what a group was.
  def in_set(byte) = all.scan(regexp("[\x01".b + byte.chr.b + "]", 1)).map(&:ord) - [byte, 1]
  def in_text(byte) = all.scan(regexp("(?:".b + byte.chr.b + ")", 1)).map(&:ord)

  def as_group(byte)
    same = regexp("^(?-i:(".b + byte.chr.b + "))(?i:\\1)$".b)
    letters.select { |other| other != byte && (text(byte) + text(other)).match?(same) }
  end

  def small(byte)
    char = meaning(byte) or return
    lower = char.downcase
    lower != char && lower.size == 1 ? byte(lower) : nil
  end

  def pairs = letters.flat_map { |byte| in_set(byte).map { |other| ordered(byte, other) } }.uniq

  # What each byte folds to: of those that it is one with the small letter that is found as text.
  def folds
    letters.filter_map do |byte|
      same = [byte, *as_group(byte)].sort
      target = same.select { |other| in_text(other).include?(other) && !pairs.map(&:last).include?(other) }.min
      [target, byte] if same.size > 1 && target != byte
    end
  end

  def small?(byte) = members("lower").include?(byte)

  def ordered(a, b)
    small(a) == b || small?(b) && !small?(a) ? [b, a] : [a, b]
  end

  def case_exceptions
    ought = letters.filter_map { |byte| (small = small(byte)) && [small, byte] }
    [["pair+", pairs - ought], ["pair-", ought - pairs], ["fold+", folds - ought], ["fold-", ought - folds]].flat_map do |sign, found|
      found.map { |small, capital| "%s%02X=%02X" % [sign, small, capital] }
    end
  end

  def sharp_s = regexp("ss", 1).match?("\xDF".b.force_encoding(name)) ? ["sharp+DF"] : []
end

FAMILIES.each do |name|
  family = Family.new(name)
  found = family.class_exceptions + family.sharp_s + family.case_exceptions
  puts "    (E::#{name.upcase.tr("-", "_")}, \"#{found.join(" ")}\")," unless found.empty?
end
