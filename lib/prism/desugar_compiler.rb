# frozen_string_literal: true

require "prism/mutation_compiler"

module Prism
  # Makes of `a &&= b`, `a ||= b` and `a += b` what they stand for, where `a` is a variable or a constant without a scope.
  # What stands inside `b` stays as it is.
  class DesugarCompiler < MutationCompiler
    include DSL

    # The variables that a read of an undefined one is told of, and so are asked for with `defined?`.
    ASKED_FOR = %i[class_variable constant global_variable].freeze
    private_constant :ASKED_FOR

    %i[class_variable constant global_variable instance_variable local_variable].each do |kind|
      asked = ASKED_FOR.include?(kind)
      define_method(:"visit_#{kind}_and_write_node") { |node| joined(:and_node, kind, node) }
      define_method(:"visit_#{kind}_or_write_node") { |node| asked ? guarded(kind, node) : joined(:or_node, kind, node) }
      define_method(:"visit_#{kind}_operator_write_node") { |node| combined(kind, node) }
    end

    private

    # `a && a = b`.
    def joined(type, kind, node)
      public_send(
        type, source: node.send(:source), location: node.location, left: read(kind, node), right: write(kind, node, node.value),
              operator_loc: node.operator_loc
      )
    end

    # `if defined?(a) then a else a = b end`.
    def guarded(kind, node)
      source, place, operator = node.send(:source), node.location, node.operator_loc
      asked = defined_node(source: source, location: operator, value: read(kind, node), keyword_loc: operator)
      other = write(kind, node, node.value)
      branch = else_node(source: source, location: place, else_keyword_loc: operator, end_keyword_loc: operator, statements: body(node, other))
      if_node(
        source: source, location: operator, if_keyword_loc: operator, predicate: asked, then_keyword_loc: operator,
        statements: body(node, read(kind, node)), subsequent: branch, end_keyword_loc: operator
      )
    end

    # `a = a + b`.
    def combined(kind, node)
      operator = node.binary_operator_loc.chop
      arguments = arguments_node(source: node.send(:source), location: node.value.location, arguments: [node.value])
      value = call_node(
        source: node.send(:source), location: node.location, receiver: read(kind, node), name: operator.slice.to_sym,
        message_loc: operator, arguments: arguments
      )
      write(kind, node, value)
    end

    def body(node, statement) = statements_node(source: node.send(:source), location: node.location, body: [statement])

    def read(kind, node)
      public_send(:"#{kind}_read_node", source: node.send(:source), location: node.name_loc, name: node.name, **depth(kind, node))
    end

    def write(kind, node, value)
      operator = node.respond_to?(:binary_operator_loc) ? node.binary_operator_loc : node.operator_loc
      public_send(
        :"#{kind}_write_node", source: node.send(:source), location: node.location, name: node.name, name_loc: node.name_loc, value: value,
                               operator_loc: operator, **depth(kind, node)
      )
    end

    def depth(kind, node) = kind == :local_variable ? { depth: node.depth } : {}
  end

  NODES.each do |kind|
    next unless DesugarCompiler.method_defined?(:"visit_#{kind.type}", false)
    kind.class_eval { def desugar = accept(DesugarCompiler.new) }
  end
end
