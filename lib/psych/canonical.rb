# frozen_string_literal: true

module Psych
  # Writes nodes in the one form that says everything: brackets, quotes, tags, an entry a line.
  class CanonicalPrinter < Printer
    private

    def emit_document(document)
      version = document.version
      @out << "%YAML #{version.join(".")}\n" unless version.empty?
      @tags = document.tag_directives
      emit_directives unless @tags.empty?
      @line_start = @out.size
      @out << "---"
      newline
      emit_node(document.root, 0, :root)
      @out << "\n"
      @out << "...\n" unless document.implicit_end
    end

    def emit_sequence(node, indent, _context)
      emit_properties(node.anchor, node.tag)
      enclose("[", "]", node.children, indent) { |child, inner| emit_node(child, inner, :entry) }
    end

    def emit_mapping(node, indent, _context)
      emit_properties(node.anchor, node.tag)
      enclose("{", "}", node.children.each_slice(2), indent) do |(name, value), inner|
        @out << "?"
        emit_node(name, inner, :entry)
        newline(inner)
        @out << ":"
        emit_node(value, inner, :entry)
      end
    end

    # Behind each entry stands a comma.
    def enclose(opening, closing, entries, indent)
      space
      @out << opening
      inner = indent + @indentation
      entries.each do |entry|
        newline(inner)
        yield entry, inner
        @out << ","
      end
      newline(indent) unless entries.none?
      @out << closing
    end

    # The tag of what would be something else without quotes is "!".
    def emit_scalar(node, indent, context)
      text = node.value
      text = text.encode(Encoding::UTF_8) unless text.encoding == Encoding::UTF_8
      emit_properties(node.anchor, node.tag || (node.quoted ? nil : "!"))
      write_double(text, context == :root ? @indentation : indent + @indentation)
    end
  end
  private_constant :CanonicalPrinter
end
