# frozen_string_literal: true

module Psych
  # Writes documents to a stream while they come: each ends where it is complete, and has no aliases of those before it.
  module Streaming
    module ClassMethods
      def new(io) = super(const_get(:Emitter).new(io))
    end

    def start(encoding = Nodes::Stream::UTF8)
      super
      return self unless block_given?
      yield self
      finish
    end
  end

  # A stream of YAML.
  class Stream < Visitors::YAMLTree
    class Emitter < Psych::Emitter
      def end_document(implicit_end = !streaming?) = super

      def streaming? = true
    end

    include Streaming
    extend Streaming::ClassMethods
  end
end
