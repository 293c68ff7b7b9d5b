# Names of properties are written in any case, and where the encoding is Unicode with spaces too.
names = ["Alnum", "aLPHA", "AsciI", "x digit", "up_per", "hiraganA", "KATA-KANA"]
%w[EUC-JP Windows-31J ISO-8859-5 UTF-8].each do |encoding|
  text = "a F 1 \u3042\u30a2".encode(encoding, undef: :replace)
  names.each do |name|
    ["\\p{#{name}}", "\\P{#{name}}", "\\p{^#{name}}", "[\\p{#{name}}F]"].each do |source|
      regexp = Regexp.new(source.encode(encoding), Regexp::FIXEDENCODING)
      puts "#{encoding} #{source}: #{text.scan(regexp).map { |c| c.encode("UTF-8") }.inspect}"
    rescue RegexpError
      puts "#{encoding} #{source}: refused"
    end
  end
end
p(/\p{ALPHA}+/ei.match?("ab".dup.force_encoding("EUC-JP")))
