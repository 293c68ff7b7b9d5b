# Records how CRuby maps the case of every character that has one: encoding, code point, then what upcase, downcase,
# capitalize, swapcase and, for Unicode, downcase(:fold) make of it; "=" stands for the character itself.
METHODS = [[:upcase], [:downcase], [:capitalize], [:swapcase], [:downcase, :fold]]

def record(char, methods)
  answers = methods.map do |method|
    mapped = char.public_send(*method)
    mapped == char ? "=" : mapped.codepoints.map { _1.to_s(16) }.join("_")
  end
  puts [char.encoding, char.ord.to_s(16), answers.join(" ")].join("\t") unless answers.all?("=")
end

[*0..0xD7FF, *0xE000..0x10FFFF].each { record([_1].pack("U"), METHODS) }
Encoding.list.each do |encoding|
  next if encoding.dummy?
  chars = (128..255).map { [_1].pack("C").force_encoding(encoding) }
  chars.each { record(_1, METHODS.first(4)) } if chars.all?(&:valid_encoding?)
end
