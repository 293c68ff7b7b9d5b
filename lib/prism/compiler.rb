# frozen_string_literal: true

module Prism
  # Makes something of each node. What is made of one that nobody says anything about is what is made of its children.
  class Compiler
    def visit(node) = node&.accept(self)

    def visit_all(nodes) = nodes.map { |node| node&.accept(self) }

    def visit_child_nodes(node) = node.compact_child_nodes.map { |child| child.accept(self) }

    NODES.each { |node| alias_method :"visit_#{node.type}", :visit_child_nodes }
  end
end
