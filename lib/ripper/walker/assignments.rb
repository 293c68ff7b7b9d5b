# frozen_string_literal: true

class Ripper
  class Walker
    # Assignments of every kind.
    module Assignments
      include Tree

      private

      %i[local_variable instance_variable class_variable global_variable constant].each do |name|
        define_method(:"visit_#{name}_write_node") { |node| simple_write(node) }
        define_method(:"visit_#{name}_target_node") { |node| checked(node, :on_assign_error, on(:on_var_field, token_at(node.first))) }
        %i[operator and or].each do |kind|
          define_method(:"visit_#{name}_#{kind}_write_node") { |node| checked(node, :on_assign_error, operator_write(node, variable_field(node))) }
        end
      end

      def variable_field(node) = on(:on_var_field, token(node.name_loc))

      def simple_write(node)
        target = checked(Part.new(node.name_loc), :on_assign_error, variable_field(node))
        token(node.operator_loc)
        assign(node, target, node.value)
      end

      # A part of a node that is no node itself.
      Part = Struct.new(:place) do
        def first = place.begin
        def last = place.end
      end
      private_constant :Part

      def assign(node, target, value)
        value = assigned(value)
        on_after_next(:on_assign, target, value)
      end

      # The right side: `a = 1, 2` and `a = *b` have no brackets.
      def assigned(node)
        return visit(node) unless node.is_a?(ArrayNode) && !node.opening_loc
        right_side(node.elements)
      end

      # Several values without brackets. As soon as the last one comes, those in front are no arguments any more.
      def right_side(nodes)
        *front, last = nodes
        if front.empty?
          return on(:on_args_add, on(:on_args_new), visit(last)) unless last.is_a?(SplatNode)
          through(last.operator_loc.end)
          value = visit(last.expression)
          return on(:on_mrhs_add_star, on(:on_mrhs_new), value)
        end
        values = argument_list(front)
        through(last.operator_loc.end) if last.is_a?(SplatNode)
        value = visit(last.is_a?(SplatNode) ? last.expression : last)
        list = on_after_next(:on_mrhs_new_from_args, values)
        on(last.is_a?(SplatNode) ? :on_mrhs_add_star : :on_mrhs_add, list, value)
      end

      # A target in several parts is told of behind the value: the block makes it.
      def operator_write(node, target = nil)
        place = node.respond_to?(:binary_operator_loc) ? node.binary_operator_loc : node.operator_loc
        operator = token(place)
        value = assigned(node.value)
        look_behind_all
        target = yield if block_given?
        at_once(:on_opassign, target, operator, value)
      end

      # ---- constants by path, attributes, elements ----

      def visit_constant_path_write_node(node)
        target = checked(node.target, :on_assign_error, path_field(node.target))
        token(node.operator_loc)
        assign(node, target, node.value)
      end

      def path_write(node) = checked(node.target, :on_assign_error, operator_write(node, path_field(node.target)))
      alias visit_constant_path_operator_write_node path_write
      alias visit_constant_path_and_write_node path_write
      alias visit_constant_path_or_write_node path_write

      def path_field(node)
        return on(:on_const_path_field, visit(node.parent), token(node.name_loc)) if node.parent
        through(node.delimiter_loc.end)
        on(:on_top_const_field, token(node.name_loc))
      end
      def visit_constant_path_target_node(node) = checked(node, :on_assign_error, path_field(node))

      def attribute_field(node)
        receiver = visit(node.receiver)
        operator = call_operator(node)
        on(:on_field, receiver, operator, token(node.message_loc))
      end
      alias visit_call_target_node attribute_field

      def attribute_write(node)
        receiver = visit(node.receiver)
        operator = call_operator(node)
        name = token(node.message_loc)
        operator_write(node) { at_once(:on_field, receiver, operator, name) }
      end
      alias visit_call_operator_write_node attribute_write
      alias visit_call_and_write_node attribute_write
      alias visit_call_or_write_node attribute_write

      def index_target(node, drops_last: false)
        receiver = visit(node.receiver)
        through(node.opening_loc.end)
        list = drops_last ? bracket_arguments(without_last(node)) : bracket_arguments(node)
        through(node.closing_loc.end)
        on_after_next(:on_aref_field, receiver, list)
      end
      alias visit_index_target_node index_target

      # An element's assignment has the value as its last argument.
      def without_last(node)
        copy, list = node.dup, node.arguments.dup
        list.arguments = list.arguments[0...-1]
        copy.arguments = list.arguments.empty? ? nil : list
        copy
      end

      def index_write(node)
        receiver = visit(node.receiver)
        through(node.opening_loc.end)
        list = bracket_arguments(node)
        through(node.closing_loc.end)
        operator_write(node) { at_once(:on_aref_field, receiver, list) }
      end
      alias visit_index_operator_write_node index_write
      alias visit_index_and_write_node index_write
      alias visit_index_or_write_node index_write

      # ---- several targets ----

      def visit_multi_write_node(node)
        targets = node.lparen_loc ? multiple_target(node) : target_list(node)
        token(node.operator_loc)
        on_after_next(:on_massign, targets, assigned(node.value))
      end

      def target(node)
        case node
        when RequiredParameterNode then token_at(node.first)
        when MultiTargetNode then multiple_target(node)
        else visit(node)
        end
      end

      def visit_multi_target_node(node) = multiple_target(node)

      # Targets in parentheses.
      def multiple_target(node)
        return target_list(node) unless node.lparen_loc
        through(node.lparen_loc.end)
        list = only_parentheses?(node) ? target(node.lefts[0]) : target_list(node)
        through(node.rparen_loc.end)
        on(:on_mlhs_paren, list)
      end

      # Whether nothing but other parentheses, with what is assigned to, stands in parentheses: no list of one.
      def only_parentheses?(node)
        inner = node.lefts[0]
        return false if node.lefts.size != 1 || node.rest || !inner.is_a?(MultiTargetNode) || !inner.lparen_loc
        inner = inner.lefts[0] || (inner.rest.is_a?(SplatNode) ? inner.rest.expression : inner.rest) while inner.is_a?(MultiTargetNode)
        !inner.is_a?(RequiredParameterNode) && !inner.is_a?(RestParameterNode)
      end

      def target_list(node)
        list = nil
        node.lefts.each_with_index do |left, index|
          value = target(left)
          list = on(:on_mlhs_new) if index == 0
          list = on(:on_mlhs_add, list, value)
        end
        return trailing_comma(node, list) if node.rest.is_a?(ImplicitRestNode)
        list = on(:on_mlhs_new) if node.lefts.empty?
        return list unless node.rest
        through(node.rest.operator_loc.end)
        list = on(:on_mlhs_add_star, list, rest_target(node.rest))
        return list if node.rights.empty?
        post = node.rights.inject(on(:on_mlhs_new)) { |rights, right| on(:on_mlhs_add, rights, target(right)) }
        on(:on_mlhs_add_post, list, post)
      end

      def rest_target(node)
        return token(node.name_loc) if node.is_a?(RestParameterNode)
        node.expression && target(node.expression)
      end

      def trailing_comma(node, list)
        through(node.rest.last)
        list
      end

      def visit_match_write_node(node) = visit(node.call)
    end
  end
end
