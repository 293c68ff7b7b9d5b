# frozen_string_literal: true

require "racc/info"

# What parsers that racc has generated need when they run. The generator is the gem's.
#   class Sums < Racc::Parser   # with tables, of which racc makes `Racc_arg` and `Racc_token_to_s_table`
#     def parse(tokens) = (@tokens = tokens; do_parse)
#     def next_token = @tokens.shift
#   end
module Racc
  class ParseError < StandardError; end

  Racc_No_Extensions = false unless defined?(Racc_No_Extensions)
end

ParseError = Racc::ParseError unless defined?(::ParseError)

require "racc/cparse"

module Racc
  class Parser
    Racc_Runtime_Version = VERSION
    Racc_Runtime_Core_Version_R = VERSION
    Racc_Main_Parsing_Routine = :_racc_do_parse_c
    Racc_YY_Parse_Method = :_racc_yyparse_c
    Racc_Runtime_Core_Version = Racc_Runtime_Core_Version_C
    Racc_Runtime_Type = "c".freeze

    def self.racc_runtime_type = Racc_Runtime_Type

    # Parses the tokens of +next_token+, pairs of a token and its value; nil, or a token that is false, ends them.
    def do_parse = _racc_do_parse_c(_racc_setup, false)

    # Parses the tokens that a method of the lexer yields.
    def yyparse(lexer, method) = _racc_yyparse_c(lexer, method, _racc_setup, false)

    def next_token = raise(NotImplementedError, "#{self.class}#next_token is not defined")

    # What is done about a token that fits nowhere. Returning begins the recovery.
    def on_error(token, value, _values)
      raise ParseError, "parse error on value #{value.inspect} (#{token_to_str(token) || "?"})"
    end

    # For actions: an error, the end, the end of a recovery.
    def yyerror = throw(:racc_jump, 1)

    def yyaccept = throw(:racc_jump, 2)

    def yyerrok = @racc_error_status = 0

    def token_to_str(token) = self.class::Racc_token_to_s_table[token]

    # The methods from here on are told of each step if `@yydebug` is set and the parser was generated for it.
    def racc_read_token(token, name, value) = _racc_tell("read    #{name.inspect}(#{racc_token2str(token)}) #{value.inspect}")

    def racc_shift(token, tokens, values) = _racc_tell("shift   #{racc_token2str(token)}", _racc_stacks(tokens, values))

    def racc_reduce(tokens, nonterminal, stack, values)
      names = tokens.empty? ? "<none>" : tokens.map { |token| racc_token2str(token) }.join(" ")
      _racc_tell("reduce  #{names} --> #{racc_token2str(nonterminal)}", _racc_stacks(stack, values))
    end

    def racc_accept = _racc_tell("accept")

    def racc_e_pop(states, tokens, values)
      _racc_tell("error recovering mode: pop token", _racc_states(states), _racc_stacks(tokens, values))
    end

    def racc_next_state(state, states) = _racc_tell("goto    #{state}", _racc_states(states))

    def racc_print_stacks(tokens, values) = @racc_debug_out.puts(_racc_stacks(tokens, values))

    def racc_print_states(states) = @racc_debug_out.puts(_racc_states(states))

    def racc_token2str(token) = token_to_str(token) || raise("[Racc Bug] can't convert token #{token} to string")

    private

    # The tables, and where to tell of the steps.
    def _racc_setup
      @yydebug = false unless self.class::Racc_debug_parser && defined?(@yydebug)
      @racc_debug_out ||= $stderr if @yydebug
      tables = self.class::Racc_arg
      # Parsers of older generators do not say whether actions get a result.
      tables[13] = true if tables.size < 14
      tables
    end

    def _racc_init_sysvars
      @racc_state = [0]
      @racc_tstack = []
      @racc_vstack = []
      @racc_t = @racc_val = nil
      @racc_read_next = true
      @racc_user_yyerror = false
      @racc_error_status = 0
    end

    def _racc_tell(*lines) = @racc_debug_out.puts(*lines, "")

    def _racc_stacks(tokens, values)
      pairs = tokens.each_with_index.map { |token, index| " (#{racc_token2str(token)} #{values[index].inspect})" }
      "        [#{pairs.join} ]"
    end

    def _racc_states(states) = "        [#{states.map { |state| " #{state}" }.join} ]"
  end
end
