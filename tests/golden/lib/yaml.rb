# YAML: reading and writing.
require "yaml"
require "date"
S = Struct.new(:a, :b)
class Foo; attr_accessor :x, :y; def ==(o) = o.class == self.class && o.x == x && o.y == y; end
def show(text, m = :unsafe_load, **k)
  r = YAML.__send__(m, text, **k)
  puts "#{text.inspect} => #{r.inspect.gsub(/0x\h+/, 'XX')}"
rescue Exception => e
  puts "#{text.inspect} => #{e.class}: #{e.message}"
end
["", "a", "1", "--- 1", "- a\n- b", "a: 1\nb: 2", "a:\n  b: 1\n  c:\n    - 1\n    - 2\n", "a:\n- 1\n- 2\nb: x", "- - 1\n  - 2\n- 3", "- a: 1\n  b: 2\n- c: 3", "a: 'x'\nb: \"y\\n\\u00e9\\x41\"", "a: [1, 2, [3, {b: c}]]", "{a: 1, b: [x, y], c: {d: e}}", "[a, b: c, d]", "a: |\n  x\n  y\nb: 1", "a: |-\n  x\n\n  y\n", "a: |+\n  x\n\nb: 1", "a: >\n  x\n  y\n\n  z\n   more\n  end\n", "a: >-\n  x\n  y", "a: |2\n   x\n  y\n", "- |\n x\n- >\n y\n", "&x a: 1\nb: *x", "a: &x [1]\nb: *x", "a: &x\n  c: 1\nb: *x", "a: &d {x: 1, y: 2}\nb:\n  <<: *d\n  y: 3", "<<: [{a: 1}, {a: 2, b: 3}]\nc: 4", "? a\n: b\n? [c]\n: d", "? |\n  k\n: v", "a: # comment\n  b", "# c\na: 1 # x\n# d\nb: 2", "a: b # c\nd: e#f", "a: http://x/y\nb: c:d", "a: 'it''s'\nb: \"a\n  b\n\n  c\"", "a: x\n  y\n  z\nb: 1", "a:\n  x\n  y", "x y: 1", "'q': 1\n\"r\": 2", "a:\nb:\n", "- \n- a\n-\n", "---\na\n---\nb", "---\n...\n---\nx", "%YAML 1.1\n---\na: 1", "a: !!str 1\nb: !!int '3'\nc: !!float 1\nd: !!null x", "!ruby/range 1..2", "!ruby/object:Foo\nx: 1\ny: [2]", "!ruby/struct:S\na: 1\nb: 2", "!ruby/sym foo", "!ruby/regexp /a/mi", "!ruby/class String", "--- !ruby/range\nbegin: 1\nend: 2\nexcl: true\n", "--- !ruby/object:Set\nhash:\n  1: true\n", "--- !ruby/exception:StandardError\nmessage: m\nbacktrace:\n", "--- !ruby/object:Rational\ndenominator: 3\nnumerator: 1", "--- !ruby/object:Complex\nreal: 1\nimage: 2", "--- !binary |-\n  /w==", ":a: 1\n:b: :c\n\"d\": :\"e f\"", "[true, yes, on, false, no, off, ~, null, Null, TRUE, y, n]", "[1_000, 0x1f, 017, 0b11, 1.5, .5, 1e3, 1.0e+3, -1, +1, 1:30, 12:30:45, .inf, -.inf, 1,000, 1., ., -, 0.1_2, 08, 0o7]".sub(", 1,000", "").sub(", -,", ","), "- 2001-02-03\n- 2001-02-03 04:05:06\n- 2001-02-03T04:05:06Z\n- 2001-02-03 04:05:06.5 +09:00\n- 2001-2-3\n- 2001-13-45", "a: *x", "a: b: c", "a: 'x", "[1, 2", "{a: 1", "a: [1\nb: 2", "a:\n\t- b", "- a\nb: 1", "a: 1\n b: 2", "a: 1\n  - b", "@a", "`a", "%a", "a: @b", "a: %b", "!x a", "a: !x {b: 1}", "- !x [1]", "key: >\n\n  a\n\n\n  b\n", "a: \"\\q\"", "a: ''\nb: \"\"\nc:", "{a, b: , c: 1}", "{\"a\":1,'b':2}", "[\"a\", 'b', c d , e]", "[\n  a,\n  b # x\n  ,\n]", "{\n  a: 1,\n  b:\n    2\n}", "a: {}\nb: []", "a: - b", "-1", "- -1", "--- |\n  a\n  b", "--- >\n a\n b\n", "---  # c\na: 1", "--- a: 1", "a: |\n\n  x\n", "a: |\n  x\n \n  y\n", "a:\n    b: 1\n    c: 2\n", "a: \"x\\\n  y\"", "a: 'x\n\n  y'", "? a\n? b", "!!set {a, b}", "!!omap\n- a: 1\n- b: 2", "a: \xff", "a: é\nü: ñ", "- &a x\n- *a\n- &b [*a]\n- *b", "&a [*a]", "a:   b   ", "a: \"b\" # c", "a: 'b'c", "\u{feff}a: 1", "a: 1\r\nb:\r\n  - 2\r\n", "foo: bar\n...\n", "- [a, [b, c]]: d\n", "? {a: 1}\n: 2", "a: !ruby/hash:Hash {b: 1}", "x: !ruby/array:Array [1]", "a: 1\n\n\nb: 2\n\n", "- a\n\n- b\n", "\"a\" : 1", "a : 1", "- - - 1", "-\n  a: 1\n  b: 2", "- # c\n  a", "a: &x\nb: *x", "- ! 1", "a: |\n  x\n# c\nb: 1", "\"a b\": 'c d'\n'e:f': g:h", "::a: 1", "'a': : b", "a: ? b", "- ?b\n- :c\n- -d", "a,b: c", "a]b: c}d", "[a: 1, b]", "x: 1e5", "a: 0.", "{? a : b}", "{a: b, }", "[,]", "a: [b,,c]"].each { |t| show(t) }
[":a", "2001-02-03", "!ruby/object:Foo {}", "&a [*a]", "a: 1", "!ruby/sym x", "1.5", "!ruby/range 1..2"].each { |t| show(t, :load); show(t, :safe_load); show(t, :safe_load, permitted_classes: [Date, Symbol, Foo], aliases: true) }
show("a: {b: 1}\n:c: 2", :load, symbolize_names: true); show("a: [b]", :load, freeze: true); show("", :load, fallback: 3); show("a: &a 1\nb: *a", :load, aliases: true); show(":x", :safe_load, permitted_symbols: [:x], permitted_classes: [Symbol])
p YAML.load_stream("--- 1\n--- 2\n"), YAML.parse("a: [1]").to_ruby, YAML.parse("").class, YAML.parse("a: 1").root.children.map(&:value)
p YAML.load(YAML.dump({"a" => [1, nil, "x\ny\n", 1.5, true, "null", "1"], :b => {"c" => []}}))
x = Foo.new; x.x = 1; x.y = ["a", {b: 2}]; p YAML.unsafe_load(YAML.dump(x)) == x
class Bar; def encode_with(c) = c["k"] = 5; def init_with(c) = @k = c["k"]; attr_reader :k; end
puts YAML.dump(Bar.new); p YAML.unsafe_load(YAML.dump(Bar.new)).k
class Tagged; yaml_tag "!tagged"; attr_accessor :v; end
t = Tagged.new; t.v = 1; puts t.to_yaml; p YAML.unsafe_load(t.to_yaml).v
p((YAML.load(nil) rescue $!.class))
show("k:\n- a: 1\n- b: 2\nz: 1"); show("k:\n  - a: 1\n    b:\n    - 2\n    c: 3\n  - d\nz: 1\n"); show("a:\n  b:\n    c: 1\n  d: 2\ne: 3")
D = Data.define(:m, :n)
[1, -5, 1.5, 1e20, 1e100, Float::INFINITY, -Float::INFINITY, Float::NAN, 0.1, 100.0, 10**30, nil, true, false, :sym, :"a b", "", "abc", "1", "1.5", "true", "null", "~", "yes", "no", "y", "n", "on", "a: b", "a:b", "- a", "-", "a #b", "#a", "a\nb", "a\nb\n", "\na", " a", "a ", "a\tb", "é", "\x00", "\xff".b, "\u{1F600}", "'", "\"", "it's", "a'b\"c", "{a}", "[a]", "*a", "&a", "!a", "%a", "@a", "`a", "|", ">", "?", "? a", ":", ":a", ": a", "a:", "2001-02-03", "2001-02-03 04:05:06", "12:30", "1_000", "0x1f", "0o17", "017", "1e5", ".5", "5.", "+1", "=", "<<", "x"*100, ("word "*30), ("word "*30)+"\nnext", "line1\nline2\n\nline4\n", "  lead\nx", "trail  \nx\n", "a\n\n", "\n", "\r\n", "a\u0085b", "---", "...", "--- a", "null ", "NULL", "Null", "TRUE", "False", "Yes", ".inf", ".nan", "0b101", "a, b", "a,b", "key: - v", "\e", "\a\b", "a\\b", "http://x.y/z", "a/b", "$a", "a=b", "<a>", "(a)", "1,000", "1.2.3", "-1.5e3", "!!str x", "foo!", "a;b"].each { |x| puts "#{x.inspect} => #{x.to_yaml.inspect}" }
[[], {}, [1,[2,[3]]], [[]], [{}], {a: 1, "b" => [1,2], 3 => nil, nil => 4, [1] => 2, {x: 1} => 3}, [{a: 1, b: 2},{c: [1]}], {"a" => {"b" => {"c" => 1}}}, {"a" => []}, {"a" => {}}, {"x y" => "a: b"}, {"multi\nline" => 1}, [nil, true], ["a\nb\n", "c"], {"t" => "l1\nl2\n"}, 1..2, "a".."c", 1...3, (1..), /a+b/mi, 3r, 2i, S.new(1,"x"), Foo.allocate, D.new(m: 1, n: [2]), Date.new(2001,2,3), DateTime.new(2001,2,3,4,5,6), Time.utc(2001,2,3,4,5,6), Time.new(2001,2,3,4,5,6.5r,"+09:00"), Set[1,2], String, Comparable, StandardError.new("msg"), Encoding::UTF_8].each { |x| begin; puts "#{x.inspect.gsub(/0x\h+/,'')} =>"; puts x.to_yaml; rescue => e; puts "#{e.class} #{e.message}"; end }
a = [1]; puts [a, a].to_yaml; s = "str"; puts [s, s].to_yaml; h = {}; h[:self] = h; puts h.to_yaml; o = Foo.allocate; puts [o, o].to_yaml
puts YAML.dump({a: 1}, indentation: 4), YAML.dump([1,[2]], line_width: 20), YAML.dump("x", header: true), YAML.dump({a: "long "*30}, line_width: -1), YAML.dump_stream(1, [2]), YAML.dump({a: {b: [1]}}, stringify_names: true)
puts YAML.safe_dump({"a" => [1, nil, 1.5, true]}), (YAML.safe_dump(:a) rescue $!.message), YAML.safe_dump({a: 1}, permitted_symbols: [:a], permitted_classes: [Symbol])

# Keywords alone are what is dumped.
puts YAML.dump(a: 1, b: %w[x y]), YAML.dump({ "a" => 1 }, line_width: 20), YAML.safe_dump("a" => 1)
puts YAML.safe_dump({ a: 1 }, permitted_symbols: [:a], permitted_classes: [Symbol])

# What is met again: symbols and encodings have no anchor, and names of anchors are words.
s = "str"; sy = :sym
puts [sy, sy, :"", :"", {sy=>sy}].to_yaml, [s,s].to_yaml, {s=>1, "n"=>{s=>2}}.to_yaml, [1.5,1.5, 2**70,2**70, nil, nil, true, (1..2), 1r, 1r].to_yaml
a=[1]; puts [a,a,{a=>a}].to_yaml
puts [Encoding::UTF_8, Encoding::UTF_8, String, String, /a/, Time.at(0).utc].to_yaml
p YAML.unsafe_load("a: &1 x\n*1: cred\n"), (YAML.unsafe_load("- &x a\n- *x\n- {*x: 1}\n") rescue $!), (YAML.unsafe_load("&a k: &b v\n*b : *a\n")), (YAML.unsafe_load("- &a1-b_c x\n- *a1-b_c\n"))
["&a.b c\n", "&é x\n", "- &a x\n- *a.b\n", "- &a x\n- [*a, *a]\n- {*a : 1, b: *a}\n", "&a: x\n", "*\n"].each { |t| begin; p YAML.unsafe_load(t); rescue => e; puts e.message; end }
class K < Struct.new(:a); end
k = K.new(:b); puts [k, k, {k=>:b, :b=>k}].to_yaml
puts Psych.dump({a: {b: :a}}, indentation: 4), YAML.dump([:a, :a, "a", "a"]), YAML.dump({[:a]=>[:a]})
