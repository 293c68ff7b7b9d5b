# oracle: native
# A parser that racc generated, with what it needs when it runs. Its grammar, with `-g`; recorded with racc's extension:
#
#   prechigh nonassoc UMINUS left '*' '/' left '+' '-' preclow
#   lines: lines line | line
#   line: exp ';' { @out << val[0]; result = val[0] } | error ';' { yyerrok; @out << :error }
#   exp: exp '+' exp { result += val[2] } | exp '-' exp { result -= val[2] } | exp '*' exp { result *= val[2] }
#     | exp '/' exp { val[2] == 0 ? yyerror : result /= val[2] } | '(' exp ')' { result = val[1] }
#     | '-' NUMBER =UMINUS { result = -val[1] } | NUMBER | STOP { yyaccept }
require "racc/parser.rb"

class Calc < Racc::Parser
  Racc_arg = [
    [9, 4, 14, 15, 14, 15, 6, 4, 5, 16, 7, 8, 6, 18, 5, 19, 7, 8, 14, 15, 12, 13, nil, 6, 24, 5, nil, 7, 8, 6, nil, 5, nil, 7, 8, 6, nil, 5, nil,
     7, 8, 6, nil, 5, nil, 7, 8, 6, nil, 5, nil, 7, 8, 14, 15, 12, 13, 11],
    [1, 1, 20, 20, 21, 21, 1, 0, 1, 4, 1, 1, 0, 6, 0, 9, 0, 0, 17, 17, 17, 17, nil, 5, 17, 5, nil, 5, 5, 12, nil, 12, nil, 12, 12, 13, nil, 13,
     nil, 13, 13, 14, nil, 14, nil, 14, 14, 15, nil, 15, nil, 15, 15, 3, 3, 3, 3, 3],
    [-13, -13, -2, -13, -13, -13, -13, -11, -12, -13, -1, -3, -13, -13, -13, -13, -4, -13, -10, 25, -5, -6, -7, -8, -9],
    [6, 0, nil, 50, 2, 17, 3, nil, nil, 15, nil, nil, 23, 29, 35, 41, nil, 15, nil, nil, -1, 1, nil, nil, nil],
    [17, 2, 10, 1, nil, nil, nil, 20, 21, 22, 23],
    [3, 2, 2, 1, nil, nil, nil, 3, 3, 3, 3],
    [nil, nil, nil, 3],
    [nil, 3, 1, -5],
    12,
    [0, 0, :racc_error, 2, 13, :_reduce_none, 1, 13, :_reduce_none, 2, 14, :_reduce_3, 2, 14, :_reduce_4, 3, 15, :_reduce_5, 3, 15, :_reduce_6,
     3, 15, :_reduce_7, 3, 15, :_reduce_8, 3, 15, :_reduce_9, 2, 15, :_reduce_10, 1, 15, :_reduce_none, 1, 15, :_reduce_12],
    { false => 0, :error => 1, :UMINUS => 2, "*" => 3, "/" => 4, "+" => 5, "-" => 6, ";" => 7, "(" => 8, ")" => 9, :NUMBER => 10, :STOP => 11 },
    25,
    13
  ]
  Racc_token_to_s_table = ["$end", "error", "UMINUS", '"*"', '"/"', '"+"', '"-"', '";"', '"("', '")"', "NUMBER", "STOP", "$start", "lines", "line", "exp"]
  Racc_debug_parser = true

  attr_reader :out

  def initialize(text, debug: nil)
    @text, @out = text, []
    @yydebug, @racc_debug_out = true, debug if debug
  end

  def next_token
    token = tokens.shift
    token && pair(token)
  end

  def each_pair
    tokens.each { |token| yield pair(token) }
    yield [false, nil]
  end

  def tokens = @tokens ||= @text.scan(/\d+|\S/)

  def pair(token) = token.match?(/\d/) ? [:NUMBER, token.to_i] : token == "." ? [:STOP, "."] : [token, token]

  def _reduce_3(val, _values, result) = (@out << val[0]; val[0])
  def _reduce_4(val, _values, result) = (yyerrok; @out << :error)
  def _reduce_5(val, _values, result) = result + val[2]
  def _reduce_6(val, _values, result) = result - val[2]
  def _reduce_7(val, _values, result) = result * val[2]
  def _reduce_8(val, _values, result) = val[2] == 0 ? yyerror : result / val[2]
  def _reduce_9(val, _values, result) = val[1]
  def _reduce_10(val, _values, result) = -val[1]
  def _reduce_12(val, _values, result) = yyaccept
  def _reduce_none(val, _values, result) = val[0]
end

# Goes on behind the next semicolon.
class Patient < Calc
  def on_error(token, value, values) = puts("on_error #{token_to_str(token).inspect} #{value.inspect} #{values.inspect}")
end

def outcome(parser)
  p [yield(parser), parser.out]
rescue Exception => error
  puts "#{error.class}: #{error.message}"
end

p Racc::VERSION, Racc::Version, Racc::Copyright, ParseError.equal?(Racc::ParseError), Racc::ParseError.superclass
p Racc::Parser.racc_runtime_type, Racc::Parser.constants.grep(/Racc_(?!.*Id)/).sort.to_h { |name| [name, Racc::Parser.const_get(name)] }

["1 + 2 * 3;", "(1 + 2) * 3; -4 - 5;", "1 + ;", "1 2;", "4 - (8 / 0; 1;", "1; 2 + . 3;", "", "1"].each do |text|
  [Calc, Patient].each do |kind|
    outcome(kind.new(text), &:do_parse)
    outcome(kind.new(text)) { |parser| parser.yyparse(parser, :each_pair) }
  end
end
outcome(Class.new(Calc) { def next_token = [:what, 1] }.new(""), &:do_parse)
class Silent < Calc
  define_method(:next_token, Racc::Parser.instance_method(:next_token))
end
outcome(Silent.new(""), &:do_parse)
p Calc::Racc_arg.size, Calc.new("").token_to_str(10), (Calc.new("").racc_token2str(99) rescue $!.message)

require "stringio"
["1 + 2 * -3;", "1 + ; 2;"].each do |text|
  steps = StringIO.new
  outcome(Patient.new(text, debug: steps), &:do_parse)
  puts steps.string
end
