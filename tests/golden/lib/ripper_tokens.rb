# Tokens with their places and states, patterns of tokens, filters, and the order in which events come.
require "ripper"

SOURCE = <<'RUBY'
# a comment
a # another
c
  # one more

=begin
embedded
=end
puts <<~A, <<-B, <<C
    a
  #{x}
   b
  A
  r #{1}
  t
  B
q
C
foo\
  bar
%w[a
  b c] + %i[d e]
%W[a#{b} c] + %I[d#{e}]
:"a#{b}c"
{"a": 1, b: 2, :c => ?d, "e" => `f`}
f  # c
  .bar&.baz::Qux
def m(a, b = 1, *c, d:, e: 2, **f, &g) = a ? b : -1.5r + 2i
class A < B; @a, @@b, $c = self; end
x = ->(y) { y =~ /a#{b}c/imx }
"a#@b #$c #{d}" 'e'
__END__
data
RUBY

Ripper.lex(SOURCE).each { |place, event, text| p [place, event, text] }
Ripper.lex("a.b 1 do |c| c + 1 end\nif a then b end\n").each { |token| p token }
p Ripper.tokenize(SOURCE).join == SOURCE.lines.take_while { |line| line != "data\n" }.join
p Ripper.slice("foo(1, bar)", "ident lparen int"), Ripper.slice("foo(1, bar)", "ident $(lparen int)", 1), Ripper.token_match("1", "ident")
begin
  Ripper.slice("a", "unknown")
rescue Ripper::TokenPattern::CompileError => error
  puts error.message
end

# Counts and upcases words.
class Shout < Ripper::Filter
  def on_ident(token, data) = data << token.upcase
  def on_default(_event, token, data) = data << token
end
puts Shout.new("def foo(bar) = bar.baz # it\n", "shout.rb", 7).parse(+"")

# Prints every event.
class Teller < Ripper
  SCANNER_EVENTS.each { |event| define_method(:"on_#{event}") { |text| puts "#{lineno}:#{column} #{event} #{text.inspect}"; text } }
  PARSER_EVENTS.each { |event| define_method(:"on_#{event}") { |*values| puts "#{event} #{values.grep(String).inspect}"; nil } }
end
Teller.new("a = b\n(c)\nif x then y end\n").parse

# Collects the events of mistakes and warnings.
class Minder < Ripper
  def initialize(...)
    super
    @found = []
  end

  attr_reader :found

  def warn(*values) = @found << [:warn, *values]
  def warning(*values) = @found << [:warning, *values]
  def compile_error(message) = @found << [:compile_error, message]
  %i[assign_error alias_error class_name_error param_error].each { |event| define_method(:"on_#{event}") { |message, _value| @found << [event, message] } }
  %i[arg_ambiguous operator_ambiguous magic_comment].each { |event| define_method(:"on_#{event}") { |*values| @found << [event, *values] } }
end
[
  "self = 1", "$& = 1", "def m\n X = 1\nend", "alias $a $1", "def f(@a) end", "def f(A) end", "yield", "@1", "def b; c(&); end", "{a: 1, a: 2}", "case 1\nwhen 1\nwhen 1\nend",
  "# frozen-string-literal: true\n", "m +1", "m /1/", "a = 1; a %[]", "1; # -*- frozen-string-literal: true -*-"
].each do |source|
  minder = Minder.new(source)
  minder.parse
  p source, minder.found.uniq, minder.error?
end

ripper = Ripper.new("# coding: iso-8859-15\n1\n__END__\n", "name", 3)
p ripper.lineno, ripper.column, ripper.state, ripper.filename, ripper.encoding, ripper.end_seen?
p ripper.parse, ripper.encoding, ripper.end_seen?, ripper.error?, ripper.lineno
p Ripper.sexp("1 +"), Ripper.parse("a"), Ripper.lex_state_name(Ripper::EXPR_BEG | Ripper::EXPR_LABEL)
text = +"  \t hello"
p Ripper.dedent_string(text, 4), text, Ripper::PARSER_EVENTS.size, Ripper::SCANNER_EVENTS.size, Ripper::Version
p Ripper::Lexer.new("a(1)").scan, Ripper::Lexer.new("a").scan.first.state & Ripper::EXPR_CMDARG
begin
  Ripper.lex("def req(a, a) end", raise_errors: true)
rescue SyntaxError => error
  puts error.message
end
