# Where nodes and events stand, the canonical form, and what Ractors have of their own.
require "psych"
require "stringio"

class Listener < Psych::Handler
  EVENTS.each { |event| define_method(event) { |*facts| puts "#{@location} #{event} #{facts}" } }

  def event_location(*location) = @location = location
end

texts = [
  "foo: bar\n", "- a\n- b: c\n  d:\n  - 1\n  - 2\n", "---\n&a !b foo\n...\n", "# foo\n", "",
  "%YAML 1.1\n---\n[a, {b: c, ? d}, e: f , \"g\" : h]\n", "a: |\n  x\n  y\n\nb: >\n z\nc:\nd: &x\n",
  "- &a\n- *a\n-\n- 'x\n  y'\n- \u00e9 \u00e9\n- foo bar\n  baz   \n# c\n", "? a\n? b\n: c\n", "--- a\n--- b\n",
  "a: &x\n  b: c\n!t d: e\n", "&k a: &s [1,\n 2]\n*k : !u {}\n\n\n# x\n", "[a: , b]", "{a: , b}", "a:\n- b\n- c\nd: e\n",
]
texts.each do |text|
  p text
  Psych::Parser.new(Listener.new).parse(text)
end

def places(node)
  node.each { |n| p [n.class, n.start_line, n.start_column, n.end_line, n.end_column] }
end

places(Psych.parse("foo:\n  - bar\n  - {a: b}\n"))
places(Psych.parse_stream("--- a\n--- [b]\n...\n"))

puts Psych.dump({
  a: { "b" => "c", 1 => [1, nil, "x y"] }, "z" => [], "w" => {}, "t" => "1", "m" => "a\nb\n", "long" => "word " * 30,
  s: :sym, o: (shared = [1]), again: shared,
}, canonical: true)
puts Psych.dump("foo", canonical: true), Psych.dump([], canonical: true), Psych.dump(nil, canonical: true)
puts Psych.dump([1, [2, [3, { "a" => 1 }]]], canonical: true, indentation: 4)
Pair = Struct.new(:a)
puts Psych.dump([1.5, true, Pair.new(1), /a/, String, 2r, Time.at(0).utc, :"a b", "a: b"], canonical: true)
puts Psych.parse_stream("!foo a: 'b'\nc: !bar d\n? [e]\n: |\n  f\n--- g\n...\n").yaml(nil, canonical: true)
emitter = Psych::Emitter.new(io = StringIO.new)
emitter.canonical = true
emitter.start_stream(1)
emitter.start_document([], [], false)
emitter.start_sequence(nil, nil, true, 0)
emitter.scalar("a", nil, nil, true, false, 0)
begin
  emitter.alias("\u00e9")
rescue RuntimeError => error
  puts error.message
end

p Psych.unsafe_load("--- !ruby/struct:Pair\n:a: 1\n")
text = Psych.unsafe_load("--- &1 !ruby/string\nstr: foo\nbody: *1\n")
p text, text.instance_variable_get(:@body).equal?(text)
p Time.at(0).utc.to_date, Psych.load_tags
broken = Object.new
def broken.external_encoding = nil
def broken.read(_size) = self
begin
  Psych::Parser.new(Listener.new).parse(broken)
rescue TypeError => error
  puts error.class
end
