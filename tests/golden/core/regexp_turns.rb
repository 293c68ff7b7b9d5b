# Loops of alternatives that take one character at a turn: found by one search, by scan and by gsub, with what they leave to others.
texts = ['"a \"quoted\" word" and "more', "'it''s' x", "/* a ** b */ c */", "http://a.b/c%20d/e?f", "some-name_1 = 2", "", "\\", "aaab", "a\nb\nc",
         "日本語 \"é\\é\" ü", "((a)(b))", "x" * 300 + "\"", "\"" + "y\\" * 50]
patterns = [/"(?:[^"\\]|\\.)*"/, /"((?:[^"\\]|\\.)*)"/, /"(?:\\.|[^"\\])*"?/, /'(?:[^']|'')*'/, %r{/\*(?:[^*]|\*(?!/))*\*/}, /(?:[\w.-]|%\h\h)+/,
            /\A(?:\w|-)+/, /(?:[a-z]|[0-9_])+?-/, /(?:[^"]|\\")*+"/, /(?:a|[ab])*b/, /(?:[ab]|ab)*c?/, /(?:[^\n]|\n(?=b))*/, /(?:\s|[^\s"]|"")*\z/,
            /(?:[a-c]|x){2,}/, /(?:[a-c]|x){2}/, /([a-c]|x)*/, /(?>(?:[^()]|\((?:[^()]|\(\))*\))*)/, /(?:[^é]|é\b)*ü/, /(?i:[a-f]|G)+/, /(?:.|\n)*c/,
            /(?:[[:alpha:]]|')+$/, /(?:[^\\]|\\\\)*\\\z/]
patterns.each do |pattern|
  p pattern, texts.map { |text| (m = pattern.match(text)) && [m.offset(0), m.captures] }
  p texts.map { |text| text.scan(pattern).size }, texts.map { |text| text.gsub(pattern) { "<#{$&.size}>" } }
end
p ("a" * 100_000).match?(/\A(?:[^b]|bc)*\z/), (("ab" * 50_000) + "c").match?(/\A(?:a|[b-z])*\z/), ("x" * 50_000 + "!").match?(/\A(?:\w|\s)*\z/)
