# frozen_string_literal: true

class Ripper
  class Walker
    # Methods, classes, modules, parameters and what undefines and renames.
    module Definitions
      include Tree

      private

      def visit_def_node(node)
        through(node.def_keyword_loc.end)
        if node.receiver
          receiver = singleton(node.receiver)
          operator = token(node.operator_loc)
        end
        name = token(node.name_loc)
        parameters = method_parameters(node)
        body = method_body(node)
        through(node.last)
        return on(:on_defs, receiver, operator, name, parameters, body) if node.receiver
        on(:on_def, name, parameters, body)
      end

      def singleton(node)
        return visit(node) unless node.is_a?(ParenthesesNode)
        through(node.opening_loc.end)
        value = visit(node.body.is_a?(StatementsNode) ? node.body.body.first : node.body)
        finish(node, :on_paren, value)
      end

      def method_parameters(node)
        through(node.lparen_loc.end) if node.lparen_loc
        list = parameters(node.parameters)
        return list unless node.rparen_loc
        through(node.rparen_loc.end)
        on(:on_paren, list)
      end

      def method_body(node)
        from = (node.rparen_loc || node.parameters&.location || node.name_loc).end
        return body_statement(node.body, from, node.end_keyword_loc.begin, skips: !node.rparen_loc) unless node.equal_loc
        through(node.equal_loc.end)
        body = visit(node.body.is_a?(StatementsNode) ? node.body.body.first : node.body)
        on_after_next(:on_bodystmt, body, nil, nil, nil)
      end

      # The body of a method, class or block, with what rescues and ensures.
      def body_statement(body, from, to, skips: false)
        unless body.is_a?(BeginNode)
          list = statements(body, from, skips:)
          through(to + 1)
          return on(:on_bodystmt, list, nil, nil, nil)
        end
        main = statements(body.statements, from, skips:)
        rescues, otherwise, finally = clauses(body)
        through(to + 1)
        on(:on_bodystmt, main, rescues, otherwise, finally)
      end

      def clauses(node)
        [visit(node.rescue_clause), (else_statements(node.else_clause) if node.else_clause), visit(node.ensure_clause)]
      end

      def else_statements(node)
        through(node.else_keyword_loc.end)
        statements(node.statements, node.else_keyword_loc.end)
      end

      def visit_begin_node(node)
        return bare_body(node) unless node.begin_keyword_loc
        through(node.begin_keyword_loc.end)
        main = statements(node.statements, node.begin_keyword_loc.end)
        rescues, otherwise, finally = clauses(node)
        through(node.end_keyword_loc.end)
        body = on(:on_bodystmt, main, rescues, otherwise, finally)
        finish(node, :on_begin, body)
      end

      def bare_body(node) = body_statement(node, node.first, node.last)

      def visit_rescue_node(node)
        through(node.keyword_loc.end)
        exceptions = rescued(node.exceptions)
        if node.reference
          through(node.operator_loc.end)
          variable = target(node.reference)
        end
        from = node.then_keyword_loc&.end || (node.reference || node.exceptions.last)&.last || node.keyword_loc.end
        through(node.then_keyword_loc.end) if node.then_keyword_loc
        body = statements(node.statements, from, skips: !node.then_keyword_loc)
        following = visit(node.subsequent)
        on_after_terms(:on_rescue, exceptions, variable, body, following)
      end

      def rescued(nodes)
        return if nodes.empty?
        return [visit(nodes.first)] if nodes.size == 1 && !nodes.first.is_a?(SplatNode)
        right_side(nodes)
      end

      def visit_ensure_node(node)
        through(node.ensure_keyword_loc.end)
        body = statements(node.statements, node.ensure_keyword_loc.end)
        on_after_terms(:on_ensure, body)
      end

      # ---- classes ----

      def visit_class_node(node)
        through(node.class_keyword_loc.end)
        path = definition_path(node.constant_path)
        if node.superclass
          through(node.inheritance_operator_loc.end)
          superclass = visit(node.superclass)
        end
        from = (node.superclass || node.constant_path).last
        body = body_statement(node.body, from, node.end_keyword_loc.begin, skips: !node.superclass.nil?)
        finish(node, :on_class, path, superclass, body)
      end

      def visit_module_node(node)
        through(node.module_keyword_loc.end)
        path = definition_path(node.constant_path)
        body = body_statement(node.body, node.constant_path.last, node.end_keyword_loc.begin)
        finish(node, :on_module, path, body)
      end

      def visit_singleton_class_node(node)
        through(node.operator_loc.end)
        object = visit(node.expression)
        body = body_statement(node.body, node.expression.last, node.end_keyword_loc.begin, skips: true)
        finish(node, :on_sclass, object, body)
      end

      def definition_path(node)
        case node
        when ConstantReadNode then on(:on_const_ref, token_at(node.first))
        when MissingNode then checked(node, :on_class_name_error, visit(node.unexpected))
        else visit(node)
        end
      end

      # ---- parameters ----

      def parameters(node)
        return on(:on_params, nil, nil, nil, nil, nil, nil, nil) unless node
        required = list_of(node.requireds) { |parameter| parameter(parameter) }
        optional = list_of(node.optionals) { |parameter| [token(parameter.name_loc), visit(parameter.value)] }
        rest = visit(node.rest)
        posts = list_of(node.posts) { |parameter| parameter(parameter) }
        keywords = list_of(node.keywords) { |parameter| [checked(parameter, :on_param_error, token(parameter.name_loc)), keyword_default(parameter)] }
        keyword_rest = visit(node.keyword_rest)
        block = visit(node.block)
        look_behind_all unless node.block
        at_once(:on_params, required, optional, rest, posts, keywords, keyword_rest, block)
      end

      def list_of(nodes, &) = nodes.empty? ? nil : nodes.map(&)

      def parameter(node) = node.is_a?(MultiTargetNode) ? multiple_target(node) : checked(node, :on_param_error, token_at(node.first))

      def keyword_default(node) = node.is_a?(OptionalKeywordParameterNode) ? visit(node.value) : false

      def visit_required_parameter_node(node) = token_at(node.first)

      def visit_parameters_node(node) = parameters(node)

      def visit_rest_parameter_node(node) = named_rest(node, :on_rest_param)
      def visit_keyword_rest_parameter_node(node) = named_rest(node, :on_kwrest_param)
      def visit_block_parameter_node(node) = named_rest(node, :on_blockarg)

      def named_rest(node, event)
        through(node.operator_loc.end)
        name = token(node.name_loc)
        name ? at_once(event, name) : on_after_next(event, name)
      end

      def visit_implicit_rest_node(node)
        through(node.last)
        on(:on_excessed_comma)
      end

      def visit_no_keywords_parameter_node(node)
        through(node.last)
        on(:on_nokw_param, nil)
        :nil
      end

      def visit_no_block_parameter_node(node) = (through(node.last); :nil)

      def visit_forwarding_parameter_node(node)
        through(node.last)
        on(:on_args_forward)
      end

      # ---- alias, undef, BEGIN and END ----

      def visit_alias_method_node(node)
        through(node.keyword_loc.end)
        at_once(:on_alias, method_name(node.new_name), method_name(node.old_name))
      end

      def visit_alias_global_variable_node(node)
        through(node.keyword_loc.end)
        new_name = token_at(node.new_name.first)
        old_name = token_at(node.old_name.first)
        message = @problems.message(:on_alias_error, node.old_name)
        message ? on(:on_alias_error, message, old_name) : finish(node, :on_var_alias, new_name, old_name)
      end

      def visit_undef_node(node)
        through(node.keyword_loc.end)
        on(:on_undef, node.names.map { |name| method_name(name) })
      end

      def method_name(node)
        return visit(node) if node.is_a?(InterpolatedSymbolNode) || node.opening_loc
        at_once(:on_symbol_literal, token_at(node.first))
      end

      def visit_pre_execution_node(node) = execution(node, :on_BEGIN)
      def visit_post_execution_node(node) = execution(node, :on_END)

      def execution(node, event)
        through(node.opening_loc.end)
        body = statements(node.statements, node.opening_loc.end)
        finish(node, event, body)
      end
    end
  end
end
