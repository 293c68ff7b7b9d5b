# frozen_string_literal: true

module Prism
  # How a source is read, as keywords, for the parser.
  class Options
    KEYS = %i[command_line encoding filepath freeze frozen_string_literal line main_script partial_script scopes version].freeze
    # The letters of a command line whose options change how a program is read.
    LETTERS = { "a" => 1, "e" => 2, "l" => 4, "n" => 8, "p" => 16, "x" => 32 }.freeze
    FORWARDING = { "*": 1, "**": 2, "&": 4, "...": 8 }.freeze
    private_constant :KEYS, :LETTERS, :FORWARDING

    def initialize(options)
      unknown = options.keys - KEYS
      raise ArgumentError, "unknown keyword#{"s" if unknown.size > 1}: #{unknown.join(", ")}" unless unknown.empty?
      @options = options
    end

    def freeze? = @options[:freeze] ? true : false

    # What the parser says: see `Prism.__serialize`.
    def serialize(demand, source)
      Prism.__serialize(demand, source, path, line, encoding, switches, scopes)
    end

    private

    def path
      path = @options[:filepath]
      path.nil? ? "" : String.try_convert(path) || raise(TypeError, "wrong argument type #{path.class} (expected String)")
    end

    def line = @options.fetch(:line, 1) || 1

    def encoding
      encoding = @options[:encoding]
      case encoding
      when nil, false, true then ""
      when Encoding then encoding.name
      else Encoding.find(encoding).name
      end
    end

    def switches
      [
        frozen_string_literal, command_line, version, flag(@options[:encoding] == false), flag(@options[:main_script]), flag(@options[:partial_script]), flag(freeze?), 0
      ].pack("c*")
    end

    def flag(value) = value ? 1 : 0

    # 0 leaves it to the source, 1 freezes, 255 does not.
    def frozen_string_literal
      value = @options[:frozen_string_literal]
      value.nil? ? 0 : (value ? 1 : -1)
    end

    def command_line
      line = @options.fetch(:command_line, nil) || ""
      raise TypeError, "wrong argument type #{line.class} (expected String)" unless line.is_a?(String)
      line.each_char.sum { |letter| LETTERS.fetch(letter) { raise ArgumentError, "invalid command_line flag: '#{letter}'" } }
    end

    def version
      case @options[:version]
      when nil, "latest", "current", "nearest", /\A(?:3\.5|4\.0)(?:\.\d+)?\z/ then 3
      when /\A3\.3(?:\.\d+)?\z/ then 1
      when /\A3\.4(?:\.\d+)?\z/ then 2
      when /\A4\.1(?:\.\d+)?\z/ then 4
      when String then raise ArgumentError, "invalid version: #{@options[:version]}"
      else raise TypeError, "wrong argument type #{@options[:version].class} (expected String)"
      end
    end

    def scopes
      scopes = @options[:scopes] || []
      raise TypeError, "wrong argument type #{scopes.class} (expected Array)" unless scopes.is_a?(Array)
      scopes.map do |scope|
        locals, forwarding =
          case scope
          when Array then [scope, []]
          when Scope then [scope.locals, scope.forwarding]
          else raise TypeError, "wrong argument type #{scope.class} (expected Array or Prism::Scope)"
          end
        bits = forwarding.sum { |name| FORWARDING.fetch(name) { raise ArgumentError, "invalid forwarding value: #{name}" } }
        [bits, *locals.map { |local| local.name }]
      end
    end
  end
  private_constant :Options
end
