# frozen_string_literal: true

class Ripper
  class Walker
    # Pattern matching.
    module Patterns
      include Tree

      private

      def in_parts(node)
        through(node.in_loc.end)
        inner = node.pattern
        value = guard?(inner) ? guarded(inner) : pattern(inner)
        [:on_in, value, clause(node.statements, inner.last, node.then_loc)]
      end

      def guard?(node) = (node.is_a?(IfNode) || node.is_a?(UnlessNode)) && node.statements

      def guarded(node)
        value = pattern(node.statements.body.first)
        condition = visit(node.predicate)
        on(node.is_a?(IfNode) ? :on_if_mod : :on_unless_mod, condition, value)
      end

      def visit_match_predicate_node(node) = match(node, node.operator_loc)
      def visit_match_required_node(node) = match(node, node.operator_loc)

      def match(node, place)
        value = visit(node.value)
        through(place.end)
        on(:on_case, value, on_after_terms(:on_in, pattern(node.pattern), nil, nil))
      end

      def visit_alternation_pattern_node(node)
        left = pattern(node.left)
        token(node.operator_loc)
        on_after_next(:on_binary, left, :|, pattern(node.right))
      end

      # Parentheses around a pattern are no event.
      def pattern(node)
        return visit(node) unless node.is_a?(ParenthesesNode)
        through(node.opening_loc.end)
        value = pattern(node.body)
        through(node.last)
        value
      end

      def visit_capture_pattern_node(node)
        value = pattern(node.value)
        token(node.operator_loc)
        on_after_next(:on_binary, value, :"=>", visit(node.target))
      end

      def visit_pinned_variable_node(node)
        through(node.operator_loc.end)
        on(:on_var_ref, token_at(node.variable.first))
      end

      def visit_pinned_expression_node(node)
        through(node.lparen_loc.end)
        value = visit(node.expression)
        finish(node, :on_begin, value)
      end

      def visit_array_pattern_node(node)
        constant = visit(node.constant)
        through(node.opening_loc.end) if node.opening_loc
        required = list_of(node.requireds) { |part| pattern(part) }
        rest = splat_pattern(node.rest) if node.rest
        posts = list_of(node.posts) { |part| pattern(part) }
        finish(node, :on_aryptn, constant, required, rest, posts)
      end

      def splat_pattern(node)
        return through(node.last).then { nil } if node.is_a?(ImplicitRestNode)
        through(node.operator_loc.end)
        on(:on_var_field, node.expression && token_at(node.expression.first))
      end

      def visit_find_pattern_node(node)
        constant = visit(node.constant)
        through(node.opening_loc.end) if node.opening_loc
        left = splat_pattern(node.left)
        middle = node.requireds.map { |part| pattern(part) }
        right = splat_pattern(node.right)
        finish(node, :on_fndptn, constant, left, middle, right)
      end

      def visit_hash_pattern_node(node)
        constant = visit(node.constant)
        through(node.opening_loc.end) if node.opening_loc
        pairs = node.elements.map { |pair| hash_pattern_pair(pair) } if node.rest || !node.elements.empty?
        rest = hash_pattern_rest(node.rest) if node.rest
        finish(node, :on_hshptn, constant, pairs, rest)
      end

      def hash_pattern_pair(node)
        key = node.key.opening_loc ? string_content(node.key, [node.key]) : visit(node.key)
        [key, node.value.is_a?(ImplicitNode) ? nil : pattern(node.value)]
      end

      def hash_pattern_rest(node)
        through(node.operator_loc.end)
        if node.is_a?(NoKeywordsParameterNode)
          through(node.last)
          return on(:on_var_field, :nil)
        end
        node.value && on(:on_var_field, token_at(node.value.first))
      end
    end
  end
end
