# frozen_string_literal: true

require "prism/visitor"

module Prism
  class ParseResult < Result
    # Marks of each line the first node that begins a statement. A block's lines are its own.
    class Newlines < Visitor
      def initialize(lines)
        @lines = Array.new(1 + lines, false)
      end

      %i[visit_block_node visit_lambda_node].each do |visit|
        define_method(visit) do |node|
          lines = @lines
          @lines = Array.new(lines.size, false)
          super(node)
        ensure
          @lines = lines
        end
      end

      %i[visit_if_node visit_unless_node].each do |visit|
        define_method(visit) do |node|
          node.newline_flag!(@lines)
          super(node)
        end
      end

      def visit_statements_node(node)
        node.body.each { |child| child.newline_flag!(@lines) }
        super
      end
    end
  end

  class Node
    def newline_flag? = defined?(@newline_flag) ? true : false

    def newline_flag!(lines)
      line = location.start_line
      return if lines[line]
      lines[line] = true
      @newline_flag = true
    end
  end

  # What begins with another node leaves the mark to it.
  [BeginNode, ParenthesesNode].each { |node| node.define_method(:newline_flag!) { |_lines| nil } }
  [IfNode, UnlessNode, UntilNode, WhileNode].each { |node| node.define_method(:newline_flag!) { |lines| predicate.newline_flag!(lines) } }
  RescueModifierNode.define_method(:newline_flag!) { |lines| expression.newline_flag!(lines) }
  [InterpolatedMatchLastLineNode, InterpolatedRegularExpressionNode, InterpolatedStringNode, InterpolatedSymbolNode, InterpolatedXStringNode].each do |node|
    node.define_method(:newline_flag!) { |lines| parts.first&.newline_flag!(lines) }
  end
end
