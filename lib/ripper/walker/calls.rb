# frozen_string_literal: true

class Ripper
  class Walker
    # Calls, their arguments and blocks.
    module Calls
      include Tree

      BINARY = %i[!= !~ =~ == === <=> > >= < <= & | ^ >> << - + % / * **].freeze
      private_constant :BINARY

      private

      def visit_call_node(node)
        return visit_index(node) if node.name == :[] && node.opening_loc && text(node.opening_loc) == "[" && !node.call_operator_loc
        return visit_attribute_write(node) if node.flags & 16 != 0 && node.equal_loc
        return visit_operator(node) if node.receiver && !node.call_operator_loc
        return variable_call(node) if node.flags & 8 != 0
        return function_with_block(node) if node.block.is_a?(BlockNode) && !node.receiver && !node.opening_loc && !node.arguments
        with_block(node, node.receiver ? method_call(node) : function_call(node))
      end

      def variable_call(node) = on(:on_vcall, token(node.message_loc))

      def function_call(node)
        name = token(node.message_loc)
        if node.opening_loc
          list = parenthesised(node)
          on(:on_method_add_arg, on(:on_fcall, name), list)
        elsif arguments?(node)
          on(:on_command, name, arguments(node))
        else
          on(:on_method_add_arg, on(:on_fcall, name), on(:on_args_new))
        end
      end

      # Only behind the block the parser knows that there are no arguments.
      def function_with_block(node)
        name = token(node.message_loc)
        block = visit(node.block)
        on(:on_method_add_block, on(:on_method_add_arg, on(:on_fcall, name), on(:on_args_new)), block)
      end

      def method_call(node)
        receiver = visit(node.receiver)
        operator = call_operator(node)
        name = node.message_loc ? token(node.message_loc) : :call
        if node.opening_loc
          list = parenthesised(node)
          on(:on_method_add_arg, on(:on_call, receiver, operator, name), list)
        elsif arguments?(node)
          on(:on_command_call, receiver, operator, name, arguments(node))
        elsif node.block && constant_after_colons?(node)
          on(:on_command_call, receiver, operator, name, nil)
        else
          on(:on_call, receiver, operator, name)
        end
      end

      def constant_after_colons?(node)
        text(node.call_operator_loc) == "::" && text(node.message_loc).match?(/\A[[:upper:]]/)
      end

      def operator?(node) = node.receiver && !node.call_operator_loc

      def call_operator(node) = token(node.call_operator_loc)

      def visit_operator(node)
        case node.name
        when :! then negation(node)
        when :-@, :+@, :~ then sign(node)
        else
          left = visit(node.receiver)
          token(node.message_loc)
          right = visit(node.arguments.arguments.first)
          on_after_next(:on_binary, left, node.name, right)
        end
      end

      def sign(node)
        token(node.message_loc)
        on_after_next(:on_unary, node.name, visit(node.receiver))
      end

      def negation(node)
        token(node.message_loc)
        word = text(node.message_loc)
        return sign(node) unless word == "not"
        through(node.opening_loc.end) if node.opening_loc
        operand = node.receiver
        value = empty_operand?(node, operand) ? nil : visit(operand)
        finish(node, :on_unary, :not, value)
      end

      # `not()`
      def empty_operand?(node, operand)
        operand.is_a?(ParenthesesNode) && !operand.body && node.opening_loc.nil? && operand.first == node.message_loc.end
      end

      def visit_index(node)
        receiver = visit(node.receiver)
        through(node.opening_loc.end)
        list = bracket_arguments(node)
        through(node.closing_loc.end)
        with_block(node, on_after_next(:on_aref, receiver, list))
      end

      def visit_attribute_write(node)
        if node.name == :[]=
          target = index_target(node, drops_last: true)
        else
          receiver = visit(node.receiver)
          operator = call_operator(node)
          target = on(:on_field, receiver, operator, token(node.message_loc))
        end
        token(node.equal_loc)
        assign(node, target, node.arguments.arguments.last)
      end

      # ---- arguments ----

      def arguments?(node) = node.arguments || node.block.is_a?(BlockArgumentNode)

      # Arguments between parentheses, as one value.
      def parenthesised(node, opening = node.opening_loc, closing = node.closing_loc)
        through(opening.end)
        list = delimited(node, opening, closing)
        through(closing.end)
        on(:on_arg_paren, list)
      end

      def delimited(node, opening, closing)
        list = node.arguments&.arguments || []
        return forwarded(list) if list.last.is_a?(ForwardingArgumentsNode)
        block = node.block if node.block.is_a?(BlockArgumentNode)
        return if list.empty? && !block
        return argument_list(list) if !block && comma_before?(closing.begin, opening.end)
        with_block_argument(list, block)
      end

      # A command as the only argument has room for no block.
      def with_block_argument(list, block)
        return (value = block_argument(block); on(:on_args_add_block, on_after_next(:on_args_new), value)) if block && list.empty?
        values = argument_list(list)
        return values if !block && list.size == 1 && command?(list.first)
        value = block_argument(block)
        block ? on_after_next(:on_args_add_block, values, value) : on(:on_args_add_block, values, value)
      end

      # A call whose arguments have no parentheses.
      def command?(node)
        case node
        when CallNode then arguments?(node) && !node.opening_loc && !operator?(node) && !node.block.is_a?(BlockNode) && !node.equal_loc
        when SuperNode, YieldNode then !node.lparen_loc && node.arguments ? true : false
        when ReturnNode, BreakNode, NextNode then !node.arguments.nil?
        else false
        end
      end

      def bracket_arguments(node) = delimited(node, node.opening_loc, node.closing_loc)

      def forwarded(list)
        forward = list.last
        return (through(forward.last); on(:on_args_forward)) if list.size == 1
        values = argument_list(list[0...-1])
        through(forward.last)
        on(:on_args_add, values, on(:on_args_forward))
      end

      # Arguments without parentheses.
      def arguments(node, block = node.block)
        with_block_argument(node.arguments&.arguments || [], block.is_a?(BlockArgumentNode) ? block : nil)
      end

      def block_argument(node)
        return false unless node
        through(node.operator_loc.end)
        visit(node.expression)
      end

      def argument_list(nodes)
        return on(:on_args_new) if nodes.empty?
        list = nil
        nodes.each_with_index do |node, index|
          if node.is_a?(SplatNode)
            through(node.operator_loc.end)
            value = visit(node.expression)
            list = on_after_next(:on_args_new) if index == 0
            list = on_after_next(:on_args_add_star, list, value)
          else
            value = node.is_a?(KeywordHashNode) ? visit_all(node.elements) : visit(node)
            list = on_after_next(:on_args_new) if index == 0
            value = on(:on_bare_assoc_hash, value) if node.is_a?(KeywordHashNode)
            list = on_after_next(:on_args_add, list, value)
          end
        end
        list
      end

      def visit_arguments_node(node) = argument_list(node.arguments)

      def visit_keyword_hash_node(node) = on(:on_bare_assoc_hash, visit_all(node.elements))

      def visit_splat_node(node)
        through(node.operator_loc.end)
        visit(node.expression)
      end

      def visit_block_argument_node(node) = block_argument(node)

      def visit_forwarding_arguments_node(node) = (through(node.last); on(:on_args_forward))

      # ---- blocks ----

      def with_block(node, call)
        return call unless node.block.is_a?(BlockNode)
        block = visit(node.block)
        on(:on_method_add_block, call, block)
      end

      def visit_block_node(node)
        through(node.opening_loc.end)
        parameters = block_parameters(node.parameters)
        from = node.parameters && parameters ? node.parameters.last : node.opening_loc.end
        if text(node.opening_loc) == "{"
          body = statements(node.body, from)
          finish(node, :on_brace_block, parameters, body)
        else
          body = body_statement(node.body, from, node.closing_loc.begin)
          finish(node, :on_do_block, parameters, body)
        end
      end

      def block_parameters(node)
        return unless node.is_a?(BlockParametersNode)
        through(node.opening_loc.end) if node.opening_loc
        parameters = node.parameters || node.locals.empty? || node.opening_loc ? parameters(node.parameters) : nil
        locals = node.locals.map { |local| token_at(local.first) }
        through(node.last)
        on(:on_block_var, parameters, locals.empty? ? false : locals)
      end

      def visit_lambda_node(node)
        through(node.operator_loc.end)
        parameters = lambda_parameters(node)
        through(node.opening_loc.end)
        if text(node.opening_loc) == "{"
          body = statements(node.body, node.opening_loc.end)
        else
          body = body_statement(node.body, node.opening_loc.end, node.closing_loc.begin)
        end
        finish(node, :on_lambda, parameters, body)
      end

      def lambda_parameters(node)
        block = node.parameters
        return parameters(nil) unless block.is_a?(BlockParametersNode)
        through(block.opening_loc.end) if block.opening_loc
        list = parameters(block.parameters)
        through(block.last)
        block.opening_loc ? on(:on_paren, list) : list
      end

      # ---- super and yield ----

      def visit_super_node(node)
        through(node.keyword_loc.end)
        list = node.lparen_loc ? parenthesised(node, node.lparen_loc, node.rparen_loc) : arguments(node)
        with_block(node, on(:on_super, list))
      end

      def visit_forwarding_super_node(node)
        through(node.first + "super".size)
        with_block(node, on(:on_zsuper))
      end

      def visit_yield_node(node)
        through(node.keyword_loc.end)
        if node.lparen_loc
          through(node.lparen_loc.end)
          list = node.arguments ? yielded(node) : on(:on_args_new)
          through(node.rparen_loc.end)
          on(:on_yield, on(:on_paren, list))
        elsif node.arguments
          on(:on_yield, arguments(node, nil))
        else
          on(:on_yield0)
        end
      end

      def yielded(node)
        list = node.arguments.arguments
        comma_before?(node.rparen_loc.begin, node.lparen_loc.end) ? argument_list(list) : with_block_argument(list, nil)
      end
    end
  end
end
