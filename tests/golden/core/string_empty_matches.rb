# What is found between the bytes of broken strings: searches for nothing go on behind every character, however broken.
bytes = [0x00, 0x41, 0x61, 0x80, 0x81, 0x8e, 0x8f, 0x90, 0xa1, 0xa4, 0xbf, 0xc2, 0xd8, 0xdc, 0xe3, 0xed, 0xf0, 0xff]
state = 12_345
draw = -> { (state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff) >> 8 }
%w[UTF-8 BINARY US-ASCII EUC-JP Shift_JIS GB18030 Big5 EUC-KR UTF-16LE UTF-16BE UTF-32LE UTF-32BE].each do |encoding|
  sum = 0
  60.times do |number|
    text = Array.new(1 + draw.call % 5) { bytes[draw.call % bytes.size] }.pack("C*").force_encoding(encoding)
    nothing = "".dup.force_encoding(encoding)
    dash = (encoding.start_with?("UTF-16", "UTF-32") ? "-".encode(encoding) : "-".dup.force_encoding(encoding))
    stop = 0
    answers = [
      -> { stop = 0; text.gsub(nothing) { (stop += 1) > 20 ? raise("endless") : dash } },
      -> { stop = 0; [].tap { |found| text.scan(nothing) { (stop += 1) > 20 ? raise("endless") : found << $~.pre_match.bytesize } } },
      -> { text.gsub(nothing, dash) },
      -> { text.scan(nothing) },
      -> { text.gsub(Regexp.new(nothing)) { (stop += 1) > 40 ? raise("endless") : dash } },
      -> { text.split(nothing) },
    ].map { |answer| answer.call.then { it.is_a?(Array) ? it.map { |part| part.is_a?(String) ? part.b : part } : it.b } rescue "#{$!.class}" }
    p [encoding, text.b, *answers] if number < 4
    sum = answers.inspect.each_byte.inject(sum) { |total, byte| (total * 31 + byte) & 0xfff_ffff }
  end
  puts "#{encoding}: #{sum}"
end
p "\xA1\x8F\x90\xA0".gsub("", "-").b
