require "json/version"

module JSON
  autoload :GenericObject, "json/generic_object"

  NaN = Float::NAN
  Infinity = Float::INFINITY
  MinusInfinity = -Infinity

  class JSONError < StandardError
  end

  class ParserError < JSONError
    attr_reader :line, :column
  end

  class NestingError < ParserError
  end

  class GeneratorError < JSONError
    attr_reader :invalid_object

    def initialize(message, invalid_object = nil)
      super(message)
      @invalid_object = invalid_object
    end

    def detailed_message(...)
      @invalid_object.nil? ? super : "#{super}\nInvalid object: #{@invalid_object.inspect}"
    end
  end

  # JSON that is written as it stands.
  Fragment = Struct.new(:json) do
    def initialize(json)
      string = String.try_convert(json) or raise TypeError, " no implicit conversion of #{json.class} into String"
      super(string)
    end

    def to_json(state = nil, *) = json
  end

  # What the native parser does not know of becomes a proc that every value goes through.
  module ParserOptions # :nodoc:
    class << self
      def prepare(opts)
        if opts[:object_class] || opts[:array_class]
          on_load = opts[:on_load]
          on_load = into_class(Hash, opts[:object_class], on_load) { |object, (key, value)| object[key] = value } if opts[:object_class]
          on_load = into_class(Array, opts[:array_class], on_load) { |array, value| array << value } if opts[:array_class]
          opts = opts.merge(on_load: on_load)
        end
        opts.fetch(:create_additions, false) == false ? opts : with_additions(opts)
      end

      private

      def into_class(core_class, wanted, on_load, &add)
        lambda do |value|
          if core_class === value
            made = wanted.new
            value.each { |element| add.call(made, element) }
            value = made
          end
          on_load ? on_load.call(value) : value
        end
      end

      def with_additions(opts)
        if opts[:symbolize_names]
          raise ArgumentError, "options :symbolize_names and :create_additions cannot be  used in conjunction"
        end
        on_load = opts[:on_load]
        object_class = opts[:object_class] || Hash
        is_implicit = opts[:create_additions].nil?
        created = lambda do |value|
          value =
            case value
            when String then of_string(value, opts[:match_string], is_implicit)
            when object_class then of_object(value, is_implicit)
            else value
            end
          on_load ? on_load.call(value) : value
        end
        opts.merge(on_load: created)
      end

      def of_string(string, patterns, is_implicit)
        _, klass = patterns&.find { |pattern, _| pattern.match(string) }
        return string unless klass
        warn_of_additions if is_implicit
        klass.json_create(string)
      end

      def of_object(object, is_implicit)
        path = object[JSON.create_id] or return object
        begin
          klass = Object.const_get(path)
        rescue NameError => error
          raise ArgumentError, "can't get const #{path}: #{error}"
        end
        is_creatable = klass.respond_to?(:json_creatable?) ? klass.json_creatable? : klass.respond_to?(:json_create)
        return object unless is_creatable
        warn_of_additions if is_implicit
        klass.json_create(object)
      end

      def warn_of_additions
        JSON.deprecation_warning(
          "JSON.load implicit support for `create_additions: true` is deprecated and will be removed in 3.0, " \
          "use JSON.unsafe_load or explicitly pass `create_additions: true`"
        )
      end
    end
  end

  PARSE_L_OPTIONS = {max_nesting: false, allow_nan: true}.freeze
  PRETTY_GENERATE_OPTIONS = Ractor.make_shareable({indent: "  ", space: " ", object_nl: "\n", array_nl: "\n"})
  private_constant :PARSE_L_OPTIONS, :PRETTY_GENERATE_OPTIONS

  class << self
    attr_reader :parser, :generator
    attr_accessor :state

    # Parses a string, writes anything else.
    def [](object, opts = nil)
      string = String.try_convert(object)
      string ? parse(string, opts) : generate(object, opts)
    end

    def parser=(parser) # :nodoc:
      @parser = parser
      remove_const :Parser if const_defined?(:Parser, false)
      const_set :Parser, parser
    end

    def generator=(generator) # :nodoc:
      @generator = generator
      generator::GeneratorMethods.constants.each do |name|
        klass = const_get(name)
        klass.remove_method(:to_json) if klass.method_defined?(:to_json, false)
        klass.include(generator::GeneratorMethods.const_get(name))
      end
      self.state = generator::State
      remove_const :State if const_defined?(:State, false)
      const_set :State, state
    end

    # The key under which additions find their class.
    def create_id = Thread.current[:"JSON.create_id"] || "json_class"

    def create_id=(id)
      Thread.current[:"JSON.create_id"] = id.dup.freeze
    end

    # Warns whoever called the library.
    def deprecation_warning(message, _uplevel = nil) # :nodoc:
      return unless Warning[:deprecated]
      outside = caller_locations(1).index { |frame| !frame.path.start_with?(__dir__) && frame.path != "#{__dir__}.rb" }
      warn(message, uplevel: (outside || 0) + 1, category: :deprecated)
    end

    private

    def on_mixed_keys_hash(hash, raises)
      seen = {}
      hash.each_key do |key|
        name = key.to_s
        if seen[name]
          message = "detected duplicate key #{name.inspect} in #{hash.inspect}"
          raise GeneratorError, message if raises
          deprecation_warning("#{message}.\nThis will raise an error in json 3.0 unless enabled via `allow_duplicate_key: true`")
        end
        seen[name] = true
      end
    end

    def deprecated_method(old, new = "JSON.#{__callee__}")
      deprecation_warning("#{old} is deprecated and will be removed in json 3.0.0#{", just use #{new}" if new}")
    end

    # Options that programs could set for all calls.
    def deprecated_options(name, value)
      instance_variable_set("@#{name}", value)
      singleton_class.alias_method("_#{name}", singleton_class.attr_reader(name).first)
      define_singleton_method(name) do
        deprecated_method("JSON.#{name}", nil)
        instance_variable_get("@#{name}")
      end
      define_singleton_method("#{name}=") do |options|
        deprecated_method("JSON.#{name}=", nil)
        instance_variable_set("@#{name}", options)
      end
    end

    def const_missing(name)
      return super unless name == :PRETTY_STATE_PROTOTYPE
      deprecated_method("JSON::PRETTY_STATE_PROTOTYPE", "JSON.pretty_generate")
      state.new(PRETTY_GENERATE_OPTIONS)
    end

    def load_with(defaults, source, proc, options)
      options, proc = proc, nil if options.nil? && proc.is_a?(Hash)
      opts = options ? defaults.merge(options) : defaults
      source = readable(source)
      source = "null" if opts[:allow_blank] && (source.nil? || source.empty?)
      opts = opts.merge(on_load: proc.to_proc) if proc
      parse(source, opts)
    end

    def readable(source)
      if source.is_a?(String)
        source
      elsif source.respond_to?(:to_str)
        source.to_str
      elsif source.respond_to?(:to_io)
        source.to_io.read
      elsif source.respond_to?(:read)
        source.read
      else
        source
      end
    end
  end

  deprecated_options :unsafe_load_default_options, {max_nesting: false, allow_nan: true, allow_blank: true, create_additions: true}
  deprecated_options :load_default_options, {allow_nan: true, allow_blank: true, create_additions: nil}
  deprecated_options :dump_default_options, {max_nesting: false, allow_nan: true}

  module_function

  # The value of a JSON text. Options: +max_nesting+ (100), +allow_nan+, +allow_trailing_comma+, +allow_duplicate_key+,
  # +symbolize_names+, +freeze+, +decimal_class+, +object_class+, +array_class+, +create_additions+, +match_string+, +on_load+.
  def parse(source, opts = nil)
    opts = ParserOptions.prepare(opts) unless opts.nil?
    Parser.parse(source, opts)
  end

  # As #parse, without a limit of nesting and with NaN.
  def parse!(source, opts = nil) = parse(source, opts ? PARSE_L_OPTIONS.merge(opts) : PARSE_L_OPTIONS)

  def load_file(path, opts = nil) = parse(File.read(path, encoding: Encoding::UTF_8), opts)

  def load_file!(path, opts = nil) = parse!(File.read(path, encoding: Encoding::UTF_8), opts)

  # The JSON text of an object. Options: see JSON::State#configure.
  def generate(obj, opts = nil) = State === opts ? opts.generate(obj) : State.generate(obj, opts, nil)

  # As #generate, laid out in lines.
  def pretty_generate(obj, opts = nil)
    return opts.generate(obj) if State === opts
    return State.generate(obj, PRETTY_GENERATE_OPTIONS, nil) unless opts
    State.generate(obj, PRETTY_GENERATE_OPTIONS.merge(State.options_of(opts)), nil)
  end

  # The value of what a string or a stream holds; +proc+ is given every value.
  def load(source, proc = nil, options = nil) = JSON.__send__(:load_with, JSON._load_default_options, source, proc, options)

  # As #load, with objects of the classes that the text names.
  def unsafe_load(source, proc = nil, options = nil)
    JSON.__send__(:load_with, JSON._unsafe_load_default_options, source, proc, options)
  end

  # Writes an object to a stream, or returns its text.
  def dump(obj, io = nil, limit = nil, options = nil)
    if options.nil?
      if limit.nil?
        io, options = nil, io if io.is_a?(Hash)
      elsif limit.is_a?(Hash)
        limit, options = nil, limit
      end
    end
    if io.respond_to?(:to_io)
      io = io.to_io
    elsif limit.nil? && !io.respond_to?(:write)
      io, limit = nil, io
    end
    opts = JSON._dump_default_options
    opts = opts.merge(max_nesting: limit) if limit
    opts = opts.merge(options) if options
    begin
      State.generate(obj, opts, io)
    rescue NestingError
      raise ArgumentError, "exceed depth limit"
    end
  end

  {fast_generate: :generate, unparse: :generate, fast_unparse: :generate, pretty_unparse: :pretty_generate, restore: :load}.each do |old, new|
    define_method(old) do |*args, **opts|
      JSON.__send__(:deprecated_method, "JSON.#{old}", "JSON.#{new}")
      opts.empty? ? JSON.__send__(new, *args) : JSON.__send__(new, *args, opts)
    end
    module_function old
  end

  # One configuration for many texts. The block makes what JSON has out of what it has not.
  class Coder
    def initialize(options = nil, &as_json)
      options = options ? options.merge(strict: true) : {strict: true}
      options[:as_json] = as_json if as_json
      @state = State.new(options).freeze
      @parser_config = Ext::Parser::Config.new(ParserOptions.prepare(options)).freeze
    end

    def dump(object, io = nil) = @state.generate(object, io)
    alias generate dump

    def load(source) = @parser_config.parse(source)
    alias parse load

    def load_file(path) = load(File.read(path, encoding: Encoding::UTF_8))
  end
end

module Kernel
  private

  # Prints objects as JSON.
  def j(*objs)
    JSON.__send__(:deprecated_method, "Kernel#j", nil)
    objs.each { |obj| puts JSON.generate(obj, allow_nan: true, max_nesting: false) }
    nil
  end

  # Prints objects as JSON, laid out in lines.
  def jj(*objs)
    JSON.__send__(:deprecated_method, "Kernel#jj", nil)
    objs.each { |obj| puts JSON.pretty_generate(obj, allow_nan: true, max_nesting: false) }
    nil
  end

  # See JSON.[].
  def JSON(object, opts = nil) = JSON[object, opts]
end
