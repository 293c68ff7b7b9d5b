# Where words begin and end beside the characters that join others (U+200C, U+200D), which belong to words.
TEXTS = ["a\u200db", "a\u200d", "\u200da", "\u200c", " \u200c ", "é\u200dé x", "می‌خواهم رفت", "क्‍ष x", "ab", "é b", "\u200d\u200cx-y", ""].freeze
PATTERNS = [/\b/, /\B/, /\b\w+\b/, /\b[[:word:]]+\b/, /\b?x/, /(?a:\b)./, /(?:\b|-)+x/, /\B./m, /(?u)\b\w/, /\bx/i, /x\b/, /\b{2}x/].freeze
PATTERNS.each do |pattern|
  TEXTS.each { |text| p [pattern, text.gsub(pattern, "|"), text.enum_for(:scan, pattern).map { $~.begin(0) }, text =~ pattern, text.rindex(pattern)] }
end
wide = TEXTS[0].encode("UTF-16LE")
p wide.gsub(Regexp.new("\\b".encode("UTF-16LE")), "|".encode("UTF-16LE")).encode("UTF-8")
