# frozen_string_literal: true

module Psych
  # YAML that is JSON.
  module JSON
    # Events without tags, in brackets.
    module YAMLEvents
      def start_document(version, tag_directives, implicit) = super(version, tag_directives, !streaming?)

      def end_document(implicit_end = !streaming?) = super

      def start_mapping(anchor, _tag, _implicit, _style) = super(anchor, nil, true, Nodes::Mapping::FLOW)

      def start_sequence(anchor, _tag, _implicit, _style) = super(anchor, nil, true, Nodes::Sequence::FLOW)

      def scalar(value, anchor, tag, plain, quoted, style)
        return super("null", nil, nil, true, false, Nodes::Scalar::PLAIN) if tag == "tag:yaml.org,2002:null"
        super
      end
    end

    # Texts, symbols and times are strings.
    module RubyEvents
      private

      def string(text) = quoted(text)

      def symbol(name) = quoted(name.to_s)

      def visit_other(object) = Time === object ? quoted(format_time(object)) : super

      def date(object)
        return if Object.autoload?(:Date) || !(::Date === object)
        quoted(::DateTime === object ? object.strftime("%Y-%m-%d %H:%M:%S.%9N %:z") : object.gregorian.to_s)
      end

      def quoted(text) = Nodes::Scalar.new(text, nil, nil, false, true, Nodes::Scalar::DOUBLE_QUOTED)
    end

    class TreeBuilder < Psych::TreeBuilder
      include YAMLEvents
    end

    # A stream of documents.
    class Stream < Visitors::YAMLTree
      class Emitter < Psych::Stream::Emitter
        include YAMLEvents
      end

      include RubyEvents
      include Streaming
      extend Streaming::ClassMethods
    end
  end

  class Visitors::JSONTree < Visitors::YAMLTree
    include JSON::RubyEvents

    def self.create(options = {}) = super(options, JSON::TreeBuilder.new)
  end
end
