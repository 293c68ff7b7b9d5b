# frozen_string_literal: true

require "psych"

module Psych
  module Handlers
    # Hands each document on as soon as it is read; the stream keeps none.
    class DocumentStream < TreeBuilder
      def initialize(&block)
        super()
        @block = block
      end

      def start_document(version, tag_directives, implicit) = push(Nodes::Document.new(version, tag_directives, implicit))

      def end_document(implicit = !streaming?)
        @stack.last.implicit_end = implicit
        @block.call(pop)
      end
    end
  end
end
