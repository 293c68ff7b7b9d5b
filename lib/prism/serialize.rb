# frozen_string_literal: true

module Prism
  # Makes objects of what the parser wrote.
  module Serialize
    HEAD = "PRISM\x02\x01\x00\x00".b.freeze
    ERROR_LEVELS = %i[syntax argument load].freeze
    WARNING_LEVELS = %i[default verbose].freeze

    # The parser's tokens by their numbers, from 1 on.
    TOKEN_TYPES = [
      nil,
      *%i[
        EOF BRACE_RIGHT COMMA EMBEXPR_END KEYWORD_DO KEYWORD_ELSE KEYWORD_ELSIF KEYWORD_END KEYWORD_ENSURE KEYWORD_IN KEYWORD_RESCUE KEYWORD_THEN
        KEYWORD_WHEN NEWLINE NEWLINE PARENTHESIS_RIGHT PIPE SEMICOLON AMPERSAND AMPERSAND_AMPERSAND AMPERSAND_AMPERSAND_EQUAL AMPERSAND_DOT
        AMPERSAND_EQUAL BACKTICK BACK_REFERENCE BANG BANG_EQUAL BANG_TILDE BRACE_LEFT BRACE_LEFT BRACE_LEFT BRACKET_LEFT BRACKET_LEFT_ARRAY
        BRACKET_LEFT_RIGHT BRACKET_LEFT_RIGHT_EQUAL BRACKET_RIGHT CARET CARET_EQUAL CHARACTER_LITERAL CLASS_VARIABLE COLON COLON_COLON COMMENT
        CONSTANT DOT DOT_DOT DOT_DOT_DOT EMBDOC_BEGIN EMBDOC_END EMBDOC_LINE EMBEXPR_BEGIN EMBVAR EQUAL EQUAL_EQUAL EQUAL_EQUAL_EQUAL EQUAL_GREATER
        EQUAL_TILDE FLOAT FLOAT_IMAGINARY FLOAT_RATIONAL FLOAT_RATIONAL_IMAGINARY GLOBAL_VARIABLE GREATER GREATER_EQUAL GREATER_GREATER
        GREATER_GREATER_EQUAL HEREDOC_END HEREDOC_START IDENTIFIER IGNORED_NEWLINE INSTANCE_VARIABLE INTEGER INTEGER_IMAGINARY INTEGER_RATIONAL
        INTEGER_RATIONAL_IMAGINARY KEYWORD_ALIAS KEYWORD_AND KEYWORD_BEGIN KEYWORD_BEGIN_UPCASE KEYWORD_BREAK KEYWORD_CASE KEYWORD_CLASS KEYWORD_DEF
        KEYWORD_DEFINED KEYWORD_DO KEYWORD_DO KEYWORD_DO_LOOP KEYWORD_END_UPCASE KEYWORD_FALSE KEYWORD_FOR KEYWORD_IF KEYWORD_IF_MODIFIER
        KEYWORD_MODULE KEYWORD_NEXT KEYWORD_NIL KEYWORD_NOT KEYWORD_OR KEYWORD_REDO KEYWORD_RESCUE_MODIFIER KEYWORD_RETRY KEYWORD_RETURN KEYWORD_SELF
        KEYWORD_SUPER KEYWORD_TRUE KEYWORD_UNDEF KEYWORD_UNLESS KEYWORD_UNLESS_MODIFIER KEYWORD_UNTIL KEYWORD_UNTIL_MODIFIER KEYWORD_WHILE
        KEYWORD_WHILE_MODIFIER KEYWORD_YIELD KEYWORD___ENCODING__ KEYWORD___FILE__ KEYWORD___LINE__ LABEL LABEL_END LAMBDA_BEGIN LESS LESS_EQUAL
        LESS_EQUAL_GREATER LESS_LESS LESS_LESS_EQUAL METHOD_NAME MINUS MINUS_EQUAL MINUS_GREATER NUMBERED_REFERENCE PARENTHESIS_LEFT PARENTHESIS_LEFT
        PARENTHESIS_LEFT_PARENTHESES PERCENT PERCENT_EQUAL PERCENT_LOWER_I PERCENT_LOWER_W PERCENT_LOWER_X PERCENT_UPPER_I PERCENT_UPPER_W PIPE_EQUAL
        PIPE_PIPE PIPE_PIPE_EQUAL PLUS PLUS_EQUAL QUESTION_MARK REGEXP_BEGIN REGEXP_END SLASH SLASH_EQUAL STAR STAR_EQUAL STAR_STAR STAR_STAR_EQUAL
        STRING_BEGIN STRING_CONTENT STRING_END SYMBOL_BEGIN TILDE UAMPERSAND UCOLON_COLON UDOT_DOT UDOT_DOT_DOT UMINUS UMINUS_NUM UPLUS USTAR
        USTAR_STAR WORDS_SEP WORDS_SEP_IMPLICIT BACKTICK __END__
      ]
    ].freeze

    # What the parser finds, by number.
    DIAGNOSTIC_TYPES = %i[
      alias_argument alias_argument_numbered_reference ampampeq_multi_assign argument_after_block argument_after_forwarding_ellipses
      argument_bare_hash argument_block_multi argument_conflict_ampersand argument_conflict_star argument_conflict_star_star argument_formal_class
      argument_formal_constant argument_formal_global argument_formal_ivar argument_forwarding_unbound argument_no_forwarding_ampersand
      argument_no_forwarding_ellipses argument_no_forwarding_ellipses_lambda argument_no_forwarding_ellipses_block argument_no_forwarding_star
      argument_no_forwarding_star_star argument_splat_after_assoc_splat argument_splat_after_splat argument_term_paren argument_unexpected_block
      array_element array_expression array_expression_after_star array_separator array_term begin_lonely_else begin_term begin_upcase_brace
      begin_upcase_term begin_upcase_toplevel block_param_local_variable block_param_pipe_term block_term_brace block_term_end
      cannot_parse_expression cannot_parse_string_part case_expression_after_case case_expression_after_when case_match_missing_predicate
      case_missing_conditions case_term class_in_method class_name class_superclass class_term class_unexpected_end class_variable_bare
      conditional_elsif_predicate conditional_if_predicate conditional_predicate_term conditional_term conditional_term_else
      conditional_unless_predicate conditional_until_predicate conditional_while_predicate constant_path_colon_colon_constant def_endless
      def_endless_parameters def_endless_setter def_endless_do_block def_name def_params_term def_params_term_paren def_receiver def_receiver_term
      def_term defined_expression embdoc_term embexpr_end embvar_invalid end_upcase_brace end_upcase_term escape_invalid_control
      escape_invalid_control_repeat escape_invalid_hexadecimal escape_invalid_meta escape_invalid_meta_repeat escape_invalid_unicode
      escape_invalid_unicode_cm_flags escape_invalid_unicode_list escape_invalid_unicode_literal escape_invalid_unicode_long
      escape_invalid_unicode_short escape_invalid_unicode_term expect_argument expect_eol_after_statement expect_expression_after_ampampeq
      expect_expression_after_comma expect_expression_after_equal expect_expression_after_less_less expect_expression_after_lparen
      expect_expression_after_operator expect_expression_after_pipepipeeq expect_expression_after_splat expect_expression_after_splat_hash
      expect_expression_after_star expect_for_delimiter expect_ident_req_parameter expect_in_delimiter expect_lparen_after_not_lparen
      expect_lparen_after_not_other expect_lparen_req_parameter expect_message expect_rbracket expect_rparen expect_rparen_after_multi
      expect_rparen_req_parameter expect_singleton_class_delimiter expect_string_content expect_when_delimiter expression_bare_hash
      expression_not_writable expression_not_writable_encoding expression_not_writable_false expression_not_writable_file
      expression_not_writable_line expression_not_writable_nil expression_not_writable_numbered expression_not_writable_self
      expression_not_writable_true float_parse for_collection for_in for_index for_term global_variable_bare hash_expression_after_label hash_key
      hash_rocket hash_term hash_value heredoc_identifier heredoc_term incomplete_question_mark incomplete_variable_class
      incomplete_variable_class_3_3 incomplete_variable_instance incomplete_variable_instance_3_3 instance_variable_bare invalid_block_exit
      invalid_character invalid_comma invalid_encoding_magic_comment invalid_escape_character invalid_float_exponent invalid_local_variable_read
      invalid_local_variable_write invalid_multibyte_char invalid_multibyte_character invalid_multibyte_escape invalid_number_binary
      invalid_number_decimal invalid_number_fraction invalid_number_hexadecimal invalid_number_octal invalid_number_underscore_inner
      invalid_number_underscore_trailing invalid_percent invalid_percent_eof invalid_printable_character invalid_retry_after_else
      invalid_retry_after_ensure invalid_retry_without_rescue invalid_symbol invalid_variable_global invalid_variable_global_3_3 invalid_yield
      it_not_allowed_numbered it_not_allowed_ordinary lambda_open lambda_term_brace lambda_term_end list_i_lower_element list_i_lower_term
      list_i_upper_element list_i_upper_term list_w_lower_element list_w_lower_term list_w_upper_element list_w_upper_term malloc_failed
      mixed_encoding module_in_method module_name module_term multi_assign_multi_splats multi_assign_unexpected_rest nesting_too_deep
      no_local_variable non_associative_operator not_expression number_literal_underscore numbered_parameter_inner_block numbered_parameter_it
      numbered_parameter_ordinary numbered_parameter_outer_block operator_multi_assign operator_write_arguments operator_write_block
      parameter_assoc_splat_multi parameter_block_multi parameter_circular parameter_forwarding_after_rest parameter_method_name
      parameter_name_duplicated parameter_no_default parameter_no_default_kw parameter_numbered_reserved parameter_order parameter_splat_multi
      parameter_star parameter_unexpected_fwd parameter_unexpected_no_kw parameter_wild_loose_comma pattern_array_multiple_rests
      pattern_capture_duplicate pattern_capture_in_alternative pattern_expression_after_bracket pattern_expression_after_comma
      pattern_expression_after_hrocket pattern_expression_after_in pattern_expression_after_key pattern_expression_after_paren
      pattern_expression_after_pin pattern_expression_after_pipe pattern_expression_after_range pattern_expression_after_rest
      pattern_find_missing_inner pattern_hash_implicit pattern_hash_key pattern_hash_key_duplicate pattern_hash_key_interpolated
      pattern_hash_key_label pattern_hash_key_locals pattern_ident_after_hrocket pattern_label_after_comma pattern_rest pattern_term_brace
      pattern_term_bracket pattern_term_paren pipepipeeq_multi_assign regexp_encoding_option_mismatch regexp_escaped_non_ascii_in_utf8
      regexp_incompat_char_encoding regexp_invalid_char_property regexp_invalid_unicode_range regexp_non_escaped_mbc regexp_parse_error regexp_term
      regexp_unknown_options regexp_utf8_char_non_utf8_regexp rescue_expression rescue_modifier_value rescue_term rescue_variable return_invalid
      script_not_found singleton_for_literals statement_alias statement_postexe_end statement_preexe_begin statement_undef string_concatenation
      string_interpolated_term string_literal_eof string_literal_term symbol_invalid symbol_term_dynamic symbol_term_interpolated ternary_colon
      ternary_expression_false ternary_expression_true unary_disallowed unary_receiver undef_argument unexpected_block_argument
      unexpected_index_block unexpected_index_keywords unexpected_label unexpected_multi_write unexpected_parameter_default_value
      unexpected_range_operator unexpected_safe_navigation unexpected_token_close_context unexpected_token_ignore until_term void_expression
      while_term write_target_in_method write_target_readonly write_target_unexpected xstring_term ambiguous_binary_operator
      ambiguous_first_argument_minus ambiguous_first_argument_plus ambiguous_prefix_ampersand ambiguous_prefix_star ambiguous_prefix_star_star
      ambiguous_slash comparison_after_comparison dot_dot_dot_eol equal_in_conditional equal_in_conditional_3_3 end_in_method duplicated_hash_key
      duplicated_when_clause float_out_of_range ignored_frozen_string_literal indentation_mismatch integer_in_flip_flop invalid_character
      invalid_magic_comment_value invalid_numbered_reference keyword_eol literal_in_condition_default literal_in_condition_verbose
      shareable_constant_value_line shebang_carriage_return unexpected_carriage_return unreachable_statement unused_local_variable void_statement
    ].freeze
    private_constant :HEAD, :ERROR_LEVELS, :WARNING_LEVELS, :TOKEN_TYPES, :DIAGNOSTIC_TYPES

    class << self
      def parse(source, options)
        options = Options.new(options)
        load_parse(source, options.serialize(0, source), options.freeze?)
      end

      def lex(source, options)
        options = Options.new(options)
        loader = Loader.new(source, options.serialize(1, source), options.freeze?)
        loader.lex_result
      end

      def parse_lex(source, options)
        options = Options.new(options)
        Loader.new(source, options.serialize(2, source), options.freeze?).parse_lex_result
      end

      def parse_comments(source, options)
        options = Options.new(options)
        Loader.new(source, options.serialize(3, source), options.freeze?).comments_alone
      end

      def load_parse(source, serialized, freeze) = Loader.new(source, serialized, freeze).parse_result
    end

    # Reads one source's bytes.
    class Loader
      def initialize(source, bytes, freezes)
        @input = source.dup
        @bytes = bytes
        @freezes = freezes
        @at = 0
        @source = Source.for(@input, 1, [])
      end

      def parse_result
        head
        findings = read_findings
        finish(ParseResult.new(nodes, *findings, @source))
      end

      def lex_result
        tokens = read_tokens
        findings = read_findings
        finish(LexResult.new(token_objects(tokens), *findings, @source))
      end

      def parse_lex_result
        tokens = read_tokens
        head
        findings = read_findings
        value = [nodes, token_objects(tokens)]
        value.freeze if @freezes
        finish(ParseLexResult.new(value, *findings, @source))
      end

      def comments_alone
        head
        read_source
        list = read_comments
        @source.deep_freeze if @freezes
        list
      end

      private

      def head
        raise "Invalid serialization" unless @bytes.byteslice(@at, HEAD.bytesize).b == HEAD
        @at += HEAD.bytesize
      end

      # An integer of seven bits a byte.
      def number
        result = shift = 0
        while (byte = self.byte) > 127
          result |= (byte & 127) << shift
          shift += 7
        end
        result | byte << shift
      end

      def byte
        byte = @bytes.getbyte(@at) or raise "Invalid serialization"
        @at += 1
        byte
      end

      def signed
        zigzag = number
        zigzag.even? ? zigzag >> 1 : -(zigzag >> 1) - 1
      end

      def text
        size = number
        @at += size
        @bytes.byteslice(@at - size, size)
      end

      def place = number << 32 | number

      def location = frozen(Location.new(@source, number, number))

      def frozen(object) = @freezes ? object.freeze : object

      def list = frozen(Array.new(number) { frozen(yield) })

      # Encoding, first line, a checksum, and where lines begin.
      def read_source
        @encoding = Encoding.find(text)
        @source.replace_start_line(signed)
        @at += 8
        @source.replace_offsets(Array.new(number) { number })
        @input.force_encoding(@encoding)
        return if @input.ascii_only? || @input.encoding != Encoding::BINARY
        @input.force_encoding(Encoding::UTF_8)
        @input.force_encoding(Encoding::BINARY) unless @input.valid_encoding?
      end

      def read_comments = list { byte == 0 ? InlineComment.new(location) : EmbDocComment.new(location) }

      def read_findings
        read_source
        comments = read_comments
        number.times { number; number.times { number } }
        magic_comments = list { MagicComment.new(location, location) }
        data = byte == 0 ? nil : location
        errors = list { finding(ParseError, ERROR_LEVELS) }
        warnings = list { finding(ParseWarning, WARNING_LEVELS) }
        byte
        [comments, magic_comments, data, errors, warnings]
      end

      def finding(kind, levels) = kind.new(DIAGNOSTIC_TYPES.fetch(number), frozen(text.force_encoding(@encoding)), location, levels.fetch(byte))

      def nodes
        limit = @bytes.unpack1("L", offset: @at) or raise "Invalid serialization"
        @at += 4
        names = Array.new(number) { |index| name(limit + index * 8) }
        root = Prism.__nodes(@bytes, @at, limit, names, NODES, @source, @input)
        deep_freeze(root) if @freezes
        root
      end

      def name(at)
        start, size = @bytes.unpack("LL", offset: at)
        @bytes.byteslice(start, size).force_encoding(@encoding).to_sym
      end

      def deep_freeze(node)
        node.class.__fields.each do |name, letter|
          node.public_send(name)
          node.public_send(name).freeze if "lo".include?(letter) || "aC".include?(letter)
        end
        node.compact_child_nodes.each { |child| deep_freeze(child) }
        node.location.freeze
        node.freeze
      end

      # Type, place, state of the lexer.
      def read_tokens
        tokens = []
        while (kind = number) != 0
          tokens << [TOKEN_TYPES.fetch(kind), place, number]
        end
        tokens
      end

      def token_objects(tokens)
        tokens.map! do |type, place, state|
          token = Token.new(@source, type, @source.slice(place >> 32, place & 0xFFFFFFFF), place)
          token.deep_freeze if @freezes
          frozen([token, state])
        end
        frozen(tokens)
      end

      def finish(result)
        return result unless @freezes
        @source.deep_freeze
        result.freeze
      end
    end
    private_constant :Loader
  end
end
