# Groups of options with more than one minus.
texts = ["a", "A", "ab", "Ab", "a\n", "\n ", "xAb"]
["(?--m--mx--) . ", "(?-)a", "(?--)a", "(?-i-m:a)", "(?i-m-x:A)b", "(?m-i--x)A", "(?i--i)a", "(?--i)a", "(?mm-ii)a", "(?i:a(?--i)b)", "(?i-a)b", "(?-a)b", "(?i-"].each do |source|
  found = texts.map { |text| Regexp.new(source).match(text)&.to_s.inspect }
  puts "#{source} #{found.join(" ")}"
rescue RegexpError => e
  puts "#{source} #{e.message}"
end
p (/(?i-m-x:A)b/ =~ "xab"), /(?--m--mx--) . /mx.source, /#{/a/i}(?i--x:B)/.match?("Ab")
