# frozen_string_literal: true

module Psych
  # What indentation holds together.
  class Parser
    private

    # A node that is indented more than +indent+. +inline+: it may begin on this line; +compact+: as a collection too.
    # A sequence that is a mapping's value may be indented like the key.
    def block_node(indent, inline: true, compact: false, sequence: false)
      origin = position
      skip_spaces
      anchor = tag = nil
      begin_position = self.position
      anchor, tag = properties if property?
      moved = skip_blank_lines
      moved ||= column == 0
      check_indentation if moved
      unless inside?(indent, sequence) || (!moved && !at_end?)
        return empty(anchor, tag, origin)
      end
      if moved && (anchor || tag) && begin_position < self.line_start
        return block_content(indent, anchor, tag, true)
      end
      if moved || compact
        # Properties in front of a key are the key's.
        return with_key_properties(begin_position, anchor, tag) { block_mapping(nil, nil) } if (anchor || tag) && key_ahead?
        unless anchor || tag
          more = properties_of_collection(indent)
          return more if more
        end
      end
      block_content(indent, anchor, tag, moved || compact)
    end

    # Tabs have no width that everybody agrees about.
    def check_indentation
      return if self.position == self.line_start || at_end?
      tab = self.text.byteslice(self.line_start...self.position).byteindex("\t")
      fail_at("found character that cannot start any token", "while scanning for the next token", self.line_start + tab) if tab
    end

    def inside?(indent, sequence)
      return false if document_ends?
      column > indent || sequence && column == indent && dash?
    end

    def with_key_properties(position, _anchor, _tag)
      self.position = position
      yield
    end

    # On a line of their own, properties belong to what follows.
    def properties_of_collection(indent)
      return unless property?
      position = self.position
      line_start = self.line_start
      anchor, tag = properties
      if skip_blank_lines
        return inside?(indent, false) ? block_content(indent, anchor, tag, true) : empty(anchor, tag)
      end
      return block_content(indent, anchor, tag, false) unless key_ahead?
      self.position = position
      self.line_start = line_start
      block_mapping(nil, nil)
    end

    def block_content(indent, anchor, tag, collection)
      deeper do
        if dash?
          fail_at("block sequence entries are not allowed in this context") unless collection
          next block_sequence(indent, anchor, tag)
        end
        fail_at("mapping keys are not allowed in this context") if question? && !collection
        next block_mapping(anchor, tag) if collection && (question? || key_ahead?)
        case byte
        when nil then empty(anchor, tag)
        when 0x7c, 0x3e then block_scalar(indent, anchor, tag)
        when 0x2a then read_alias
        when 0x5b, 0x7b, 0x22, 0x27 then flow_node(indent, anchor, tag).tap { check_end_of_line }
        else plain_scalar(indent, anchor, tag).tap { check_end_of_line }
        end
      end
    end

    # Behind a value the line must end; a second key on it is a common mistake.
    def check_end_of_line
      skip_spaces
      return if at_end? || byte == 10 || byte == 13 || byte == 0x23
      fail_at("mapping values are not allowed in this context") if colon?
      fail_at("did not find expected key", "while parsing a block mapping", @mapping_start || self.position)
    end

    def block_sequence(indent, anchor, tag)
      start = self.position
      node = Nodes::Sequence.new(anchor, tag, tag.nil?, Nodes::Sequence::BLOCK)
      first = column
      while column == first && dash?
        self.position += 1
        node.children << block_node(first, compact: true)
        skip_blank_lines
        break if document_ends?
      end
      return node if document_ends? || column < first || column == first && first == indent
      fail_at("did not find expected '-' indicator", "while parsing a block collection", start)
      node
    end

    def block_mapping(anchor, tag)
      node = Nodes::Mapping.new(anchor, tag, tag.nil?, Nodes::Mapping::BLOCK)
      first = column
      start = self.position
      while true
        @mapping_start = start
        question? ? explicit_pair(node, first) : implicit_pair(node, first)
        skip_blank_lines
        break if document_ends? || column < first
        break if dash?
        unless column == first && (question? || key_ahead?)
          fail_at("could not find expected ':'", "while scanning a simple key") if column == first
          fail_at("did not find expected key", "while parsing a block mapping")
        end
      end
      node
    end

    def explicit_pair(node, first)
      self.position += 1
      node.children << block_node(first, compact: true, sequence: true)
      skip_blank_lines
      if column == first && colon?
        self.position += 1
        node.children << block_node(first, compact: true, sequence: true)
      else
        node.children << empty
      end
    end

    def implicit_pair(node, first)
      node.children << key
      skip_spaces
      self.position += 1
      node.children << block_node(first, sequence: true)
    end

    # A key on one line.
    def key
      anchor, tag = properties if property?
      case byte
      when 0x2a then read_alias
      when 0x5b, 0x7b, 0x22, 0x27 then flow_node(-1, anchor, tag)
      when 0x3a then blank?(byte(1)) ? empty(anchor, tag) : plain_key(anchor, tag)
      else plain_key(anchor, tag)
      end
    end

    def plain_key(anchor, tag)
      text = plain_line(false)
      Nodes::Scalar.new(text, anchor, tag, tag.nil?, false, Nodes::Scalar::PLAIN)
    end

    # Whether a key with its colon stands here.
    def key_ahead?
      case byte
      when nil, 0x7c, 0x3e, 10 then return false
      when 0x2a, 0x5b, 0x7b, 0x22, 0x27, 0x26, 0x21 then nil
      else return plain_key_ahead?
      end
      position = self.position
      line_start = self.line_start
      begin
        key
        skip_spaces
        colon? && self.line_start == line_start
      rescue SyntaxError
        false
      ensure
        self.position = position
        self.line_start = line_start
      end
    end
  end
end
