# What prism has on top of its tree: patterns, places that outlive it, shorter forms written out, older names.
require "prism"

def outcome
  p yield
rescue StandardError, NotImplementedError => error
  puts "#{error.class}: #{error.message.lines.first.chomp}"
end

source = <<~RUBY
  # first
  class Foo < Bar # second
    def call(a, b) = puts(a, "text", :name, nil)
    Zip::Zap.new("é", /x/i)
  end
RUBY
tree = Prism.parse(source).value

[
  "CallNode[name: :puts]", "ConstantReadNode", "Prism::StringNode", "{ name: :Foo }", "StringNode[unescaped: /x/] | SymbolNode[unescaped: 'name']",
  "ArgumentsNode[arguments: [StringNode, RegularExpressionNode]]", "CallNode[receiver: nil]", "ConstantPathNode[ConstantReadNode, nil]", "{ name: String | Symbol }"
].each do |query|
  outcome { Prism::Pattern.new(query).scan(tree).map { |node| [node.type, node.slice.lines.first] } }
end
outcome { Prism::Pattern.new("CallNode").compile.call(tree) }
["a", "[*]", "[a, *b]", "{ a:, **rest }", "1..2", "Nowhere", "Foo::Bar", "^x", "", "in"].each { |query| outcome { Prism::Pattern.new(query).compile } }
p Prism::Pattern.new("x").query

places = Prism::Relocation.string(source).lines.offsets.columns.character_offsets.character_columns.comments
places = places.code_unit_offsets(Encoding::UTF_16LE).code_unit_columns(Encoding::UTF_8)
outline = tree.statements.body[0]
call = outline.body.body[1]
{ "class" => outline.save(places), "name" => outline.constant_path.save_location(places), "end" => outline.save_end_keyword_loc(places), "call" => call.save(places) }.each do |name, entry|
  p [name, entry.start_line, entry.end_line, entry.start_offset, entry.end_offset, entry.start_column, entry.end_column]
  p [entry.start_character_offset, entry.end_character_offset, entry.start_character_column, entry.end_character_column]
  p [entry.start_code_units_offset, entry.end_code_units_offset, entry.start_code_units_column, entry.end_code_units_column]
  p [entry.leading_comments.map(&:slice), entry.trailing_comments.map(&:slice), entry.comments.size]
end
outcome { Prism::Relocation.string("").filepath }
outcome { Prism::Relocation.string("").lines.lines }
outcome { Prism::Relocation.string("").comments.leading_comments }
outcome { Prism::Relocation.string("a").lines.then { |again| Prism.parse("a").value.save(again).start_column } }
outcome { Prism::Relocation::Source.new("a").result }

written = ["a &&= b", "a ||= b", "a += b", "@a ||= 1", "@@a ||= 1", "$a &&= 1", "A ||= 1", "A -= 1", "a ||= (b ||= 1)", "A::B ||= 1", "a[0] += 1", "a.b ||= 1"]
written.each do |text|
  result = Prism.parse(text).value.accept(Prism::DesugarCompiler.new).statements.body[0]
  shape = ->(node) { [node.type, *(node.name if node.respond_to?(:name)), *node.compact_child_nodes.map(&shape)] }
  p shape.call(result)
end
p Prism.parse("@a += 1").value.statements.body[0].then { |node| [node.desugar.type, node.desugar.value.message_loc&.slice] }

$VERBOSE = nil
p Prism.parse("1 if a\nelse 2").value.class, Prism.parse("a += 1").value.statements.body[0].operator, Prism.parse("a += 1").value.statements.body[0].operator_loc.slice
p Prism.parse("if a then 1 else 2 end").value.statements.body[0].consequent.type, Prism.parse("unless a then 1 else 2 end").value.statements.body[0].consequent.type
p Prism.parse("A::B").value.statements.body[0].child.name, Prism.parse("1.5r").value.statements.body[0].numeric.value, Prism.parse("3r").value.statements.body[0].numeric.value
p Prism::CallNode.fields.map { |field| [field.class.name, field.name] }
outcome { Prism::Node.fields }

emoji = Prism.parse("😀 + 1; é").value.statements.body
%w[UTF-8 UTF-16LE UTF-32LE].each do |name|
  encoding = Encoding.find(name)
  cache = Prism.parse("😀 + 1; é").code_units_cache(encoding)
  emoji.each { |node| p [node.location.end_code_units_offset(encoding), node.location.cached_end_code_units_offset(cache), node.location.end_code_units_column(encoding)] }
end

require "stringio"
["a = <<X\n__END__\nX\n1\n__END__\nrest", "%w[\n__END__\n]\n__END__\nrest", "'\n__END__\n'\n", "1\n__END__\nrest"].each do |text|
  stream = StringIO.new(text)
  result = Prism.parse_stream(stream)
  p result.success?, result.data_loc&.slice, stream.read
end

%w[a _1 _0 _10 A a= a! + ==].each { |name| p [name, Prism::StringQuery.local?(name), Prism::StringQuery.constant?(name), Prism::StringQuery.method_name?(name)] }
p Prism::StringQuery.method_name?("a\xFF")
outcome { Prism::StringQuery.local?("A".encode("UTF-16LE")) }
p [Prism::ParseResult, Prism::LexResult, Prism::ParseLexResult].map(&:superclass), Prism.constants.grep(/Recovery/)
p Prism.parse("1 + 2; 1", freeze: true).warnings.all? { |warning| warning.message.frozen? }
