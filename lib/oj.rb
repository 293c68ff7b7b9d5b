require "bigdecimal"
require "json"

# What programs reach for in the gem of this name: Oj::StreamWriter, Oj.sc_parse, Oj.load and Oj.dump of JSON types.
module Oj
  VERSION = "3.14.2".freeze

  class Error < StandardError
  end

  class ParseError < Error
  end

  class DepthError < Error
  end

  class LoadError < Error
  end

  # What a handler of .sc_parse may inherit from.
  class ScHandler
  end

  # JSON that is written piece by piece. Options: +indent+, and +mode+ (+:compat+ asks objects for their +to_json+).
  class StreamWriter
    COMPAT = %i[compat rails custom].freeze
    private_constant :COMPAT

    def initialize(io, options = {})
      raise ArgumentError, "expected an IO Object." unless io.respond_to?(:write)
      lends = io.instance_of?(IO) || io.instance_of?(File) || (defined?(StringIO) && io.instance_of?(StringIO))
      __set_up(io, options[:indent] || 0, lends && !io.singleton_methods.include?(:write), COMPAT.include?(options[:mode]))
      @io = io
    end

    def flush
      @io.flush if @io.respond_to?(:flush)
      nil
    end
  end

  require "oj.so"

  class << self
    # Tells a handler (hash_start, hash_end, hash_key, hash_set, array_start, array_end, array_append, add_value: those that it
    # has) what a text or a stream holds, which may be several documents. The last container of them is returned.
    # +bigdecimal_load+ (+:auto+) makes decimals of more digits than a float has.
    def sc_parse(handler, io, options = nil, &block)
      decimal = method(:BigDecimal) unless options && %i[float fast ruby].include?(options[:bigdecimal_load])
      text = String.try_convert(io)
      __sc_parse(handler, text, text ? nil : reader(io), decimal, &block)
    end

    # The value of a JSON text. Options: +symbol_keys+.
    def load(json, options = nil)
      json = json.read if !json.is_a?(String) && json.respond_to?(:read)
      symbols = options && (options[:symbol_keys] || options[:symbolize_names])
      ::JSON.parse(json, allow_nan: true, max_nesting: false, symbolize_names: symbols, allow_duplicate_key: true)
    rescue ::JSON::ParserError => error
      raise ParseError, error.message
    end
    alias safe_load load
    alias strict_load load
    alias compat_load load

    # The JSON text of an object, which is asked for its +to_json+.
    def dump(object, options = nil)
      indent = options && options[:indent] || 0
      return ::JSON.generate(object, allow_nan: true, max_nesting: false) if indent.zero?
      ::JSON.generate(object, allow_nan: true, max_nesting: false, indent: " " * indent, object_nl: "\n", array_nl: "\n")
    end

    private

    def reader(io)
      return io.method(:read) unless io.respond_to?(:readpartial) && !(defined?(StringIO) && StringIO === io)
      lambda do |size|
        io.readpartial(size)
      rescue EOFError
        nil
      end
    end
  end

  private_class_method :__sc_parse

  # JSON as ActiveSupport would write it: objects are asked for their +as_json+.
  module Rails
    def self.encode(object, options = nil)
      object = options ? object.as_json(options) : object.as_json if object.respond_to?(:as_json)
      Oj.dump(object)
    end
  end
end
