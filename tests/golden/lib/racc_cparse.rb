# oracle: native
# The loop of racc's parsers, with tables for lists of numbers that `+` joins:
#
#   list: list '+' number | number | error
#
# Tokens: 0 the end, 1 error, 2 '+', 3 a number. Recorded with racc's extension.
require "racc/cparse"

class Sums < Racc::Parser
  ERROR, ACCEPT = -4, 7
  ACTIONS = [nil, 3, nil, 2, 5, nil, 4, nil, nil, nil, nil, 6].freeze
  STATES_OF_ACTIONS = [nil, 0, nil, 0, 1, nil, 1, nil, nil, nil, nil, 4].freeze
  DEFAULTS = [ERROR, ERROR, -2, -3, ERROR, ACCEPT, -1].freeze
  PLACES = [0, 4, nil, nil, 8, nil, nil].freeze
  REDUCTIONS = [0, 0, :racc_error, 3, 5, :_reduce_1, 1, 5, :_reduce_none, 1, 5, :_reduce_3].freeze
  TOKENS = { false => 0, :error => 1, "+" => 2, :number => 3 }.freeze
  TABLES = [ACTIONS, STATES_OF_ACTIONS, DEFAULTS, PLACES, [1], [1], [nil, 1], [nil, 0], 4, REDUCTIONS, TOKENS, ACCEPT, 4].freeze

  def self.uses_result = true

  def parse(*tokens)
    @tokens = tokens
    _racc_do_parse_c([*TABLES, self.class.uses_result], false)
  end

  def parse_yielded(lexer, method) = _racc_yyparse_c(lexer, method, [*TABLES, self.class.uses_result], false)

  def next_token = @tokens.shift

  # What racc's own part of the runtime does.
  def _racc_init_sysvars
    @racc_state, @racc_tstack, @racc_vstack = [0], [], []
    @racc_t = @racc_val = nil
    @racc_read_next = true
    @racc_user_yyerror = false
    @racc_error_status = 0
  end

  def on_error(token, value, values)
    puts "on_error #{token} #{value.inspect} #{values.inspect}"
    raise ArgumentError, "unexpected #{value}" if value == :never
  end

  def _reduce_1(given, values, result)
    throw :racc_jump, 2 if given[2] == :enough
    throw :somewhere, :thrown if given[2] == :out
    raise "in an action" if given[2] == :raise
    "(#{result}+#{given[2]})#{values.size}"
  end

  def _reduce_3(given, _values, _result) = "error(#{given[0].inspect})"
end

class Pairs < Sums
  def self.uses_result = false

  def _reduce_1(given, values) = [given, values.size]

  def _reduce_3(given, values) = [:error, given, values]
end

def outcome
  puts yield.inspect
rescue StandardError, UncaughtThrowError => e
  puts "#{e.class}: #{e.message}"
end

number = ->(n) { [:number, n] }
plus = ["+", "+"]
finish = [false, nil]
[Sums, Pairs].each do |sums|
  outcome { sums.new.parse(number[1], finish) }
  outcome { sums.new.parse(number[1], plus, number[2], plus, number[3], finish) }
  outcome { sums.new.parse(number[1], plus, number[2], nil) }
  outcome { sums.new.parse([:unknown, 5], finish) }
  outcome { sums.new.parse(plus, finish) }
  outcome { sums.new.parse(number[1], number[2], finish) }
  outcome { sums.new.parse(number[1], plus, finish) }
  outcome { sums.new.parse(finish) }
  outcome { sums.new.parse([:unknown, :never], finish) }
  outcome { sums.new.parse(5) }
end
%i[enough out raise].each do |value|
  outcome { Sums.new.parse(number[1], plus, number[value], plus, number[3], finish) }
end

lexer = Object.new
def lexer.pairs
  yield [:number, 1]
  yield ["+", "+"]
  yield [:number, 2]
  yield [false, nil]
end

def lexer.values
  yield :number, 1
  yield "+", "+"
  yield :number, 2
  yield nil
end

def lexer.too_short = yield([:number, 1])
def lexer.odd = yield(5)
outcome { Sums.new.parse_yielded(lexer, :pairs) }
outcome { Sums.new.parse_yielded(lexer, :values) }
outcome { Sums.new.parse_yielded(lexer, :too_short) }
outcome { Sums.new.parse_yielded(lexer, :odd) }

# With `@yydebug` each step is told.
class Told < Sums
  def initialize = @yydebug = true

  %i[racc_read_token racc_shift racc_reduce racc_accept racc_e_pop racc_next_state].each do |name|
    define_method(name) { |*given| puts "#{name} #{given.inspect}" }
  end
end
outcome { Told.new.parse(number[1], plus, number[2], finish) }
