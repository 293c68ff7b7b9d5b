# Strings: interpolation, appending, slicing, splitting and joining.
WORDS = %w[amber basalt cobalt dolomite emerald feldspar garnet hematite]

def lines(count)
  text = +""
  count.times do |i|
    word = WORDS[i & 7]
    text << "#{i}: #{word} weighs #{i * 37 % 1000} carats, #{word.upcase}\n"
  end
  text
end

def columns(text)
  text.each_line.map { |line| line.chomp.split(/[:,] /, 3) }
end

total = 0
6.times do
  text = lines(25_000)
  rows = columns(text)
  total += text.bytesize
  total += rows.sum { |number, middle, last| number.size + middle[0, 5].size + last.reverse.size }
  total += rows.map(&:last).join("/").count("A")
  total += text.sub("basalt", "granite").index("emerald", 5_000)
  total += text.tr("a-m", "n-z").sum
end
puts total
