# frozen_string_literal: true

require "prism/visitor"

module Prism
  # A tree as text, a line for each field.
  class InspectVisitor < Visitor
    def self.compose(node)
      visitor = new
      node.accept(visitor)
      visitor.compose
    end

    attr_reader :indent

    def initialize(indent = +"")
      @indent = indent
      @text = +""
    end

    def compose = @text

    NODES.each { |node| define_method(:"visit_#{node.type}") { |node| write(node, @indent, @indent) } }

    private

    # A node whose first line begins with one text, and all others with another one.
    def write(node, first, indent)
      @text << first << "@ " << node.class.name.delete_prefix("Prism::") << " (location: " << range(node.location) << ")\n"
      fields = node.class.__fields
      write_flags(node, indent + (fields.empty? ? "└── " : "├── "))
      fields.each_with_index do |(name, kind), index|
        is_last = index == fields.size - 1
        @text << indent << (is_last ? "└── " : "├── ") << name.name << ":"
        write_field(node.public_send(name), kind, indent + (is_last ? "    " : "│   "))
      end
    end

    def write_flags(node, indent)
      names = []
      names << "newline" if node.newline?
      names << "static_literal" if node.static_literal?
      node.class.__flags&.constants&.sort_by { |flag| node.class.__flags.const_get(flag) }&.each do |flag|
        names << flag.name.downcase if node.public_send(:"#{flag.downcase}?")
      end
      @text << indent << "flags: " << (names.empty? ? "∅" : names.join(", ")) << "\n"
    end

    def write_field(value, kind, indent)
      return @text << " ∅\n" if value.nil?
      case kind
      when "N", "n"
        @text << "\n"
        write(value, indent, indent)
      when "a"
        @text << " (length: #{value.size})\n"
        value.each_with_index do |child, index|
          is_last = index == value.size - 1
          write(child, indent + (is_last ? "└── " : "├── "), indent + (is_last ? "    " : "│   "))
        end
      when "l", "o" then @text << " " << range(value) << " = " << value.slice.inspect << "\n"
      else @text << " " << value.inspect << "\n"
      end
    end

    def range(location) = "(#{location.start_line},#{location.start_column})-(#{location.end_line},#{location.end_column})"
  end
end
