# frozen_string_literal: true

module Psych
  # What goes over nodes or objects.
  module Visitors
    # Calls visit_ and the name of the class, or of one that it inherits from.
    class Visitor
      def accept(target) = visit(target)

      private

      def visit(target)
        target.class.ancestors.each do |ancestor|
          name = :"visit_#{ancestor.name.to_s.gsub("::", "_")}"
          return __send__(name, target) if respond_to?(name, true)
        end
        raise TypeError, "Can't dump #{target.class}"
      end
    end

    # Hands a tree's nodes to a callable, each behind those below.
    class DepthFirst < Visitor
      def initialize(callable)
        super()
        @callable = callable
      end

      private

      def visit(node)
        node.children.each { |child| accept(child) }
        @callable.call(node)
      end
    end
  end
end
