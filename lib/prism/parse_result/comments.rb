# frozen_string_literal: true

module Prism
  class ParseResult < Result
    # Gives each comment to a part of the tree: one behind code on its line to what is in front of it, any other to what follows.
    class Comments
      def initialize(result)
        @result = result
      end

      def attach! = @result.comments.each { |comment| attach(comment) }

      private

      def attach(comment)
        preceding, enclosing, following = nearest(@result.value, comment)
        if comment.trailing?
          return place(preceding).trailing_comment(comment) if preceding
          place(following || enclosing).leading_comment(comment)
        elsif following
          place(following).leading_comment(comment)
        elsif preceding
          place(preceding).trailing_comment(comment)
        else
          place(enclosing).leading_comment(comment)
        end
      end

      def place(target) = Node === target ? target.location : target

      # What is in front of a comment, around it and behind it.
      def nearest(node, comment)
        loop do
          targets = targets(node)
          first, last = comment.location.start_offset, comment.location.end_offset
          inner = targets.find { |target| Node === target && target.start_offset <= first && last <= target.end_offset }
          unless inner
            index = targets.bsearch_index { |target| target.start_offset >= last } || targets.size
            return [index == 0 ? nil : targets[index - 1], node, targets[index]]
          end
          node = inner
        end
      end

      def targets(node)
        node.comment_targets.flat_map { |target| StatementsNode === target ? target.body : [target] }.sort_by(&:start_offset)
      end
    end
  end
end
