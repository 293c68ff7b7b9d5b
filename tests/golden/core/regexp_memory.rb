# What failed once at a place is not tried there again: these end at once.
text = "a" * 30_000 + "x"
[/^a*?(?=a*a*)$/, /(?:(?=a*)a)*/, /^a*b?a*$/, /^a*?(?>a*a*)$/, /^a*?(?>a*)ab/, /^a*?(?!a*a*)$/, /\A.*a.*z\z/, /^(a|a)*$/, /(a+)+b/,
 /^(([a-z])+.)+[A-Z]([a-z])+$/, /(x+x+)+y/, /a*a*a*a*b/, /a*?a*?a*?b/, /(?:a|aa|aaa)*b/, /(?<=a)(?:a|a)*b/].each do |regexp|
  p [regexp, regexp =~ text, $~&.end(0), regexp.match?("#{text}é"), text.rindex(regexp)]
end

# Groups are those of the match that comes first.
p(/(a|b)*?(a+)(a*)c/.match("ab" * 2_000 + "aaac")[2..])
p(/((a)|(b))*(?=(c+))(c)d/.match("ab" * 2_000 + "ccc" * 2_000 + "cd")&.captures)
p(/(?:(a)|b)*c/.match("ab" * 4_000 + "bc").captures)
p(("ab" * 3_000 + "c").gsub(/(?:a|b)*(?=c)c/) { $&.size })
p(("a" * 500 + "b").scan(/a*?(?=a*b)/).size)
