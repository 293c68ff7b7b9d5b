# Reading and writing by events, going over nodes, and streams.
require "yaml"
require "stringio"
require "psych/handlers/recorder"

class Catcher < Psych::Handler
  EVENTS.each { |name| define_method(name) { |*args| p [name, *args] } }
end

yaml = "%YAML 1.1\n%TAG ! tag:example.com,2002:\n--- !fun\n- &a !!str x\n- {b: *a, c: [1, 'two', \"three\"]}\n- |\n  text\n...\n---\nsecond\n"
Psych::Parser.new(Catcher.new).parse(yaml)
recorder = Psych::Handlers::Recorder.new
Psych::Parser.new(recorder).parse(yaml)
output = StringIO.new
emitter = Psych::Emitter.new(output)
recorder.events.each { |name, args| emitter.public_send(name, *args) }
puts output.string
p emitter.indentation, emitter.line_width, emitter.canonical

tree = Psych.parse_stream(yaml)
p tree.children.map { |document| [document.version, document.tag_directives, document.implicit, document.implicit_end] }
seen = []
Psych::Visitors::DepthFirst.new(->(node) { seen << node.class.name[/\w+\z/] }).accept(tree)
p seen
puts tree.yaml, tree.yaml(nil, indentation: 4)
parser = Psych.parser
parser.parse("a: 1")
p parser.handler.root.class, parser.handler.root.to_ruby

def attempt
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end
emitter = Psych::Emitter.new(StringIO.new)
attempt { emitter.start_stream("x") }
emitter.start_stream(Psych::Nodes::Stream::UTF8)
attempt { emitter.start_document([], [["a"]], false) }
emitter.start_document([], [], false)
attempt { emitter.scalar(:foo, nil, nil, false, true, 1) }
attempt { emitter.scalar("foo", Object, nil, false, true, 1) }

visitor = Psych::Visitors::YAMLTree.create
visitor << {"a" => [1, :b]}
visitor << "next"
puts visitor.tree.yaml, visitor.started?, visitor.finished?
p Psych::Visitors::ToRuby.create(symbolize_names: true).accept(Psych.parse("a: {b: 1}"))
p Psych::Visitors::NoAliasRuby.ancestors.first(3)

output = StringIO.new
Psych::Stream.new(output).start do |stream|
  pair = {"foo" => "bar"}
  stream.push(pair)
  stream << pair
end
puts output.string
output = StringIO.new
json = Psych::JSON::Stream.new(output)
json.start
json.push({"a" => [1, nil, :b, 1.5, Time.utc(2010, 10, 10)]})
json.finish
puts output.string
attempt { Psych.parse_stream("--- foo\n...\n--- `") { |document| break document.to_ruby } }
attempt { Psych.load("--- foo\n...\n--- `") }
Psych.load_stream("--- foo\n--- bar") { |object| p object }
attempt { Psych.load(":a: :b", parse_symbols: false) }
attempt { Psych.load("- a\n- a", freeze: true).then { |list| [list.frozen?, list[0].equal?(list[1])] } }
require "stringio"
attempt { Psych.load("--- \u3053".encode("Shift_JIS")) }
attempt { Psych.load(StringIO.new("--- \u3053".encode("Shift_JIS"))) }
attempt { Psych.load(StringIO.new("--- \u3053".encode("UTF-16LE"))) }
