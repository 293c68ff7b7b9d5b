# eucJP-ms, whole: what each cell is, and how each character is written.
E = Encoding::EUCJP_MS

def unicode(bytes) = bytes.b.force_encoding(E).encode("UTF-8").ord
rescue_none = ->(&work) { work.() rescue $!.class.to_s[/::(\w+)/, 1] }

rows = (0xA1..0xFE).flat_map { |row| [[row], [0x8F, row]] }.sort
rows.each do |row|
  cells = (0xA1..0xFE).map { |cell| rescue_none.() { unicode((row + [cell]).pack("C*")) } }
  known = cells.grep(Integer)
  next if known.empty?
  sum = cells.each_with_index.sum { |c, i| c.is_a?(Integer) ? c * (i + 1) : 0 }
  puts "#{row.pack("C*").unpack1("H*")}: #{known.size} from #{known.min.to_s(16)} to #{known.max.to_s(16)}, sum #{sum}"
end
p (0..0xFF).map { |byte| rescue_none.() { unicode([byte].pack("C")) } }.tally.reject { |_, n| n == 1 }
p (0..0xFF).map { |byte| rescue_none.() { unicode([0x8E, byte].pack("C*")) } }.tally.reject { |_, n| n == 1 }

0x0.step(0xFFFF, 0x1000) do |first|
  written = (first...first + 0x1000).filter_map do |c|
    next if (0xD800..0xDFFF).cover?(c)
    bytes = [c].pack("U").encode(E).b rescue next
    (c & 0xFFF) * bytes.unpack("C*").inject { |a, b| a * 256 + b }
  end
  puts "U+%04X: %d, sum %d" % [first, written.size, written.sum]
end
p "ⅰ①∵¦￤—―〜～".each_char.map { |c| c.encode(E).b rescue $!.message }
%W[\x8F \x8F\xA1 \x8F\xA1\x20 \xA1\x20 \x8E\x20 \xFFa \x8F\xA1\xA1 \xA9\xA1].each do |bytes|
  begin
    unicode(bytes)
  rescue EncodingError
    p $!.class, $!.message
  end
end
p Encoding::Converter.search_convpath("eucJP-ms", "Shift_JIS")
