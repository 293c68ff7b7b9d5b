# Matches that lie far behind the start of a long string, end far behind theirs, or are looked for from the end.
far = "x" * 65_533 + "foobar" + "y" * 140_000
p far =~ /foobar/, far[/[fobar]+/], far[/f.*/].size, far.match(/x(?=foobar)/).begin(0), far.match(/x+/).end(0)
p far.match(/y+/).offset(0), far.match(/y\z/).begin(0), far.match(/\Ax{65533}foobary+\z/).end(0), far[/(?<=foobar)y+?(?=y\z)/].size
p far.scan(/[^x]{1,50000}/).map(&:size), far.split(/foobar/).map(&:size), far.gsub(/x+|y+/) { |run| run.size.to_s }
p far.rindex(/foobar/), far.rindex(/foobar/, 65_533), far.rindex(/o+/, 65_540), far.rindex(/y+\z/, 100_000), far.rindex(/q/, 5_000)
wide = "é" * 70_000 + "日本" + "ü" * 70_000
p wide =~ /日本/, wide[/日.*/].size, wide.rindex(/é日/), wide.rindex(/日本ü+\z/, 70_010), wide.match(/\p{L}+/).end(0)

text = "blablabla"
(0..9).each { |start| p [/bla/, /lab/, /.{4}/, /.{0}/, /a(?=b)|\z/, /\Gla/, /(?<=a)b/, /$/].map { |re| text.rindex(re, start) } }
p "日本語日本".rindex(/本./, 3), "日本語日本".byterindex(/本/, 9), "a\nb\n".rindex(/^/, 3), "abc".rpartition(/b./), "aXbXc".rpartition(/X.*/)
