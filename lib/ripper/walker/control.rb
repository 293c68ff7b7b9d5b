# frozen_string_literal: true

class Ripper
  class Walker
    # Conditions, loops, jumps and what joins conditions.
    module Control
      include Tree

      private

      def visit_if_node(node)
        return ternary(node) unless node.if_keyword_loc
        return modified(node, :on_if_mod, node.predicate, node.statements) if node.statements && node.statements.first < node.if_keyword_loc.begin
        condition(node, text(node.if_keyword_loc) == "elsif" ? :on_elsif : :on_if, node.if_keyword_loc, node.subsequent)
      end

      def visit_unless_node(node)
        return modified(node, :on_unless_mod, node.predicate, node.statements) if node.statements && node.statements.first < node.keyword_loc.begin
        condition(node, :on_unless, node.keyword_loc, node.else_clause)
      end

      def condition(node, event, keyword, otherwise)
        through(keyword.end)
        predicate = visit(node.predicate)
        body = clause(node.statements, node.predicate.last, node.then_keyword_loc)
        otherwise = visit(otherwise)
        through(node.end_keyword_loc ? node.last : node.first)
        on(event, predicate, body, otherwise)
      end

      # What stands behind a condition: a line's end, `then`, or both. (The parser gives an `elsif` the `then` of its `if`.)
      def clause(statements, from, word)
        return statements(statements, from, skips: true) if word.nil? || word.begin < from
        through(word.end)
        statements(statements, word.end)
      end

      def modified(node, event, predicate, statements)
        body = visit(statements.body.first)
        predicate = visit(predicate)
        through(node.last)
        on_after_next(event, predicate, body)
      end

      def ternary(node)
        predicate = visit(node.predicate)
        token(node.then_keyword_loc)
        yes = visit(node.statements.body.first)
        otherwise = node.subsequent
        through(otherwise.else_keyword_loc.end)
        no = visit(otherwise.statements.body.first)
        on_after_next(:on_ifop, predicate, yes, no)
      end

      def visit_else_node(node)
        body = else_statements(node)
        through(node.end_keyword_loc.end) if node.end_keyword_loc
        on(:on_else, body)
      end

      def visit_while_node(node) = visit_loop(node, :on_while, :on_while_mod, node.keyword_loc)
      def visit_until_node(node) = visit_loop(node, :on_until, :on_until_mod, node.keyword_loc)

      def visit_loop(node, event, modifier_event, keyword)
        return modified(node, modifier_event, node.predicate, node.statements) if node.statements && node.statements.first < keyword.begin
        through(keyword.end)
        predicate = visit(node.predicate)
        body = clause(node.statements, node.predicate.last, node.do_keyword_loc)
        finish(node, event, predicate, body)
      end

      def visit_for_node(node)
        through(node.for_keyword_loc.end)
        index = for_index(node.index)
        through(node.in_keyword_loc.end)
        collection = visit(node.collection)
        body = clause(node.statements, node.collection.last, node.do_keyword_loc)
        finish(node, :on_for, index, collection, body)
      end

      def for_index(node) = node.is_a?(MultiTargetNode) ? target_list(node) : target(node)

      def visit_case_node(node) = visit_case(node)
      def visit_case_match_node(node) = visit_case(node)

      def visit_case(node)
        through(node.case_keyword_loc.end)
        subject = visit(node.predicate)
        clauses = chain(node.conditions, node.else_clause)
        finish(node, :on_case, subject, clauses)
      end

      # Clauses are told of from the last one to the first, since each holds the following ones.
      def chain(nodes, otherwise)
        parts = nodes.map { |node| node.is_a?(WhenNode) ? when_parts(node) : in_parts(node) }
        following = otherwise && visit(otherwise)
        look_through_terms unless following
        parts.reverse_each { |event, *values| following = at_once(event, *values, following) }
        following
      end

      def when_parts(node)
        through(node.keyword_loc.end)
        values = argument_list(node.conditions)
        [:on_when, values, clause(node.statements, node.conditions.last.last, node.then_keyword_loc)]
      end

      def visit_rescue_modifier_node(node)
        value = visit(node.expression)
        through(node.keyword_loc.end)
        on_after_next(:on_rescue_mod, value, visit(node.rescue_expression))
      end

      def visit_and_node(node) = joined(node)
      def visit_or_node(node) = joined(node)

      def joined(node)
        left = visit(node.left)
        token(node.operator_loc)
        on_after_next(:on_binary, left, text(node.operator_loc).to_sym, visit(node.right))
      end

      def visit_defined_node(node)
        through((node.lparen_loc || node.keyword_loc).end)
        value = visit(node.value)
        if node.lparen_loc
          through(node.rparen_loc.end)
          value = on(:on_paren, value) if @tokens.between(node.keyword_loc.end, node.lparen_loc.begin).any?
        end
        on(:on_defined, value)
      end

      def visit_range_node(node)
        left = visit(node.left)
        through(node.operator_loc.end)
        right = visit(node.right)
        on_after_next(node.flags & 4 == 0 ? :on_dot2 : :on_dot3, left, right)
      end
      alias visit_flip_flop_node visit_range_node

      # ---- jumps ----

      def visit_return_node(node)
        through(node.keyword_loc.end)
        node.arguments ? on(:on_return, jump_arguments(node)) : on(:on_return0)
      end

      def visit_break_node(node) = jump(node, :on_break)
      def visit_next_node(node) = jump(node, :on_next)

      def jump(node, event)
        through(node.keyword_loc.end)
        on(event, node.arguments ? jump_arguments(node) : on(:on_args_new))
      end

      def jump_arguments(node) = with_block_argument(node.arguments.arguments, nil)

      def visit_redo_node(node) = finish(node, :on_redo)
      def visit_retry_node(node) = finish(node, :on_retry)
    end
  end
end
