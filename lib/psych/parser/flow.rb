# frozen_string_literal: true

module Psych
  # What brackets and quotes hold together.
  class Parser
    private

    def flow_node(indent, anchor, tag)
      deeper do
        case byte
        when 0x5b then flow_sequence(indent, anchor, tag)
        when 0x7b then flow_mapping(indent, anchor, tag)
        when 0x22 then Nodes::Scalar.new(double_quoted, anchor, tag, false, tag.nil?, Nodes::Scalar::DOUBLE_QUOTED)
        when 0x27 then Nodes::Scalar.new(single_quoted, anchor, tag, false, tag.nil?, Nodes::Scalar::SINGLE_QUOTED)
        when 0x2a then read_alias
        when 0x2c, 0x5d, 0x7d, nil then empty(anchor, tag)
        else flow_plain(indent, anchor, tag)
        end
      end
    end

    def flow_plain(indent, anchor, tag)
      return empty(anchor, tag) if byte == 0x3a && flow_end?(byte(1))
      if [0x25, 0x40, 0x60, 0x7c, 0x3e].include?(byte) || byte == 0x2d && flow_end?(byte(1))
        fail_at("did not find expected node content", "while parsing a flow node")
      end
      Nodes::Scalar.new(plain_lines(indent, true), anchor, tag, tag.nil?, false, Nodes::Scalar::PLAIN)
    end

    def flow_end?(byte) = blank?(byte) || byte == 0x2c || byte == 0x5d || byte == 0x7d || byte == 0x5b || byte == 0x7b

    # Where a comma may be followed by nothing.
    def each_flow_entry(closing, what)
      start = self.position
      self.position += 1
      loop do
        skip_blank_lines
        fail_at("did not find expected ',' or '#{closing.chr}'", "while parsing a flow #{what}", start) if at_end?
        break if byte == closing
        fail_at("did not find expected node content", "while parsing a flow node") if byte == 0x2c
        yield
        skip_blank_lines
        next self.position += 1 if byte == 0x2c
        fail_at("did not find expected ',' or '#{closing.chr}'", "while parsing a flow #{what}", start) unless byte == closing
      end
      self.position += 1
    end

    def flow_sequence(indent, anchor, tag)
      node = Nodes::Sequence.new(anchor, tag, tag.nil?, Nodes::Sequence::FLOW)
      each_flow_entry(0x5d, "sequence") do
        entry, value = flow_pair(indent)
        next node.children << entry unless value
        node.children << single_pair(entry, value)
      end
      node
    end

    # A pair in brackets is a mapping.
    def single_pair(name, value)
      node = Nodes::Mapping.new(nil, nil, true, Nodes::Mapping::FLOW)
      node.children.push(name, value)
      node
    end

    def flow_mapping(indent, anchor, tag)
      node = Nodes::Mapping.new(anchor, tag, tag.nil?, Nodes::Mapping::FLOW)
      each_flow_entry(0x7d, "mapping") do
        entry, value = flow_pair(indent)
        node.children.push(entry, value || empty)
      end
      node
    end

    # A node, and the value behind a colon.
    def flow_pair(indent)
      explicit = question?
      if explicit
        self.position += 1
        skip_blank_lines
      end
      quoted = byte == 0x22 || byte == 0x27 || byte == 0x5b || byte == 0x7b
      key = flow_entry(indent)
      skip_blank_lines
      # Behind quotes and brackets the colon needs no space.
      return explicit ? [key, empty] : [key, nil] unless byte == 0x3a && (quoted || flow_end?(byte(1)))
      self.position += 1
      skip_blank_lines
      [key, flow_entry(indent)]
    end

    def flow_entry(indent)
      anchor, tag = properties
      skip_blank_lines if anchor || tag
      flow_node(indent, anchor, tag)
    end

    ESCAPES = {
      "0" => "\0", "a" => "\a", "b" => "\b", "t" => "\t", "\t" => "\t", "n" => "\n", "v" => "\v", "f" => "\f", "r" => "\r",
      "e" => "\e", " " => " ", '"' => '"', "/" => "/", "\\" => "\\", "N" => "\u0085", "_" => "\u00a0", "L" => "\u2028",
      "P" => "\u2029"
    }.freeze
    HEX_DIGITS = {"x" => 2, "u" => 4, "U" => 8}.freeze
    private_constant :ESCAPES, :HEX_DIGITS

    def double_quoted
      text = +""
      start = self.position
      self.position += 1
      loop do
        stop = self.text.byteindex(/["\\\n]/, self.position) or unfinished_quotes(start)
        text << self.text.byteslice(self.position...stop)
        self.position = stop
        case byte
        when 0x22
          self.position += 1
          return text
        when 0x5c then escape(text, start)
        else fold_line(text)
        end
      end
    end

    def escape(text, start)
      letter = self.text.byteslice(self.position + 1, 1)
      if letter == "\n" || letter == "\r"
        self.position += letter == "\r" ? 2 : 1
        newline
        skip_spaces
      elsif (width = HEX_DIGITS[letter])
        digits = self.text.byteslice(self.position + 2, width)
        unless digits.match?(/\A\h{#{width}}\z/)
          fail_at("did not find expected hexdecimal number", "while parsing a quoted scalar", start)
        end
        text << digits.hex
        self.position += 2 + width
      else
        text << (ESCAPES[letter] || fail_at("found unknown escape character", "while parsing a quoted scalar", start))
        self.position += 2
      end
    end

    def single_quoted
      text = +""
      start = self.position
      self.position += 1
      loop do
        stop = self.text.byteindex(/['\n]/, self.position) or unfinished_quotes(start)
        text << self.text.byteslice(self.position...stop)
        self.position = stop
        if byte == 10 then fold_line(text)
        elsif byte(1) == 0x27
          text << "'"
          self.position += 2
        else
          self.position += 1
          return text
        end
      end
    end

    def unfinished_quotes(start)
      fail_at("found unexpected end of stream", "while scanning a quoted scalar", start)
    end

    # The end of a line within quotes is a space; empty lines are ends of lines.
    def fold_line(text)
      text.sub!(/[ \t\r]+\z/, "")
      breaks = 0
      while byte == 10 || byte == 13
        byte == 13 ? self.position += 1 : (newline; breaks += 1)
        fail_at("found unexpected document indicator", "while scanning a quoted scalar") if marker?("---") || marker?("...")
        skip_spaces
      end
      text << (breaks == 1 ? " " : "\n" * (breaks - 1))
    end
  end
end
