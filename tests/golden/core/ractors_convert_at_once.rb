# oracle: native
# Ractors that convert texts between the same encodings and make equal strings unique at once, while others are collected.
Warning[:experimental] = false

texts = ["日本語のテキスト、漢字", "かなカナ", "中文字符", "Привет"].map(&:freeze).freeze
expected = %w[Shift_JIS EUC-JP GBK KOI8-R].map do |name|
  texts.map { |text| text.encode(name, undef: :replace).b.freeze }.freeze
end.freeze

ractors = 4.times.map do |number|
  Ractor.new(number, texts, expected) do |number, texts, expected|
    names = %w[Shift_JIS EUC-JP GBK KOI8-R]
    wrong = 0
    300.times do |round|
      names.each_with_index do |name, i|
        texts.each_with_index do |text, j|
          made = text.encode(name, undef: :replace)
          wrong += 1 if made.b != expected[i][j]
          wrong += 1 if made.encode("UTF-8").encode(name, undef: :replace) != made
        end
      end
      same = (0...50).map { |i| -"shared #{round} #{i}" }
      wrong += 1 unless same.each_with_index.all? { |s, i| s.equal?(-"shared #{round} #{i}") }
      GC.start if round % 100 == number * 10
    end
    [wrong, -"of all"]
  end
end
results = ractors.map(&:value)
p results.map(&:first)
p results.map { |_, text| text.equal?(-"of all") }.uniq
