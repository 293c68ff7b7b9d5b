# carat: core
# frozen_string_literal: true

# The loop of the parsers that racc generates. racc has it as an extension too, and `racc/parser` prefers it to its own.
module Racc
  class Parser
    Racc_Runtime_Core_Version_C = "1.8.1".freeze

    # What a run gives that waits for a token from the lexer.
    WAITING = Object.new.freeze

    # What a run gives that found an error and no state that knows what to do about it.
    FAILED = Object.new.freeze
    private_constant :WAITING, :FAILED

    private

    # Parses what +next_token+ returns.
    def _racc_do_parse_c(tables, _is_debugged)
      _racc_init_sysvars
      result = _racc_run_over_jumps(tables, false)
      result unless Primitive.same(result, FAILED)
    end

    # Parses what the lexer's method yields: no more than the parser accepts.
    def _racc_yyparse_c(lexer, method, tables, _is_debugged)
      _racc_init_sysvars
      result = _racc_run_over_jumps(tables, true)
      return if Primitive.same(result, FAILED)
      lexer.__send__(method) do |token|
        raise ArgumentError, "extra token after EndOfToken" unless Primitive.same(result, WAITING)
        _racc_take_token(tables, token) { |wrong| "#{method}() yielded #{wrong}" }
        result = _racc_run_over_jumps(tables, true)
        return if Primitive.same(result, FAILED)
      end
      raise ArgumentError, "#{method}() is finished before EndOfToken" if Primitive.same(result, WAITING)
      result
    end

    # Actions end by a throw in +yyerror+ and +yyaccept+.
    def _racc_run_over_jumps(tables, is_given_tokens)
      action = nil
      while true
        code = catch(:racc_jump) { return _racc_run(tables, action, is_given_tokens) }
        case code
        when 1
          @racc_user_yyerror = true
          action = -tables[12]
        when 2 then return @racc_vstack[0]
        else raise "[Racc Bug] unknown jump code"
        end
      end
    end

    # Makes a pair of a token and its value the current one; nil is the end, whose value is then "$".
    def _racc_take_token(tables, pair)
      unless pair.nil? || Primitive.kind_of(pair, Array)
        raise TypeError, "#{yield Primitive.class_of(pair)} (must be Array[2])"
      end
      token, @racc_val = pair || [false, "$"]
      @racc_t = token ? tables[10][token] || 1 : 0
      racc_read_token(@racc_t, token, @racc_val) if @yydebug
      @racc_read_next = false
    end

    # Does what the tables say until the end is accepted; if it is given tokens, until it needs one. Everything that happens for
    # each token is in this method, with the state in local variables.
    def _racc_run(tables, action, is_given_tokens)
      action_table, action_check, action_default, action_pointer, goto_table, goto_check, goto_default, goto_pointer,
        first_nonterminal, reductions, _, accept, end_of_reductions, passes_result = tables
      states, values, state = @racc_state, @racc_vstack, @racc_state[-1]
      while true
        if !action && (place = action_pointer[state])
          if @racc_read_next && @racc_t != 0
            return WAITING if is_given_tokens
            _racc_take_token(tables, next_token) { |wrong| "next_token() returned #{wrong}" }
          end
          place += @racc_t
          action = action_table[place] if place >= 0 && action_check[place] == state
        end
        action ||= action_default[state]
        if action > 0 && action < accept
          @racc_error_status -= 1 if @racc_error_status > 0
          values.push(@racc_val)
          _racc_tell_shift(@racc_t) if @yydebug
          states.push(state = action)
          @racc_read_next = true
        elsif action < 0 && action > -end_of_reductions
          size = reductions[-3 * action]
          name = reductions[-3 * action + 2]
          states.pop(size)
          given = values.pop(size)
          tokens = @racc_tstack.pop(size) if @yydebug
          # The generator's name for a rule without an action: its value is the first one's.
          result = if name == :_reduce_none then given[0]
                   elsif passes_result then __send__(name, given, values, given[0])
                   else __send__(name, given, values)
                   end
          values.push(result)
          nonterminal = reductions[-3 * action + 1]
          _racc_tell_reduction(tokens, nonterminal) if @yydebug
          column = nonterminal - first_nonterminal
          state = (place = goto_pointer[column]) && (place += states[-1]) >= 0 && goto_check[place] == column && goto_table[place]
          states.push(state ||= goto_default[column])
        elsif action == -end_of_reductions
          action = _racc_recover(tables) or return FAILED
          # A state that reduces when it sees the error does so in the next turn.
          state = states[-1]
          next if action < 0 || action == accept
          values.push(@racc_val)
          # racc's extension tells of the error token as of the end.
          _racc_tell_shift(0) if @yydebug
          states.push(state = action)
        elsif action == accept
          racc_accept if @yydebug
          return values[0]
        else
          raise "[Racc Bug] unknown act value #{action}"
        end
        racc_next_state(state, states) if @yydebug
        action = nil
      end
    end

    def _racc_tell_shift(token)
      @racc_tstack.push(token)
      racc_shift(token, @racc_tstack, @racc_vstack)
    end

    def _racc_tell_reduction(tokens, nonterminal)
      @racc_tstack.push(nonterminal)
      racc_reduce(tokens, nonterminal, @racc_tstack, @racc_vstack)
    end

    # Reports an error once, and drops states until one knows what to do with the error token: that. nil where none does.
    def _racc_recover(tables)
      on_error(@racc_t, @racc_val, @racc_vstack) if @racc_error_status == 0 && !@racc_user_yyerror
      if @racc_error_status == 3
        return if @racc_t == 0
        @racc_read_next = true
      end
      @racc_user_yyerror = false
      @racc_error_status = 3
      until (action = _racc_action_of_error(tables, @racc_state[-1]))
        return if @racc_state.size <= 1
        @racc_state.pop
        @racc_vstack.pop
        next unless @yydebug
        @racc_tstack.pop
        racc_e_pop(@racc_state, @racc_tstack, @racc_vstack)
      end
      action
    end

    def _racc_action_of_error(tables, state)
      place = tables[3][state] or return
      place += 1
      tables[0][place] if place >= 0 && tables[1][place] == state
    end
  end
end
