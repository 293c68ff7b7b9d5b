# In which order events of nodes come between those of tokens: the parser reads one token ahead where it must.
require "ripper"

class Told < Ripper
  PARSER_EVENTS.each { |event| define_method("on_#{event}") { |*| (@told << event).last } }
  SCANNER_EVENTS.each { |event| define_method("on_#{event}") { |text| (@told << text.inspect unless event == :sp) } }

  def told
    @told = []
    parse
    @told
  end
end

[
  "def x(one, *two) end", "def x(a, b = {}, c: 1, **d, &e)\n  a\nend", "def self.x(&) = f(&)", "f(:a, :b)", "f(a, *b, &c)", "f(&:a)", "f(*a)", "f(a: 1, **b)",
  "x = %i(a b)", "%w[]", "%i( )", "%W(a b)", "%I[a \#{b}c d]", "%w(\n a\n b\n)", "%W[ a ]", "%W[\#{a} b]", "def a; yield :a, b; end", "foo do |x| y end", "foo { |x| y }", "foo(1) { 2 }", "a.b(c).d", "a.b c, d", "[1, 2]", "{a: 1, :b => 2}", "{ a => b, }",
  "case a; when 1, 2 then 3; else 4 end", "case a\nwhen 1\n  2\nwhen 3\n  4\nend", "begin; x; rescue A, B => e; y; else z; ensure; w; end", "x if y\nz", "x(1) unless y(2)\n",
  "x[1, 2] = 3", "x[1] ||= {}", "a.b += 1", "a, b = 1, 2", "x = 1, *y", "-> (a, b = 1) { c }", "x ? 1 : 2", "1 + 2 * 3", "\"a\#{1}b\"", "/a\#{b}/", "alias a b", "class A < B; end",
  "1..2", "x = y rescue 3", "not 1", "!x", "return 1, 2", "while 1; 2; end",
].each do |source|
  puts "#{source.inspect}: #{Told.new(source).told.join(" ")}"
end
puts Told.new("").told.join(" "), Told.new("begin\nensure\nend").told.join(" "), Told.new("# a\n").told.join(" "), Told.new("def a\n  # b\nend").told.join(" ")
