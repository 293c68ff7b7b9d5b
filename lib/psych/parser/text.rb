# frozen_string_literal: true

module Psych
  # Scalars without quotes.
  class Parser
    private

    def plain_scalar(indent, anchor, tag)
      case byte
      when 0x25, 0x40, 0x60, 0x2c, 0x5d, 0x7d
        unless [0x40, 0x60, 0x25].include?(byte)
          fail_at("did not find expected node content", "while parsing a block node")
        end
        fail_at("found character that cannot start any token", "while scanning for the next token")
      end
      Nodes::Scalar.new(plain_lines(indent, false), anchor, tag, tag.nil?, false, Nodes::Scalar::PLAIN)
    end

    def plain_lines(indent, flow)
      text = plain_line(flow)
      while true
        position = self.position
        line_start = self.line_start
        skip_spaces
        breaks = 0
        while byte == 10 || byte == 13
          byte == 13 ? self.position += 1 : (newline; breaks += 1)
          skip_spaces
        end
        if breaks == 0 || !continues?(indent, flow)
          self.position = position
          self.line_start = line_start
          return text
        end
        text << (breaks == 1 ? " " : "\n" * (breaks - 1)) << plain_line(flow)
      end
    end

    def continues?(indent, flow)
      return false if document_ends? || byte == 0x23
      return false if flow && (flow_end?(byte) || byte == 0x3a && flow_end?(byte(1)))
      flow || column > indent && !colon?
    end

    # "|" keeps lines, ">" folds them; "+" and "-" say what becomes of the last ends of lines.
    def block_scalar(indent, anchor, tag)
      folded = byte == 0x3e
      header = self.text.byteslice(self.position + 1..)[/\A[-+0-9]*/]
      self.position += 1 + header.size
      skip_spaces
      fail_at("did not find expected comment or line break", "while scanning a block scalar") unless blank?(byte) || byte == 0x23
      self.position = self.text.byteindex("\n", self.position) || self.text.bytesize
      newline unless at_end?
      lines = block_lines(indent, header[/[1-9]/]&.to_i)
      trailing = 0
      trailing += 1 while lines.size > trailing && lines[-1 - trailing].empty?
      lines.pop(trailing)
      text = folded ? fold(lines) : lines.join("\n")
      text << ending(header, text, trailing) if trailing > 0 || self.text.getbyte(self.position - 1) == 10
      style = folded ? Nodes::Scalar::FOLDED : Nodes::Scalar::LITERAL
      Nodes::Scalar.new(text, anchor, tag, false, tag.nil?, style)
    end

    def ending(header, text, trailing)
      return "" if header.include?("-")
      last = text.empty? ? "" : "\n"
      header.include?("+") ? last + "\n" * trailing : last
    end

    # The lines without their indentation, which the first one with a text determines.
    def block_lines(indent, given)
      width = given && [indent, 0].max + given
      lines = []
      until at_end?
        stop = self.text.byteindex("\n", self.position) || self.text.bytesize
        line = self.text.byteslice(self.position...stop).delete_suffix("\r")
        spaces = line[/\A */].size
        if spaces == line.size && (width.nil? || spaces <= width)
          lines << ""
        else
          width ||= [spaces, indent + 1].max
          break if spaces < width || width == 0 && document_ends?
          lines << line[width..]
        end
        self.position = stop
        at_end? ? break : newline
      end
      lines
    end

    # Lines become one with spaces in between, unless they are indented further.
    def fold(lines)
      text = +""
      breaks = 0
      before = nil
      lines.each do |line|
        next breaks += 1 if line.empty?
        indented = line.start_with?(" ", "\t")
        if before.nil? then text << "\n" * breaks
        elsif indented || before == :indented then text << "\n" * (breaks + 1)
        else text << (breaks == 0 ? " " : "\n" * breaks)
        end
        text << line
        before = indented ? :indented : :plain
        breaks = 0
      end
      text
    end
  end
end
