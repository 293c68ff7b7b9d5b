# Records what CRuby answers about random strings, one case a line: operation, encoding, string, arguments, answer.
Encoding.default_external = "UTF-8"
RANDOM = Random.new(11)
PIECES = {
  "UTF-8" => ["a", "z", "Z", "9", "0", "-", " ", "\n", "\r\n", "\t", "\0", "#{}#", "#$a"[0, 2], "\"", "\\", "\u00e9", "\u3042", "\u{1F600}",
              "e\u0301", "\xE3", "\x81", "\xFF", "\u2028", "\u00df", "^", "l", "l"],
  "Shift_JIS" => ["a", "A", "9", " ", "\n", "\x83\x41", "\x82\xA0", "\x83", "\xB1", "\x80", "-"],
  "EUC-JP" => ["a", "9", "\xA4\xA2", "\x8F\xAB\xB1", "\x8E\xB1", "\x8F\xA1", "\xFF", "\n", " "],
  "UTF-16LE" => ["a\0", "9\0", "\n\0", "\r\0", " \0", "B0", "\x3D\xD8\x00\xDE", "\x00\xD8", "\x00\xDC", "\"\0", "#\0", "{\0"],
  "GB18030" => ["a", "\x81\x30\x81\x30", "\x81\x40", "\xFF", "\x81\x30", "0", "\n"],
  "BINARY" => ["a", "9", "z", "\xFF", "\0", "\n", "-"],
}.transform_values { |pieces| pieces.map { _1.dup.force_encoding("BINARY") } }

def text(encoding, max) = Array.new(RANDOM.rand(max + 1)) { PIECES[encoding].sample(random: RANDOM) }.join.force_encoding(encoding)
def escape(text) = text.b.gsub(/[\\\x00-\x1f\x7f-\xff]/n) { "\\x%02x" % $&.ord }

def shown(value)
  case value
  when Array then value.map { shown(_1).b }.join("|")
  else value.to_s.b
  end
end

def record(operation, string, *arguments)
  answer = begin shown(yield) rescue "error" end
  puts [operation, string.encoding, escape(string), *arguments.map { escape(_1.to_s) }, escape(answer)].join("\t")
end

(ARGV[0] || 25).to_i.times do
  PIECES.each_key do |encoding|
    s, t = text(encoding, 8), text(encoding, 2)
    record("length", s) { s.length }
    record("valid", s) { s.valid_encoding? }
    record("reverse", s) { s.reverse }
    record("inspect", s) { s.inspect }
    record("dump", s) { s.dump }
    record("scrub", s) { s.scrub }
    record("chars", s) { s.chars }
    record("lines", s) { s.lines }
    record("lines_chomp", s) { s.lines(chomp: true) }
    record("paragraphs", s) { s.lines("") } unless encoding == "UTF-16LE"
    # Where a character of a broken string starts depends on the way it is looked for, except in UTF-8.
    is_sound = encoding == "UTF-8" || [s, t].all?(&:valid_encoding?)
    record("succ", s) { s.succ } if is_sound
    record("chop", s) { s.chop } if is_sound
    record("chomp", s) { s.chomp } if is_sound
    at, len = RANDOM.rand(-9..9), RANDOM.rand(5)
    record("substring", s, at, len) { s[at, len] }
    record("index", s, t) { s.index(t) }
    record("rindex", s, t) { s.rindex(t) }
    record("start_with", s, t) { s.start_with?(t) } if is_sound
    record("end_with", s, t) { s.end_with?(t) } if is_sound
    record("swapcase", s) { s.swapcase }
    next if encoding == "UTF-16LE"
    record("awk", s) { s.split(" ") } if s.valid_encoding?
    record("split", s, t) { s.split(t) } if s.valid_encoding? && t.valid_encoding? && t != " " && !t.empty? && !s.empty?
    record("strip", s) { s.strip } if is_sound
    record("squeeze", s) { s.squeeze }
    record("delete", s, t) { s.delete(t) } if t.valid_encoding?
    record("count", s, t) { s.count(t) } if t.valid_encoding?
    u = text(encoding, 2)
    next if u.empty? || ![t, u].all?(&:valid_encoding?)
    record("tr", s, t, u) { s.tr(t, u) }
    record("tr_s", s, t, u) { s.tr_s(t, u) }
  end
end
