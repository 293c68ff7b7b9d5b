# frozen_string_literal: true

module Psych
  # Hears what a parser reads. Classes inherit and define what they want to hear.
  class Handler
    # How a dump looks.
    class DumperOptions
      attr_accessor :line_width, :indentation, :canonical

      def initialize
        @line_width = 0
        @indentation = 2
        @canonical = false
      end
    end

    OPTIONS = DumperOptions.new
    EVENTS = %i[alias empty end_document end_mapping end_sequence end_stream scalar start_document start_mapping start_sequence
                start_stream].freeze

    def start_stream(encoding)
    end

    def start_document(version, tag_directives, implicit)
    end

    def end_document(implicit)
    end

    def alias(anchor)
    end

    def scalar(value, anchor, tag, plain, quoted, style)
    end

    def start_sequence(anchor, tag, implicit, style)
    end

    def end_sequence
    end

    def start_mapping(anchor, tag, implicit, style)
    end

    def end_mapping
    end

    def empty
    end

    def end_stream
    end

    # Where the next event stands.
    def event_location(start_line, start_column, end_line, end_column)
    end

    def streaming? = false
  end

  # Makes nodes of events.
  class TreeBuilder < Handler
    attr_reader :root

    def initialize
      @stack = []
      @root = nil
      @location = nil
    end

    def event_location(*places)
      @location = places
    end

    def start_stream(encoding) = push(@root = Nodes::Stream.new(encoding))

    def end_stream = pop

    def start_document(version, tag_directives, implicit)
      add(document = Nodes::Document.new(version, tag_directives, implicit))
      push(document)
    end

    def end_document(implicit = !streaming?)
      @stack.last.implicit_end = implicit
      pop
    end

    def start_sequence(anchor, tag, implicit, style)
      add(sequence = Nodes::Sequence.new(anchor, tag, implicit, style))
      push(sequence)
    end

    def end_sequence = pop

    def start_mapping(anchor, tag, implicit, style)
      add(mapping = Nodes::Mapping.new(anchor, tag, implicit, style))
      push(mapping)
    end

    def end_mapping = pop

    def scalar(value, anchor, tag, plain, quoted, style) = add(Nodes::Scalar.new(value, anchor, tag, plain, quoted, style))

    def alias(anchor) = add(Nodes::Alias.new(anchor))

    private

    def add(node)
      @stack.last.children << place(node)
      node
    end

    def push(node)
      @stack << place(node)
      node
    end

    # Where a collection ends is known at its end.
    def pop
      node = @stack.pop
      node.end_line, node.end_column = @location[2, 2] if @location
      node
    end

    def place(node)
      node.start_line, node.start_column, node.end_line, node.end_column = @location if @location
      node
    end
  end

  # Tells a handler what nodes consist of.
  class EventSource
    def initialize(handler)
      @handler = handler
    end

    def document(node, implicit_end = node.implicit_end)
      @handler.start_document(node.version, node.tag_directives, node.implicit)
      event(node.root) if node.root
      @handler.end_document(implicit_end)
    end

    def event(node)
      case node
      when Nodes::Stream
        @handler.start_stream(node.encoding)
        node.children.each { |child| event(child) }
        @handler.end_stream
      when Nodes::Document then document(node)
      when Nodes::Scalar then @handler.scalar(node.value, node.anchor, node.tag, node.plain, node.quoted, node.style)
      when Nodes::Alias then @handler.alias(node.anchor)
      when Nodes::Sequence
        @handler.start_sequence(node.anchor, node.tag, node.implicit, node.style)
        node.children.each { |child| event(child) }
        @handler.end_sequence
      when Nodes::Mapping
        @handler.start_mapping(node.anchor, node.tag, node.implicit, node.style)
        node.children.each { |child| event(child) }
        @handler.end_mapping
      end
    end
  end
  private_constant :EventSource
end
