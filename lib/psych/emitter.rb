# frozen_string_literal: true

module Psych
  # Writes nodes as text, laid out as libyaml does.
  class Emitter
    UNLIMITED = 1 << 30
    private_constant :UNLIMITED

    def initialize(indentation: 2, line_width: 0)
      @indentation = indentation && indentation.between?(2, 9) ? indentation : 2
      @width = line_width.nil? || line_width == 0 ? 80 : line_width
      @width = UNLIMITED if @width < 0
    end

    def emit(documents)
      @out = +""
      @line_start = 0
      @flow = 0
      @key = false
      documents.each { |document| emit_document(document) }
      @out
    end

    private

    def column = @out.size - @line_start

    def newline(indent = 0)
      @out << "\n"
      @line_start = @out.size
      @out << " " * indent
    end

    def space
      @out << " " unless @out.empty? || @out.end_with?(" ", "\n", "[", "{")
    end

    def emit_document(document)
      version = document.version
      @out << "%YAML #{version.join(".")}\n" unless version.empty?
      @tags = document.tag_directives
      emit_directives unless @tags.empty?
      @line_start = @out.size
      @out << "---" unless document.implicit && version.empty? && @tags.empty?
      emit_node(document.root, 0, :root)
      @out << "\n" unless @out.end_with?("\n")
      @out << "...\n" unless document.implicit_end
    end

    def emit_directives
      raise "tag tuple must be of length 2" unless @tags.all? { |pair| pair.size == 2 }
      @tags.each do |handle, prefix|
        check_directive(handle, prefix)
        @out << "%TAG #{handle} #{uri(prefix)}\n"
      end
    end

    def emit_node(node, indent, context)
      case node
      when Nodes::Alias
        space
        @out << "*" << node.anchor
      when Nodes::Scalar then emit_scalar(node, indent, context)
      when Nodes::Sequence then emit_sequence(node, indent, context)
      when Nodes::Mapping then emit_mapping(node, indent, context)
      end
    end

    def check_directive(handle, prefix)
      raise "tag handle must not be empty" if handle.empty?
      raise "tag handle must start with '!'" unless handle.start_with?("!")
      raise "tag handle must end with '!'" unless handle.end_with?("!")
      raise "tag handle must contain alphanumerical characters only" if handle.delete("!").match?(/[^0-9A-Za-z_-]/)
      raise "tag prefix must not be empty" if prefix.empty?
    end

    def emit_properties(anchor, tag)
      if anchor
        space
        @out << "&" << anchor
      end
      return anchor unless tag
      space
      @out << short_tag(tag)
    end

    def short_tag(tag)
      return tag if tag == "!"
      handle, prefix = @tags.find { |_, start| tag.size > start.size && tag.start_with?(start) } ||
                       SHORT_TAGS.find { |name, start| tag.start_with?(start) && @tags.none? { |other, _| other == name } }
      handle ? handle + uri(tag.delete_prefix(prefix)) : "!<#{uri(tag)}>"
    end

    # Which handle stands for which beginning, unless directives say otherwise.
    SHORT_TAGS = {"!" => "!", "!!" => "tag:yaml.org,2002:"}.freeze
    private_constant :SHORT_TAGS

    # What may not stand in a tag, as "%" and two digits for each byte.
    def uri(text)
      return text if text.match?(%r{\A[-\w;/?:@&=+$,.~*'()\[\]]*\z}) && text.ascii_only?
      text.b.gsub(%r{[^-0-9A-Za-z_;/?:@&=+$,.~*'()\[\]]}n) { |byte| format("%%%02X", byte.ord) }
    end

    # Collections.

    def emit_sequence(node, indent, context)
      has_properties = emit_properties(node.anchor, node.implicit ? nil : node.tag)
      return emit_flow(node, indent, "[", "]") if @flow > 0 || node.style == Nodes::Sequence::FLOW || node.children.empty?
      inner = context == :root || context == :value ? indent : indent + @indentation
      node.children.each_with_index do |child, index|
        begin_entry(inner, index == 0 && context == :entry && !has_properties)
        @out << "-"
        emit_node(child, inner, :entry)
      end
    end

    # The first entry of a collection in a sequence stands beside the dash.
    def begin_entry(indent, beside)
      return newline(indent) unless beside
      @out << " " * [indent - column, 1].max
    end

    def emit_mapping(node, indent, context)
      has_properties = emit_properties(node.anchor, node.implicit ? nil : node.tag)
      return emit_flow(node, indent, "{", "}") if @flow > 0 || node.style == Nodes::Mapping::FLOW || node.children.empty?
      inner = context == :root ? indent : indent + @indentation
      children = node.children
      0.step(children.size - 1, 2) do |index|
        name = children[index]
        value = children[index + 1]
        begin_entry(inner, index == 0 && context == :entry && !has_properties)
        if simple_key?(name)
          emit_key(name, inner)
          emit_node(value, inner, :value)
        else
          @out << "?"
          emit_node(name, inner, :entry)
          newline(inner)
          @out << ":"
          emit_node(value, inner, :entry)
        end
      end
    end

    def emit_key(name, indent)
      @key = true
      @at_key = true
      emit_node(name, indent, :key)
      @out << colon_behind(name)
    ensure
      @key = false
    end

    # A colon right behind an alias might belong to its name.
    def colon_behind(name) = Nodes::Alias === name ? " :" : ":"

    def emit_flow(node, indent, opening, closing)
      space
      @out << opening
      @flow += 1
      if opening == "["
        node.children.each_with_index do |child, index|
          @out << "," if index > 0
          flow_break(indent) if index > 0
          emit_node(child, indent, :flow)
        end
      else
        node.children.each_slice(2).with_index do |(name, value), index|
          @out << "," if index > 0
          flow_break(indent) if index > 0
          emit_node(name, indent, :flow)
          @out << colon_behind(name)
          emit_node(value, indent, :flow_value)
        end
      end
      @flow -= 1
      @out << closing
    end

    def flow_break(indent)
      column > @width ? newline(indent + @indentation) : @out << " "
    end

    # Keys of one line, and not too long.
    def simple_key?(node)
      case node
      when Nodes::Alias then true
      when Nodes::Scalar
        node.value.bytesize + node.anchor.to_s.size + node.tag.to_s.size <= 128 && !node.value.include?("\n")
      else node.children.empty?
      end
    end

    # Scalars.

    # What a text allows, as libyaml's analysis says.
    FLOW_PLAIN = 1
    BLOCK_PLAIN = 2
    SINGLE = 4
    BLOCK = 8
    private_constant :FLOW_PLAIN, :BLOCK_PLAIN, :SINGLE, :BLOCK

    # What no reader shows: it is written as an escape.
    SPECIAL = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/
    private_constant :SPECIAL

    def analyze(text) = analyze_ascii(text) || analyze_beyond_ascii(text)

    def analyze_beyond_ascii(text)
      block_indicators = text.match?(/\A(?:---|\.\.\.)|\A[#,\[\]{}&*!|>'"%@`]|\A[-?:](?=\s|\z)|:(?=\s|\z)|\s#/)
      flow_indicators = block_indicators || text.match?(/\A[?:]|[,?\[\]{}:]/)
      breaks = text.match?(/[\n\u2028\u2029]/)
      edges = text.match?(/\A[ \n]|[ \n]\z/)
      return 0 if text.match?(SPECIAL) || text.match?(/ [\n\u2028\u2029]/)
      break_space = text.match?(/[\n\u2028\u2029] /)
      plain = !breaks && !edges && !break_space
      (plain && !flow_indicators ? FLOW_PLAIN : 0) | (plain && !block_indicators ? BLOCK_PLAIN : 0) |
        (break_space ? 0 : SINGLE) | (text.end_with?(" ") ? 0 : BLOCK)
    end

    def emit_scalar(node, indent, context)
      text = node.value
      text = text.encode(Encoding::UTF_8) unless text.encoding == Encoding::UTF_8 || text.ascii_only?
      analysis = analyze(text)
      style = choose_style(node, text, analysis)
      tag = node.tag
      tag = nil if style == Nodes::Scalar::PLAIN ? node.plain : node.quoted
      tag ||= "!" if !node.quoted && (node.tag ? node.plain : style != Nodes::Scalar::PLAIN) && style != Nodes::Scalar::PLAIN
      tag = "!" if tag && tag == node.tag && node.plain && !node.quoted && style != Nodes::Scalar::PLAIN
      emit_properties(node.anchor, tag)
      indent += @indentation unless context == :root
      write(style, text, context == :root ? @indentation : indent)
    end

    def choose_style(node, text, analysis)
      style = node.style
      style = Nodes::Scalar::PLAIN if style == Nodes::Scalar::ANY
      if style == Nodes::Scalar::PLAIN
        allowed = analysis.anybits?(@flow > 0 ? FLOW_PLAIN : BLOCK_PLAIN)
        allowed &&= !(text.empty? && (@flow > 0 || @key))
        allowed &&= node.plain || !node.tag.nil?
        style = Nodes::Scalar::SINGLE_QUOTED unless allowed
      end
      style = Nodes::Scalar::DOUBLE_QUOTED if style == Nodes::Scalar::SINGLE_QUOTED && analysis.nobits?(SINGLE)
      if style == Nodes::Scalar::LITERAL || style == Nodes::Scalar::FOLDED
        style = Nodes::Scalar::DOUBLE_QUOTED if analysis.nobits?(BLOCK) || @flow > 0 || @key
      end
      @key && text.include?("\n") ? Nodes::Scalar::DOUBLE_QUOTED : style
    end

    def write(style, text, indent)
      case style
      when Nodes::Scalar::PLAIN
        space unless text.empty?
        write_words(text, indent)
      when Nodes::Scalar::SINGLE_QUOTED
        space
        @out << "'"
        write_words(text.gsub("'", "''"), indent)
        @out << " " * indent if text.end_with?("\n")
        @out << "'"
      when Nodes::Scalar::DOUBLE_QUOTED then write_double(text, indent)
      else write_block(style, text, indent)
      end
    end

    # A space beyond the width ends the line, unless it stands beside another one or at an end.
    def write_words(text, indent)
      return @out << text if @key || !text.include?("\n") && column + text.size <= @width
      parts = text.split(/(\n+)/)
      parts.each_with_index do |part, index|
        if part.start_with?("\n")
          # One more, because the first one of a row becomes a space.
          (part.size + 1).times { newline }
          @out << " " * indent if index < parts.size - 1
        else
          write_line(part, indent)
        end
      end
    end

    def write_line(text, indent)
      position = 0
      while (found = text.index(" ", position))
        @out << text[position...found]
        if column > @width && found > 0 && found < text.size - 1 && text[found + 1] != " " && text[found - 1] != " "
          newline(indent)
        else
          @out << " "
        end
        position = found + 1
      end
      @out << text[position..]
    end

    ESCAPES = {
      "\0" => "\\0", "\a" => "\\a", "\b" => "\\b", "\t" => "\\t", "\n" => "\\n", "\v" => "\\v", "\f" => "\\f", "\r" => "\\r",
      "\e" => "\\e", '"' => '\\"', "\\" => "\\\\", "\u0085" => "\\N", "\u00a0" => "\\_", "\u2028" => "\\L", "\u2029" => "\\P"
    }.freeze
    ESCAPED = /[^\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]|["\\]/
    private_constant :ESCAPES, :ESCAPED

    def write_double(text, indent)
      space
      @out << '"'
      spaced = false
      last = text.size - 1
      text.each_char.with_index do |char, index|
        if char == " "
          if !@key && !spaced && column > @width && index > 0 && index < last
            newline(indent)
            @out << "\\" if text[index + 1] == " "
          else
            @out << " "
          end
          spaced = true
        else
          @out << (char.match?(ESCAPED) ? escape(char) : char)
          spaced = false
        end
      end
      @out << '"'
    end

    def escape(char)
      return ESCAPES[char] if ESCAPES.key?(char)
      code = char.ord
      return format("\\x%02X", code) if code <= 0xff
      code <= 0xffff ? format("\\u%04X", code) : format("\\U%08X", code)
    end

    def write_block(style, text, indent)
      space
      @out << (style == Nodes::Scalar::LITERAL ? "|" : ">")
      @out << @indentation.to_s if text.start_with?(" ", "\n")
      @out << (text.end_with?("\n") ? (text == "\n" || text.end_with?("\n\n") ? "+" : "") : "-")
      lines = text.split("\n", -1)
      lines.pop if text.end_with?("\n")
      lines.each_with_index do |line, index|
        line.empty? ? newline : newline(indent)
        style == Nodes::Scalar::FOLDED ? write_folded(line, indent, lines[index + 1]) : @out << line
      end
      newline if text.end_with?("\n\n")
    end

    def write_folded(line, indent, following)
      write_line(line, indent)
      newline if following && !following.empty? && !following.start_with?(" ") && !line.empty? && !line.start_with?(" ")
    end
  end
end
