# frozen_string_literal: true

module Psych
  # Which bytes of a text a node takes, and the events at its beginning and at its end if it has others in it.
  class Place # :nodoc:
    # Where the lines of a text begin.
    class Lines
      def initialize(text)
        @text = text
        @starts = [0]
        position = -1
        @starts << position + 1 while (position = text.byteindex("\n", position + 1))
      end

      # The line of a byte, and how many characters stand before it. Behind the last byte is the end of the stream, which
      # begins a line.
      def at(position)
        return end_of_stream if position > @text.bytesize
        line = @starts.bsearch_index { |start| start > position } || @starts.size
        [line - 1, @text.byteslice(@starts[line - 1]...position).size]
      end

      private

      def end_of_stream
        line, column = at(@text.bytesize)
        [column == 0 ? line : line + 1, 0]
      end
    end

    attr_reader :first

    # The event at the beginning ends at +opened+, that at the end begins at +closing+.
    def initialize(lines, first, last, opened = first, closing = last)
      @lines = lines
      @first = first
      @last = last
      @opened = opened
      @closing = closing
    end

    def start_line = @lines.at(@first)[0]
    def start_column = @lines.at(@first)[1]
    def end_line = @lines.at(@last)[0]
    def end_column = @lines.at(@last)[1]

    def whole = @lines.at(@first) + @lines.at(@last)
    def beginning = @lines.at(@first) + @lines.at(@opened)
    def ending = @lines.at(@closing) + @lines.at(@last)
  end
  private_constant :Place

  # A parser whose nodes know where they stand; what is only loaded does not need that.
  class LocatingParser < Parser # :nodoc:
    def initialize(yaml, filename = nil)
      super
      @lines = Place::Lines.new(text)
    end

    def parse
      stream = super
      stream.place = Place.new(@lines, 0, text.bytesize + 1, 0)
      stream
    end

    private

    def start_document
      skip_blank_lines
      while marker?("...")
        self.position += 3
        skip_blank_lines
      end
      @document_start = position
      super
    end

    def read_document(explicit)
      first = @document_start
      opened = position
      document = super
      enclose(document, first, opened, document.implicit_end ? 0 : 3)
    end

    def properties
      first = position
      found = super
      @properties = first...behind_text
      found
    end

    def key_ahead?
      properties = @properties
      super
    ensure
      @properties = properties
    end

    def empty(anchor = nil, tag = nil, place = position)
      node = super
      node.place = anchor || tag ? Place.new(@lines, @properties.begin, @properties.end) : Place.new(@lines, place, place)
      node
    end

    def read_alias
      first = position
      node = super
      node.place = Place.new(@lines, first, position)
      node
    end

    def plain_key(anchor, tag)
      first = beginning(anchor, tag)
      locate(super, first)
    end

    def plain_scalar(_indent, anchor, tag)
      first = beginning(anchor, tag)
      locate(super, first)
    end

    def block_scalar(_indent, anchor, tag)
      first = beginning(anchor, tag)
      locate(super, first)
    end

    def flow_node(_indent, anchor, tag)
      first = beginning(anchor, tag)
      node = super
      node.place ? node : locate(node, first)
    end

    def block_sequence(indent, anchor, tag)
      first = beginning(anchor, tag)
      # Where the sequence is not indented more than the key it belongs to, it begins with the dash itself.
      opened = column == indent ? position + 1 : position
      enclose(super, first, opened)
    end

    def block_mapping(anchor, tag)
      first = beginning(anchor, tag)
      opened = position
      enclose(super, first, opened)
    end

    def flow_sequence(_indent, anchor, tag)
      first = beginning(anchor, tag)
      opened = position + 1
      enclose(super, first, opened, 1)
    end

    def flow_mapping(_indent, anchor, tag)
      first = beginning(anchor, tag)
      opened = position + 1
      enclose(super, first, opened, 1)
    end

    def single_pair(name, value)
      skip_blank_lines
      enclose(super, name.place.first, name.place.first)
    end

    # A node begins with its properties.
    def beginning(anchor, tag) = anchor || tag ? @properties.begin : position

    def locate(node, first)
      node.place = Place.new(@lines, first, node.style == Nodes::Scalar::PLAIN ? behind_text : position)
      node
    end

    # Behind what was read, without spaces.
    def behind_text
      last = position
      last -= 1 while last > 0 && [0x20, 0x09].include?(text.getbyte(last - 1))
      last
    end

    # The event at the end takes +width+ bytes.
    def enclose(node, first, opened, width = 0)
      last = width == 0 && at_end? ? text.bytesize + 1 : position
      node.place = Place.new(@lines, first, last, opened, last - width)
      node
    end
  end
  private_constant :LocatingParser
end
