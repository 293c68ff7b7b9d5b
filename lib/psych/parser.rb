# frozen_string_literal: true

module Psych
  # Reads YAML 1.1 into nodes.
  #
  # One position goes through the text, byte by byte (that and what stands there are native); block collections are found by the columns of their first keys and
  # dashes. `parser/block.rb` reads what indentation holds together, `parser/flow.rb` what brackets and quotes do, and
  # `parser/text.rb` scalars of several lines.
  class Parser
    def initialize(yaml, filename = nil)
      yaml = streamed(yaml.read) if yaml.respond_to?(:read)
      text = String.try_convert(yaml)
      raise TypeError, "no implicit conversion of #{yaml.nil? ? "nil" : yaml.class} into String" unless text
      self.text = utf8(text)
      @filename = filename
      self.position = 0
      self.line_start = 0
      @depth = 0
    end

    def parse
      stream = Nodes::Stream.new
      self.position = self.line_start = 3 if self.text.byteslice(0, 3) == "\u{FEFF}"
      loop do
        explicit = start_document
        break if !explicit && at_end?
        stream.children << (document = read_document(explicit))
        transcode(document) if Encoding.default_internal
        yield document if block_given?
      end
      stream
    end

    private

    # Texts are the program's.
    def transcode(document)
      internal = Encoding.default_internal
      return if internal == Encoding::UTF_8
      document.each do |node|
        node.anchor = node.anchor&.encode(internal)
        node.tag = node.tag&.encode(internal)
        node.value = node.value.encode(internal) if node.scalar?
      end
    end

    # What is read is bytes of UTF-8 or UTF-16, whatever encoding a stream says that it has.
    def streamed(text)
      return text unless String === text
      [Encoding::UTF_16LE, Encoding::UTF_16BE].include?(text.encoding) ? text : text.b
    end

    DEEPEST = 10_000
    private_constant :DEEPEST

    def utf8(text)
      return text.encode(Encoding::UTF_8) unless [Encoding::UTF_8, Encoding::US_ASCII, Encoding::BINARY].include?(text.encoding)
      text = text.dup.force_encoding(Encoding::UTF_8) if text.encoding != Encoding::UTF_8
      return text if text.valid_encoding?
      raise SyntaxError.new(@filename, 1, 1, 0, "invalid leading UTF-8 octet", nil)
    end

    # Directives and "---". Says whether a document was announced.
    def start_document
      @tags = {"!" => "!", "!!" => "tag:yaml.org,2002:"}
      @version = []
      @directives = []
      loop do
        skip_blank_lines
        if byte == 0x25 && column == 0 then read_directive
        elsif marker?("...") then self.position += 3
        else break
        end
      end
      return false unless marker?("---")
      self.position += 3
      true
    end

    def read_directive
      stop = self.text.byteindex("\n", self.position) || self.text.bytesize
      name, handle, prefix = self.text.byteslice(self.position...stop).split(/\s+/)
      if name == "%TAG"
        @tags[handle] = prefix
        @directives << [handle, prefix]
      elsif name == "%YAML" && handle
        @version = handle.split(".").map(&:to_i)
      end
      fail_at("found unknown directive name", "while scanning a directive") unless name == "%TAG" || name == "%YAML"
      self.position = stop
    end

    def read_document(explicit)
      @anchors = {}
      document = Nodes::Document.new(@version, @directives, !explicit)
      document.children << block_node(-1, inline: true, compact: !explicit || at_line_start?)
      skip_blank_lines
      unless document_ends?
        fail_at("did not find expected <document start>")
      end
      if marker?("...")
        document.implicit_end = false
        self.position += 3
      end
      document
    end

    def at_line_start? = column == 0

    # A mistake, here or where the node began in which it was found.
    def fail_at(problem, context = nil, position = self.position)
      before = self.text.byteslice(0, position)
      column = position - (before.rindex("\n") ? before.byterindex("\n") + 1 : 0)
      raise SyntaxError.new(@filename, before.count("\n") + 1, column + 1, position, problem, context)
    end

    def deeper
      @depth += 1
      fail_at("exceeded maximum depth") if @depth > DEEPEST
      yield
    ensure
      @depth -= 1
    end

    # Anchor and tag in front of a node, in any order.
    def properties
      anchor = tag = nil
      while true
        case byte
        when 0x26
          self.position += 1
          anchor = name_of("anchor")
        when 0x21 then tag = read_tag
        else break
        end
        skip_spaces
      end
      [anchor, tag]
    end

    # The name of an anchor or alias, behind its mark.
    def name_of(kind)
      match = self.text.byteslice(self.position..)[/\A[0-9A-Za-z_-]+(?=[\s?:,\]}%@`]|\z)/]
      unless match
        self.position -= 1
        fail_at("did not find expected alphabetic or numeric character", "while scanning an #{kind}")
      end
      self.position += match.bytesize
      match
    end

    def read_tag
      rest = self.text.byteslice(self.position..)
      if (match = rest[/\A!<[^>]*>/])
        self.position += match.bytesize
        return match[2..-2]
      end
      match = rest[/\A![^\s,\[\]{}]*/]
      self.position += match.bytesize
      full_tag(match)
    end

    def full_tag(tag)
      handle = tag[/\A!\w*!/] || "!"
      prefix = @tags[handle] or fail_at("found undefined tag handle", "while parsing a node")
      name = tag[handle.size..]
      name.empty? && handle == "!" ? "!" : prefix + name.gsub(/%(\h\h)/) { $1.hex.chr }
    end

    # Nothing, which stands at a place.
    def empty(anchor = nil, tag = nil, _place = nil) = Nodes::Scalar.new(+"", anchor, tag, tag.nil?, false, Nodes::Scalar::PLAIN)

    def read_alias
      self.position += 1
      Nodes::Alias.new(name_of("alias"))
    end
  end
end

require "psych/parser/block"
require "psych/parser/flow"
require "psych/parser/text"
require "psych/locating"
