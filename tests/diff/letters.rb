# Prints how the tables that CRuby has for bytes of single-byte encodings differ from Unicode's: the list `EXCEPTIONS` of
# `crates/text/src/letters/exceptions.rs`. Run it under CRuby 4.0.
#
# A class and the bytes that are in it, or not, against the rule that `letters` makes of Unicode's properties; `fold`: a byte that
# becomes another where case does not matter, without being its pair; `pair`: a small letter and its capital.

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

  # What a byte is one with in a set.
  def in_set(byte) = all.scan(regexp("[".b + byte.chr.b + "]", 1)).map(&:ord) - [byte]

  def small(byte)
    char = meaning(byte) or return
    lower = char.downcase
    lower != char && lower.size == 1 ? byte(lower) : nil
  end

  # A small letter and its capital that are both members of a set with one of them.
  def pairs
    found = letters.flat_map { |byte| in_set(byte).map { |other| [byte, other] } }
    found = found.select { |a, b| in_set(a).include?(b) && in_set(b).include?(a) && !(small?(b) && !small?(a)) }
    found.map { |pair| ordered(*pair) }.uniq.reject { |small, capital| capital < 0x80 || !small?(small) } + ("a".."z").map { [_1.ord, _1.ord - 32] }
  end

  # What a byte becomes that a set with it does not have any more: the small letter in that set.
  def lone_folds
    capitals = pairs.map(&:last)
    lone = letters.reject { |byte| text(byte).match?(regexp("[".b + byte.chr.b + "]", 1)) }
    lone.map { |byte| [(in_set(byte) - capitals).first, byte] }
  end

  def small?(byte) = members("lower").include?(byte)

  def ordered(a, b)
    small(a) == b || small?(b) && !small?(a) ? [b, a] : [a, b]
  end

  def case_exceptions
    ought = letters.filter_map { |byte| (small = small(byte)) && [small, byte] }
    [["pair+", pairs - ought], ["pair-", ought - pairs], ["fold+", lone_folds - ought]].flat_map do |sign, found|
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
