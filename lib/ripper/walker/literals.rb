# frozen_string_literal: true

class Ripper
  class Walker
    # Numbers, strings, symbols, regexps, arrays and hashes.
    module Literals
      include Tree

      private

      def visit_integer_node(node)
        return token_at(node.first) unless @source.getbyte(node.first) == 45
        token_at(node.first)
        on_after_next(:on_unary, :-@, token_at(node.first + 1))
      end
      alias visit_float_node visit_integer_node
      alias visit_rational_node visit_integer_node
      alias visit_imaginary_node visit_integer_node

      # ---- strings ----

      def visit_string_node(node)
        return token_at(node.first) if node.opening_loc && text(node.opening_loc) == "?"
        return heredoc(node, [node]) if heredoc?(node)
        return token_at(node.content_loc.begin) unless node.opening_loc
        on(:on_string_literal, string_content(node, [node]))
      end

      def visit_interpolated_string_node(node)
        return concatenated(node.parts) unless node.opening_loc
        return heredoc(node, node.parts) if heredoc?(node)
        on(:on_string_literal, string_content(node, node.parts))
      end

      def heredoc?(node) = node.opening_loc && @source.byteslice(node.opening_loc.begin, 2) == "<<"

      def concatenated(parts)
        parts.map { |part| visit(part) }.inject { |left, right| on(:on_string_concat, left, right) }
      end

      def string_content(node, parts)
        through(node.opening_loc.end)
        content = add_parts(at_once(:on_string_content), :on_string_add, content_places(parts))
        through(node.closing_loc.end) if node.closing_loc
        content
      end

      # The places of texts, and nodes for what is put in between.
      def content_places(parts)
        parts.flat_map do |part|
          case part
          when StringNode, XStringNode, SymbolNode, RegularExpressionNode, MatchLastLineNode then [part.content_loc]
          else [part]
          end
        end
      end

      def add_parts(list, event, parts)
        parts.each do |part|
          if part.is_a?(Range)
            texts_within(part).each { |value| list = at_once(event, list, value) }
          else
            value = visit(part)
            list = on(event, list, value)
          end
        end
        list
      end

      # The values of the tokens of a text: a heredoc has one a line.
      def texts_within(place)
        @tokens.between(place.begin, place.end).filter_map { |token| token_at(token.offset) if token.event == :tstring_content }
      end

      def heredoc(node, parts)
        opening = text(node.opening_loc)
        token(node.opening_loc)
        is_command = opening.end_with?("`")
        inner = heredoc_tokens(node)
        list = at_once(is_command ? :on_xstring_new : :on_string_content)
        list = add_parts(list, is_command ? :on_xstring_add : :on_string_add, heredoc_places(inner, parts))
        tell_heredoc_end(node)
        width = opening.start_with?("<<~") ? dedent_width(inner) : 0
        list = on(:on_heredoc_dedent, list, width) if width > 0
        on(is_command ? :on_xstring_literal : :on_string_literal, list)
      end

      # The tokens of a heredoc's own text, and the first one of each embedded expression.
      def heredoc_tokens(node)
        at = @tokens.at(node.opening_loc.begin)
        depth = heredocs = 0
        inner = []
        while (token = @tokens.list[at += 1])
          case token.event
          when :heredoc_end
            break if heredocs == 0
            heredocs -= 1
          when :heredoc_beg then heredocs += 1
          when :embexpr_beg
            inner << token if depth == 0 && heredocs == 0
            depth += 1
          when :embexpr_end then depth -= 1
          when :tstring_content, :embvar then inner << token if depth == 0 && heredocs == 0
          end
        end
        inner
      end

      def heredoc_places(tokens, parts)
        nodes = parts.to_h { |part| [part.first, part] }
        tokens.map { |token| token.event == :tstring_content ? (token.offset...token.offset + token.text.bytesize) : nodes[token.offset] }
      end

      def tell_heredoc_end(node)
        index = @tokens.at(node.closing_loc.begin)
        index ? tell_through(index) : through(node.closing_loc.begin)
      end

      # The columns of the line that is indented least; lines of blanks do not count.
      def dedent_width(tokens)
        tokens.each_with_index.filter_map do |token, index|
          next unless token.column == 0
          next 0 unless token.event == :tstring_content
          blank = token.text[/\A[ \t]*/]
          next if token.text.byteslice(blank.bytesize..).match?(/\A\r?\n/)
          next if blank == token.text && tokens[index + 1].nil?
          blank.each_char.inject(0) { |column, char| char == "\t" ? column / 8 * 8 + 8 : column + 1 }
        end.min || 0
      end

      def visit_embedded_statements_node(node)
        through(node.opening_loc.end)
        body = statements(node.statements, node.opening_loc.end)
        finish(node, :on_string_embexpr, body)
      end

      def visit_embedded_variable_node(node)
        through(node.operator_loc.end)
        variable = node.variable
        is_reference = variable.is_a?(BackReferenceReadNode) || variable.is_a?(NumberedReferenceReadNode)
        on(:on_string_dvar, is_reference ? token_at(variable.first) : visit(variable))
      end

      def visit_xstring_node(node)
        return heredoc(node, [node]) if heredoc?(node)
        command(node, [node.content_loc])
      end

      def visit_interpolated_xstring_node(node)
        return heredoc(node, node.parts) if heredoc?(node)
        command(node, content_places(node.parts))
      end

      def command(node, parts)
        through(node.opening_loc.end)
        list = add_parts(at_once(:on_xstring_new), :on_xstring_add, parts)
        finish(node, :on_xstring_literal, list)
      end

      # ---- symbols ----

      def visit_symbol_node(node)
        opening = text(node.opening_loc)
        return bare_symbol(node) unless opening
        through(node.opening_loc.end)
        return label_string(node, [node.content_loc]) if node.closing_loc && text(node.closing_loc).end_with?(":")
        return dynamic_symbol(node, [node.content_loc]) if node.closing_loc
        at_once(:on_symbol_literal, at_once(:on_symbol, token_at(node.content_loc.begin)))
      end

      def bare_symbol(node) = token_at(node.first)

      def visit_interpolated_symbol_node(node)
        through(node.opening_loc.end)
        return label_string(node, content_places(node.parts)) if text(node.closing_loc).end_with?(":")
        dynamic_symbol(node, content_places(node.parts))
      end

      def dynamic_symbol(node, parts)
        list = add_parts(on(:on_string_content), :on_string_add, parts)
        finish(node, :on_dyna_symbol, list)
      end

      def label_string(node, parts) = dynamic_symbol(node, parts)

      # ---- regexps ----

      def visit_regular_expression_node(node) = regexp(node, [node.content_loc])
      alias visit_match_last_line_node visit_regular_expression_node

      def visit_interpolated_regular_expression_node(node) = regexp(node, content_places(node.parts))
      alias visit_interpolated_match_last_line_node visit_interpolated_regular_expression_node

      def regexp(node, parts)
        through(node.opening_loc.end)
        list = add_parts(at_once(:on_regexp_new), :on_regexp_add, parts)
        on(:on_regexp_literal, list, token(node.closing_loc))
      end

      # ---- arrays and hashes ----

      def visit_array_node(node)
        return right_side(node.elements) unless node.opening_loc
        opening = text(node.opening_loc)
        through(node.opening_loc.end)
        elements =
          case opening
          when /\A%w/ then plain_words(node, :on_qwords_new, :on_qwords_add)
          when /\A%i/ then plain_words(node, :on_qsymbols_new, :on_qsymbols_add)
          when /\A%W/ then words(node, :on_words_new, :on_words_add)
          when /\A%I/ then words(node, :on_symbols_new, :on_symbols_add)
          else node.elements.empty? ? nil : argument_list(node.elements)
          end
        finish(node, :on_array, elements)
      end

      def plain_words(node, new, add)
        list = nil
        node.elements.each do |element|
          value = token_at(element.first)
          list ||= at_once(new)
          list = add_word(add, list, value)
        end
        list || no_words(new)
      end

      # A word has ended when the next one begins, or the list ends.
      def add_word(add, list, value)
        tell_separators
        on_after_next(add, list, value)
      end

      def no_words(new)
        tell_separators
        on_after_next(new)
      end

      def tell_separators
        tell_through(@told + 1) while @tokens.list[@told + 1]&.event == :words_sep
      end

      def words(node, new, add)
        list = nil
        node.elements.each do |element|
          value = word(element) { list ||= at_once(new) }
          list = add_word(add, list, value)
        end
        list || no_words(new)
      end

      # Calls the block when the first token of the word has come.
      def word(element)
        parts = element.is_a?(StringNode) || element.is_a?(SymbolNode) ? [element] : element.parts
        list = nil
        content_places(parts).each do |part|
          through((part.is_a?(Range) ? part.begin : part.first) + 1) unless list
          values = part.is_a?(Range) ? texts_within(part) : (yield; [visit(part)])
          values.each do |value|
            yield
            list ||= at_once(:on_word_new)
            list = at_once(:on_word_add, list, value)
          end
        end
        list
      end

      def visit_hash_node(node)
        through(node.opening_loc.end)
        elements = visit_all(node.elements)
        has_comma = !elements.empty? && comma_before?(node.closing_loc.begin, node.opening_loc.end)
        through(node.closing_loc.begin) if has_comma
        list = on_after_next(:on_assoclist_from_args, elements) unless elements.empty?
        finish(node, :on_hash, list)
      end

      def visit_assoc_node(node)
        key = visit(node.key)
        token(node.operator_loc)
        value = visit(node.value)
        on_after_next(:on_assoc_new, key, value)
      end

      def visit_assoc_splat_node(node)
        through(node.operator_loc.end)
        value = visit(node.value)
        on_after_next(:on_assoc_splat, value)
      end
    end
  end
end
