# Sets of characters that a text of ASCII does not have.
def show
  result = yield
  p result, result.encoding if result.is_a?(String)
  p result unless result.is_a?(String)
rescue ArgumentError, Encoding::CompatibilityError => e
  puts "#{e.class}: #{e.message}"
end

class Named < String; end
text = "plain text, with - and ^"
["é", "éü…", "é-ü", "\u0080\u0099", "ü-é"].each do |from|
  ["x", "", "ö", "ab", "z-a", "ö-ä", "ä-ö", "ö".encode("UTF-16LE"), "-"].each do |to|
    show { text.tr(from, to) }
    show { text.tr_s(from, to) }
    show { text.dup.tr!(from, to) }
  end
  show { text.delete(from) }
  show { text.count(from) }
  show { text.squeeze(from) }
  show { text.dup.delete!(from) }
  show { text.delete(from, "a-z") }
  show { "".tr(from, "x") }
  show { text.encode("UTF-16LE").tr(from, "x") }
  show { text.dup.force_encoding("US-ASCII").tr(from, "x") }
  show { Named.new(text).tr(from, "x").class.name }
end
same = text.tr("é", "e")
p same.equal?(text), same == text, same.frozen?, text.freeze.tr("é", "e").frozen?
