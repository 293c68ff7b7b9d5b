# The native parser and generator, and the modules that they fill.
require "json/common"

module JSON
  module Ext
    class Parser
      def initialize(source, opts = nil)
        @source = source
        @config = Config.new(opts)
      end

      def source = @source.dup

      def parse = @config.parse(@source)
    end

    module Generator
      class State
      end

      # Modules with +to_json+ of core classes. JSON.generator= includes them.
      module GeneratorMethods
        %i[Object Hash Array Integer Float String TrueClass FalseClass NilClass].each { |name| const_set(name, Module.new) }
      end

      # A string in UTF-8, for the generator.
      def self.__utf_8(string)
        string.encode(Encoding::UTF_8)
      rescue EncodingError => error
        raise GeneratorError.new(error.message, string)
      end
      private_class_method :__utf_8
    end

    require "json/ext/parser.so"
    Parser::Config = ParserConfig
    JSON.parser = Parser

    require "json/ext/generator.so"
    require "json/ext/generator/state"
    JSON.generator = Generator
  end

  JSON_LOADED = true unless defined?(JSON_LOADED)
end
