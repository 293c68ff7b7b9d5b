require "prism"
require "stringio"

source = "class Foo\n  # says\n  def bar(a, b = 2, *c, d:, e: 1, **f, &g) # behind\n    puts \"hé \#{a}\", :sym\n  end\nend\n"
result = Prism.parse(source)
tree = result.value
def_node = tree.statements.body[0].body.body[0]

# Fields, places and texts.
p def_node.name, def_node.name_loc, def_node.def_keyword, def_node.end_keyword, def_node.lparen, def_node.slice.lines.first
p def_node.start_line, def_node.end_line, def_node.start_column, def_node.end_offset, def_node.location.slice_lines.lines.size, def_node.location.start_line_slice
p def_node.type, Prism::DefNode.type, def_node.newline?, def_node.static_literal?
p def_node.parameters.signature
p def_node.child_nodes.map(&:class), def_node.compact_child_nodes.map(&:type), def_node.comment_targets.map(&:class)
call = def_node.body.body[0]
p call.name, call.message, call.arguments.arguments.map(&:type), call.ignore_visibility?, call.variable_call?, call.safe_navigation?
string = call.arguments.arguments[0]
p string.location.start_character_column, string.location.end_character_column, string.location.end_column, string.location.end_code_units_column
p string.parts.map(&:slice), string.opening, string.closing, string.heredoc?

# Patterns.
case call
in Prism::CallNode[name: :puts, arguments: Prism::ArgumentsNode[arguments: [first, *]]]
  p first.type
end
case def_node
in { name: Symbol => name, name_loc: { start_offset: Integer => start } }
  p name, start
end
p call === Prism.parse("puts(\"hé \#{a}\", :sym)").value.statements.body[0], call === Prism.parse("puts \"hé \#{a}\",   :sym").value.statements.body[0]

# Visitors.
class Names < Prism::Visitor
  attr_reader :names

  def initialize = @names = []

  def visit_call_node(node)
    @names << node.name
    super
  end
end
visitor = Names.new
Prism.parse("a(b { c }, d.e)").value.accept(visitor)
p visitor.names

class Count < Prism::Compiler
  def visit_integer_node(node) = node.value
  def visit_array_node(node) = visit_all(node.elements).sum
  def visit_program_node(node) = visit(node.statements.body[0])
end
p Prism.parse("[1, 2, [3, 4]]").value.accept(Count.new)

class Double < Prism::MutationCompiler
  def visit_integer_node(node) = node.copy(value: node.value * 2)
end
p Prism.parse("[1, 2]").value.accept(Double.new).statements.body[0].elements.map(&:value)

class Listener
  def on_call_node_enter(node) = puts("enter #{node.name}")
  def on_call_node_leave(node) = puts("leave #{node.name}")
end
dispatcher = Prism::Dispatcher.new
dispatcher.register(Listener.new, :on_call_node_enter, :on_call_node_leave)
dispatcher.dispatch(Prism.parse("a(b)").value)
dispatcher.dispatch_once(Prism.parse("a(b)").value.statements.body[0])

# Where something is.
p tree.tunnel(4, 9).map(&:type)
p tree.breadth_first_search { |node| node.is_a?(Prism::SymbolNode) }.unescaped
p Prism.parse("A::B::C").value.statements.body[0].full_name, Prism.parse("::A::B = 1").value.statements.body[0].target.full_name_parts
begin
  Prism.parse("a::B").value.statements.body[0].full_name
rescue => error
  p error.class, error.message
end

# Comments and lines.
result.attach_comments!
p def_node.location.leading_comments.map(&:slice), def_node.location.comments.map { |comment| [comment.slice, comment.trailing?] }
result.mark_newlines!
p call.newline_flag?, tree.statements.body[0].newline_flag?

# Tokens.
p Prism.lex("foo = [1, \"a\#{b}\"] if x?").value.map { |token, state| [token.type, token.value, token.location.start_offset, state] }
p Prism.lex_compat("a = 1\n").value
p Prism.parse_lex("a").value.map(&:class)
p Prism.parse_comments("# a\n=begin\nb\n=end\n").map { |comment| [comment.class, comment.slice] }

# Errors and options.
failed = Prism.parse("foo(1,\nbar +")
p failed.success?, failed.errors.map(&:class).uniq, failed.errors.first.location.start_line
p Prism.parse_success?("1"), Prism.parse_failure?("1 +"), Prism.parse_success?("it = 1; it"), Prism.parse("1", line: 10).value.location.start_line
p Prism.parse("x", scopes: [[:x]]).value.statements.body[0].class, Prism.parse("x").value.statements.body[0].class
p Prism.parse("m(*)", scopes: [Prism.scope(forwarding: [:*])]).errors
p Prism.parse("'a'", frozen_string_literal: true).value.statements.body[0].frozen?, Prism.parse("'a'", frozen_string_literal: false).value.statements.body[0].mutable?
p Prism.parse("1", freeze: true).frozen?, Prism.parse("a.b", freeze: true).value.statements.body[0].frozen?
p Prism.load("a + 1", Prism.dump("a + 1")).value.statements.body[0].name
[-> { Prism.parse(1) }, -> { Prism.parse("1", foo: 1) }, -> { Prism.parse("1", version: "9.9") }, -> { Prism.parse_file("/nonexistent") }].each do |wrong|
  wrong.call
rescue => error
  puts "#{error.class}: #{error.message.lines.first}"
end
p Prism.parse_stream(StringIO.new("a\n__END__\nb\n")).value.statements.body[0].name

# Nodes that a program makes.
include Prism::DSL
node = call_node(name: :foo, arguments: arguments_node(arguments: [integer_node(value: 3, flags: integer_base_flag(:decimal))]))
p node.name, node.arguments.arguments[0].value, node.arguments.arguments[0].decimal?, node.receiver
p Prism::Reflection.fields_for(Prism::CallNode).map { |field| [field.class.name, field.name] }
p Prism::Reflection.fields_for(Prism::StringNode).first.flags
p Prism.parse("1ri").value.statements.body[0].value, Prism.parse("/a/mx").value.statements.body[0].options
p Prism::StringQuery.local?("a1"), Prism::StringQuery.constant?("a"), Prism::StringQuery.method_name?("a?"), Prism::StringQuery.method_name?("<=>")
