# A text that every match has in it regardless of case is looked for before a search begins. A character beyond ASCII may
# stand for one or two of its letters.
AGENTS = ["Mozilla/5.0 (Linux; Android 9; SM-G960F)", "sm-g960f", "SM-G960", "curl/7.68", "", "aSM-G960F", "a_sm-g960f/1"]
PATTERNS = [/(?:^|[^A-Z0-9\-_]|[^A-Z0-9\-]_|sprd-)(?:SM-G960F)/i, /[a-z]*oid (\d)/i, /x?curl\/(\d)\.(\d+)/i, /.?(?i:ANDR)oid/,
            /[ac]?url(?=\/7)/i, /(?>[a-z]{2,}droid)/i, /(?:mo|za)+zilla/i, /.+9; sm/i, /(?!x)mozilla.*linux/i]
PATTERNS.each { |pattern| p AGENTS.map { |agent| agent[pattern] } }

FOLDED = ["ﬆand", "ſtand", "STAND", "ﬁnd", "ﬀind", "ﬃnd", "straße", "STRASSE", "straẞe", "ﬅand", "Kelvin", "kelvin", "oﬀice", "İnd", "ınd"]
[/[^x]?stand/i, /[^x]?tand/i, /.?find/i, /.?ind/i, /[rs]trasse/i, /.?trasse/i, /.?asse/i, /.?kelvin/i, /.?elvin/i,
 /.?fice/i, /.?s(t)and/i, /.?(?i:s)tand/, /.?(?i:f)(?i:ind)/].each do |pattern|
  p [pattern, FOLDED.map { |text| text[pattern] }]
end

long = "ab" * 50_000
p long.match?(/[ab]+(?:ba){3}c/i), long.match?(/.?AAB/i), (long + "aAb").index(/.?aab/i)
p "xxSM-G9 sm-g9".scan(/[x ]?sm-g9/i), "xxSM-G9 sm-g9".gsub(/.?sm-g9/i, "<\\0>"), "a-B-c".rindex(/.?b-c/i)
p "\xFFsm-g".b[/.?sm-g/in], "é sm-g"[/.? SM-G/i], "é sm-g".encode("ISO-8859-1")[/.?SM-G/i]
