# frozen_string_literal: true

module Psych
  # Writing by events: over a printer that makes a text of nodes.
  Printer = remove_const(:Emitter)
  private_constant :Printer

  # What writes documents as the options say.
  def Printer.for(options)
    printer = options[:canonical] ? CanonicalPrinter : Printer
    printer.new(**options.slice(:indentation, :line_width))
  end

  # Writes a text of events, each document when it is complete.
  class Emitter < Handler
    attr_accessor :canonical, :indentation, :line_width

    def initialize(io, options = nil)
      @io = io
      @canonical = options ? options.canonical : false
      @indentation = options ? options.indentation : 2
      @line_width = options ? options.line_width : 80
      @builder = TreeBuilder.new
    end

    def start_stream(encoding)
      raise TypeError, "wrong argument type #{encoding.class} (expected Integer)" unless Integer === encoding
      @builder.start_stream(encoding)
      self
    end

    def start_document(version, tag_directives, implicit)
      check_document(version, tag_directives)
      directives = tag_directives.map { |handle, prefix| [text(handle), text(prefix)] }
      @builder.start_document(version, directives, implicit ? true : false)
      self
    end

    def end_document(implicit)
      document = @builder.end_document(implicit ? true : false)
      printer = Printer.for({ canonical: @canonical, indentation: @indentation, line_width: @line_width })
      @io.write(printer.emit([document]))
      self
    end

    def end_stream
      @builder.end_stream
      self
    end

    def scalar(value, anchor, tag, plain, quoted, style)
      raise TypeError, "wrong argument type #{value.class} (expected String)" unless String === value
      @builder.scalar(value, optional(anchor), optional(tag), plain, quoted, number(style))
      self
    end

    def start_sequence(anchor, tag, implicit, style)
      @builder.start_sequence(optional(anchor), optional(tag), implicit, number(style))
      self
    end

    def end_sequence
      @builder.end_sequence
      self
    end

    def start_mapping(anchor, tag, implicit, style)
      @builder.start_mapping(optional(anchor), optional(tag), implicit, number(style))
      self
    end

    def end_mapping
      @builder.end_mapping
      self
    end

    def alias(anchor)
      name = optional(anchor)
      unless name.match?(/\A[0-9A-Za-z_-]+\z/)
        raise "alias value must #{name.empty? ? "not be empty" : "contain alphanumerical characters only"}"
      end
      @builder.alias(name)
      self
    end

    private

    def check_document(version, directives)
      raise TypeError, "wrong argument type #{version.class} (expected Array)" unless Array === version
      raise TypeError, "no implicit conversion of nil into Integer" unless version.all?(Integer)
      raise TypeError, "wrong argument type #{directives.class} (expected Array)" unless Array === directives
      directives.each do |pair|
        raise TypeError, "wrong argument type #{pair.class} (expected Array)" unless Array === pair
        raise RuntimeError, "tag tuple must be of length 2" if pair.size < 2
      end
    end

    def text(value)
      found = String.try_convert(value) or raise TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into String"
      found.encode(Encoding::UTF_8)
    end

    def optional(value)
      return if value.nil?
      raise TypeError, "wrong argument type #{value.class} (expected String)" unless String === value
      text(value)
    end

    def number(value)
      Integer === value ? value : raise(TypeError, "no implicit conversion of #{value.class} into Integer")
    end
  end

  # Writes nodes.
  class Visitors::Emitter < Visitors::Visitor
    def initialize(io, options = {})
      super()
      @handler = Psych::Emitter.new(io)
      %i[indentation canonical line_width].each { |name| @handler.public_send(:"#{name}=", options[name]) if options.key?(name) }
    end

    private

    def visit(node) = EventSource.new(@handler).event(node)
  end
end
