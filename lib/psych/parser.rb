# frozen_string_literal: true

module Psych
  # Reads YAML 1.1 as libyaml does: events, or the nodes that they make. Reading is native (`psych/scan.so`).
  class Reader # :nodoc:
    def initialize(yaml, filename = nil)
      yaml = pieces_of(yaml) if yaml.respond_to?(:read)
      text = String.try_convert(yaml)
      raise TypeError, "no implicit conversion of #{yaml.nil? ? "nil" : yaml.class} into String" unless text
      @filename = filename
      internal = Encoding.default_internal
      read_from(utf8(text), internal == Encoding::UTF_8 ? nil : internal)
    end

    # Yields the node of each document. With +places+ its nodes know where they stand.
    def each_document(places: false)
      while (node = read_node(Nodes, places)) != nil
        yield node if node
      end
    end

    # The node of all documents.
    def stream
      stream = Nodes::Stream.new
      each_document(places: true) { |document| stream.children << document }
      stream.start_line = stream.start_column = 0
      _, stream.end_line, stream.end_column = mark
      stream
    end

    # Calls the methods of a handler.
    def each_event(handler)
      nil while tell_events(handler)
    end

    private

    # As much as an IO has; others are asked for pieces. What is read is bytes of UTF-8 or UTF-16, whatever encoding a stream
    # says that it has.
    def pieces_of(io)
      text = IO === io || defined?(::StringIO) && ::StringIO === io ? io.read : joined(io)
      return text unless String === text
      [Encoding::UTF_16LE, Encoding::UTF_16BE].include?(text.encoding) ? text : text.b
    end

    PIECE = 1 << 16
    private_constant :PIECE

    def joined(io)
      text = +""
      while (piece = io.read(PIECE))
        raise TypeError, "no implicit conversion of #{piece.class} into String" unless String === piece
        text << piece
      end
      text
    end

    def utf8(text)
      return text.encode(Encoding::UTF_8).delete_prefix("\u{FEFF}") unless [Encoding::UTF_8, Encoding::US_ASCII, Encoding::BINARY].include?(text.encoding)
      text = text.dup.force_encoding(Encoding::UTF_8) if text.encoding != Encoding::UTF_8
      return text.delete_prefix("\u{FEFF}") if text.valid_encoding?
      raise mistake(1, 1, 0, "invalid leading UTF-8 octet", nil)
    end

    def mistake(*place, problem, context) = SyntaxError.new(@filename, *place, problem, context)
  end
  private_constant :Reader

  # Tells a handler what stands in a text.
  class Parser
    class Mark < Struct.new(:index, :line, :column)
    end

    ANY = 0
    UTF8 = 1
    UTF16LE = 2
    UTF16BE = 3

    attr_accessor :handler
    attr_writer :external_encoding

    def initialize(handler = Handler.new, external_encoding = UTF8)
      @handler = handler
      @external_encoding = external_encoding
      @reader = nil
    end

    # Where the parser is: at the beginning, or behind what it read.
    def mark = Mark.new(*@reader&.mark || [0, 0, 0])

    def parse(yaml, path = yaml.respond_to?(:path) ? yaml.path : "<unknown>")
      @reader = Reader.new(yaml, path)
      @reader.each_event(@handler)
      self
    end
  end
end
