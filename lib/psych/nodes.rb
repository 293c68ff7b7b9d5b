# frozen_string_literal: true

module Psych
  # What a document consists of.
  module Nodes
    class Node
      include Enumerable

      # The array is made when somebody asks for it: most nodes are scalars.
      def children = @children ||= []

      attr_accessor :tag, :anchor
      # Where the node stands in the text that it was read from; lines and columns count from 0.
      attr_accessor :start_line, :start_column, :end_line, :end_column

      # Yields the nodes below this one, each behind those below it, and this one.
      def each(&block)
        return to_enum unless block
        children.each { |child| child.each(&block) }
        yield self
        self
      end

      def to_ruby(symbolize_names: nil, freeze: nil, strict_integer: false, parse_symbols: true)
        Visitors::ToRuby.create(symbolize_names: symbolize_names, freeze: freeze, strict_integer: strict_integer,
                                parse_symbols: parse_symbols).accept(self)
      end
      alias transform to_ruby

      def yaml(io = nil, options = {})
        documents = Stream === self ? children : [Document === self ? self : Document.new.tap { |d| d.children << self }]
        text = Printer.for(options).emit(documents)
        return text unless io
        io.write(text)
        io
      end
      alias to_yaml yaml

      def alias? = false
      def document? = false
      def mapping? = false
      def scalar? = false
      def sequence? = false
      def stream? = false
    end

    class Stream < Node
      ANY = 0
      UTF8 = 1
      UTF16LE = 2
      UTF16BE = 3

      attr_accessor :encoding

      def initialize(encoding = UTF8)
        @encoding = encoding
      end

      def stream? = true
    end

    class Document < Node
      attr_accessor :version, :tag_directives, :implicit, :implicit_end

      def initialize(version = [], tag_directives = [], implicit = false)
        @version = version
        @tag_directives = tag_directives
        @implicit = implicit
        @implicit_end = true
      end

      def root = children.first

      def document? = true
    end

    class Collection < Node
      ANY = 0
      BLOCK = 1
      FLOW = 2

      attr_accessor :implicit, :style

      def initialize(anchor = nil, tag = nil, implicit = true, style = BLOCK)
        @anchor = anchor
        @tag = tag
        @implicit = implicit
        @style = style
      end
    end
    private_constant :Collection

    class Sequence < Collection
      ANY = 0
      BLOCK = 1
      FLOW = 2

      def sequence? = true
    end

    class Mapping < Collection
      ANY = 0
      BLOCK = 1
      FLOW = 2

      def mapping? = true
    end

    class Scalar < Node
      ANY = 0
      PLAIN = 1
      SINGLE_QUOTED = 2
      DOUBLE_QUOTED = 3
      LITERAL = 4
      FOLDED = 5

      attr_accessor :value, :plain, :quoted, :style

      # +plain+ and +quoted+ say whether the tag need not be written with these styles.
      def initialize(value, anchor = nil, tag = nil, plain = true, quoted = false, style = ANY)
        @value = value
        @anchor = anchor
        @tag = tag
        @plain = plain
        @quoted = quoted
        @style = style
      end

      def scalar? = true
    end

    class Alias < Node
      def initialize(anchor)
        @anchor = anchor
      end

      def alias? = true
    end
  end
end
