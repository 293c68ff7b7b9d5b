# frozen_string_literal: true

module Prism
  # Goes through trees; what comes of a node is for a subclass to say.
  class BasicVisitor
    def visit(node) = node&.accept(self)

    def visit_all(nodes) = nodes.each { |node| node&.accept(self) }

    def visit_child_nodes(node) = node.compact_child_nodes.each { |child| child.accept(self) }
  end

  # Visits the children of each node.
  #   class Calls < Prism::Visitor
  #     def visit_call_node(node)
  #       puts node.name
  #       super
  #     end
  #   end
  class Visitor < BasicVisitor
    NODES.each { |node| alias_method :"visit_#{node.type}", :visit_child_nodes }
  end
end
