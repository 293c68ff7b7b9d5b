# frozen_string_literal: true

# YAML: reads documents into objects and writes objects as documents.
module Psych
  VERSION = "5.3.1".freeze
  LIBYAML_VERSION = "0.2.5".freeze

  class Exception < ::RuntimeError
  end

  class BadAlias < Exception
  end

  class AliasesNotEnabled < BadAlias
    MESSAGE = "Alias parsing was not enabled. " \
              "To enable it, pass `aliases: true` to `Psych::load` or `Psych::safe_load`."
    private_constant :MESSAGE

    def initialize(message = MESSAGE)
      super
    end
  end

  class AnchorNotDefined < BadAlias
    def initialize(name)
      super("An alias referenced an unknown anchor: #{name}")
    end
  end

  class DisallowedClass < Exception
    def initialize(action, name)
      super("Tried to #{action} unspecified class: #{name}")
    end
  end

  # A text that is no YAML.
  class SyntaxError < Exception
    attr_reader :file, :line, :column, :offset, :problem, :context

    def initialize(file, line, column, offset, problem, context)
      @file = file
      @line = line
      @column = column
      @offset = offset
      @problem = problem
      @context = context
      super("(#{file || "<unknown>"}): #{[problem, context].compact.join(" ")} at line #{line} column #{column}")
    end
  end

  require "psych/nodes"
  require "psych/omap"
  require "psych/class_loader"
  require "psych/visitor"
  require "psych/handler"
  require "psych/scalar_scanner"
  require "psych/parser"
  require "psych/coder"
  require "psych/to_ruby"
  require "psych/yaml_tree"
  require "psych/emitter"
  require "psych/core_ext"
  require "psych/scan.so"
  require "psych/events"
  require "psych/canonical"
  require "psych/stream"
  require "psych/json"

  module Handlers
    autoload :DocumentStream, "psych/handlers/document_stream"
  end

  # Programs count on these since the library brought them until Ruby 3.4.
  ::Object.autoload(:StringIO, "stringio") unless defined?(::StringIO)
  ::Object.autoload(:StringScanner, "strscan") unless defined?(::StringScanner)

  # Dates are read and written if there are any.
  ::Object.autoload(:Date, "date") unless defined?(::Date)
  ::Object.autoload(:DateTime, "date") unless defined?(::DateTime)
  # The library that it loads defines the methods in Time itself.
  module DateConversions # :nodoc:
    def to_date = require("date") && to_date
    def to_datetime = require("date") && to_datetime
  end
  private_constant :DateConversions
  ::Time.include(DateConversions) unless ::Time.method_defined?(:to_date)

  # Tags and types of one's own; each Ractor has its own.
  class Config
    attr_accessor :load_tags, :dump_tags, :domain_types

    def initialize
      @load_tags = {}
      @dump_tags = {}
      @domain_types = {}
    end
  end
  private_constant :Config

  @config = Config.new

  class << self
    def config = Ractor.main? ? @config : Ractor.current[:PsychConfig] ||= Config.new

    %i[load_tags dump_tags domain_types].each do |name|
      class_eval("def #{name} = config.#{name}; def #{name}=(value); config.#{name} = value; end", __FILE__, __LINE__)
    end

    def libyaml_version = [0, 2, 5]

    # An object of a class that is allowed: those of JSON, and whatever is named.
    def safe_load(yaml, permitted_classes: [], permitted_symbols: [], aliases: false, filename: nil, fallback: nil,
                  symbolize_names: false, freeze: false, strict_integer: false, parse_symbols: true)
      document = read(yaml, filename) or return fallback
      loader = ClassLoader::Restricted.new(permitted_classes, permitted_symbols)
      reader(loader, aliases, symbolize_names: symbolize_names, freeze: freeze, strict_integer: strict_integer,
                              parse_symbols: parse_symbols).accept(document)
    end

    def load(yaml, permitted_classes: [Symbol], permitted_symbols: [], aliases: false, filename: nil, fallback: nil,
             symbolize_names: false, freeze: false, strict_integer: false, parse_symbols: true)
      safe_load(yaml, filename: filename, fallback: fallback, symbolize_names: symbolize_names, freeze: freeze,
                      permitted_classes: permitted_classes, permitted_symbols: permitted_symbols, aliases: aliases,
                      strict_integer: strict_integer, parse_symbols: parse_symbols)
    end

    # Objects of any class: for texts from people that one trusts.
    def unsafe_load(yaml, filename: nil, fallback: false, **options)
      document = read(yaml, filename) or return fallback
      Visitors::ToRuby.create(**options).accept(document)
    end

    # All documents of a stream.
    def load_stream(yaml, filename: nil, **options)
      found = block_given? ? nil : []
      parse_stream(yaml, filename: filename) do |document|
        object = Visitors::ToRuby.create(**options).accept(document)
        found ? found << object : yield(object)
      end
      found
    end

    def safe_load_stream(yaml, filename: nil, permitted_classes: [], aliases: false)
      found = block_given? ? nil : []
      parse_stream(yaml, filename: filename) do |document|
        object = reader(ClassLoader::Restricted.new(permitted_classes, []), aliases).accept(document)
        found ? found << object : yield(object)
      end
      found
    end

    def load_file(filename, **options) = File.open(filename, "r:bom|utf-8") { |file| load(file, filename: filename, **options) }

    def safe_load_file(filename, **options)
      File.open(filename, "r:bom|utf-8") { |file| safe_load(file, filename: filename, **options) }
    end

    def unsafe_load_file(filename, **options)
      File.open(filename, "r:bom|utf-8") { |file| unsafe_load(file, filename: filename, **options) }
    end

    # The first document's nodes, or false.
    def parse(yaml, filename: nil)
      parse_stream(yaml, filename: filename) { |document| return document }
      false
    end

    # A parser that makes nodes.
    def parser = Parser.new(TreeBuilder.new)

    def parse_file(filename, fallback: false)
      File.open(filename, "r:bom|utf-8") { |file| parse(file, filename: filename) } || fallback
    end

    def parse_stream(yaml, filename: nil, &block)
      reader = Reader.new(yaml, filename)
      return reader.stream unless block
      reader.each_document(places: true) do |document|
        # As those of CRuby, which are given out before they end.
        document.start_line = document.start_column = document.end_line = document.end_column = nil
        yield document
      end
      nil
    end

    # The first document's nodes, which need not know where they stand.
    def read(yaml, filename)
      Reader.new(yaml, filename).each_document { |document| return document }
      false
    end
    private :read

    # A call with keywords alone dumps them, as the hash they are.
    def dump(object, io = nil, options = {})
      io, options = nil, io if Hash === io
      write([object], io, options)
    end

    def dump_stream(*objects) = write(objects, nil, {})

    # Only what `safe_load` reads.
    def safe_dump(object, io = nil, options = {})
      io, options = nil, io if Hash === io
      others = options.except(:permitted_classes, :permitted_symbols, :aliases)
      permitted = [options[:permitted_classes] || [], options[:permitted_symbols] || [], options[:aliases] || false]
      write([object], io, others, Visitors::RestrictedYAMLTree.new(*permitted, **others))
    end

    def to_json(object)
      visitor = Visitors::JSONTree.create
      visitor << object
      visitor.tree.yaml
    end

    # Objects for tags of one's own.

    def add_domain_type(domain, tag, &block)
      key = ["tag", domain, tag].join(":")
      domain_types[key] = domain_types["tag:#{tag}"] = [key, block]
    end

    def add_builtin_type(tag, &block)
      key = "tag:yaml.org,2002:#{tag}"
      domain_types[key] = [key, block]
    end

    def remove_type(tag) = domain_types.delete(tag)

    def add_tag(tag, klass)
      load_tags[tag] = klass.name
      dump_tags[klass] = tag
    end

    private

    def reader(loader, aliases, strict_integer: false, parse_symbols: true, **options)
      kind = aliases ? Visitors::ToRuby : Visitors::NoAliasRuby
      kind.new(ScalarScanner.new(loader, strict_integer: strict_integer, parse_symbols: parse_symbols), loader, **options)
    end

    def write(objects, io, options, tree = Visitors::YAMLTree.create(options))
      if options[:line_width] && options[:line_width] < -1
        raise ArgumentError, "Invalid line_width #{options[:line_width]}, must be non-negative or -1 for unlimited."
      end
      documents = objects.map { |object| tree.document(object) }
      text = Printer.for(options).emit(documents)
      return text unless io
      io.write(text)
      io
    end
  end
end
