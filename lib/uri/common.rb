# frozen_string_literal: true

# What the schemes have in common. Programs require it by itself for the coding of forms.
module URI
  class Error < StandardError
  end

  # Not an URI.
  class InvalidURIError < Error
  end

  # Not that component of an URI.
  class InvalidComponentError < Error
  end

  # An URI that cannot be used so.
  class BadURIError < Error
  end

  # The older grammar is large, and used by hardly any program.
  autoload :RFC2396_Parser, "uri/rfc2396_parser"
  autoload :RFC2396_PARSER, "uri/rfc2396_parser"
  autoload :RFC2396_REGEXP, "uri/rfc2396_parser"
end

require "uri/rfc3986_parser"
require "uri/form"

module URI
  RFC3986_PARSER = Ractor.make_shareable(RFC3986_Parser.new)
  DEFAULT_PARSER = RFC3986_PARSER
  PARSER = RFC3986_PARSER
  Parser = RFC3986_Parser
  RFC3986_PARSER.regexp.each { |name, pattern| const_set(name, pattern) }

  # Classes of schemes as constants: upper-case names, in which letters stand for what no constant's name may hold.
  module Schemes
    RESERVED = ".+-".freeze
    LETTERS = "\u01C0\u01C1\u01C2".freeze
    private_constant :RESERVED, :LETTERS

    class << self
      def escape(scheme)
        name = scheme.to_s.upcase
        name.match?(/[.+-]/) ? name.tr(RESERVED, LETTERS) : name
      end

      def unescape(name) = name.to_s.tr(LETTERS, RESERVED)

      def find(scheme)
        name = escape(scheme)
        const_get(name, false) if name.match?(/\A[[:upper:]][[:word:]]*\z/) && const_defined?(name, false)
      end

      def register(scheme, klass) = const_set(escape(scheme), klass)

      def list = constants.to_h { |name| [unescape(name), const_get(name)] }
    end
  end
  private_constant :Schemes

  class << self
    # Programs may choose the grammar, whose patterns then are constants.
    def parser=(parser)
      older = RFC2396_Parser === parser
      constants = {PARSER: parser, Parser: parser.class}.merge(parser.regexp)
      constants.update(REGEXP: RFC2396_REGEXP, PATTERN: RFC2396_REGEXP::PATTERN) if older
      [:REGEXP, :PATTERN, *constants.keys].each { |name| remove_const(name) if const_defined?(name, false) }
      constants.each { |name, value| const_set(name, value) }
    end

    def register_scheme(scheme, klass) = Schemes.register(scheme, klass)

    def scheme_list = Schemes.list

    # An URI of the class that its scheme has.
    def for(scheme, *arguments, default: Generic)
      klass = scheme && Schemes.find(scheme) || default
      klass.new(scheme, *arguments)
    end

    def split(uri) = PARSER.split(uri)

    def parse(uri) = PARSER.parse(uri)

    def join(*uris) = DEFAULT_PARSER.join(*uris)

    def extract(text, schemes = nil, &block)
      warn "URI.extract is obsolete", uplevel: 1 if $VERBOSE
      PARSER.extract(text, schemes, &block)
    end

    def regexp(schemes = nil)
      warn "URI.regexp is obsolete", uplevel: 1 if $VERBOSE
      PARSER.make_regexp(schemes)
    end

    # Constants of the older grammar that programs may still name.
    def const_missing(name)
      if name == :REGEXP
        warn "URI::REGEXP is obsolete. Use URI::RFC2396_REGEXP explicitly.", uplevel: 1 if $VERBOSE
        RFC2396_REGEXP
      elsif name == :PATTERN
        warn "URI::PATTERN is obsolete. Use URI::RFC2396_PARSER::PATTERN explicitly.", uplevel: 1 if $VERBOSE
        RFC2396_Parser::PATTERN
      elsif (value = RFC2396_PARSER.regexp[name])
        warn "URI::#{name} is obsolete. Use URI::RFC2396_PARSER.regexp[#{name.inspect}] explicitly.", uplevel: 1 if $VERBOSE
        value
      else
        super
      end
    end
  end

  # What the classes share when they are built of components.
  module Util
    # Components by name; those of an Array stand in the order of the class, without the scheme.
    def make_components_hash(klass, components)
      case components
      when Array
        names = klass.component[1..]
        if components.size != names.size
          raise ArgumentError, "expected Array of or Hash of components of #{klass} (#{klass.component.drop(1).join(", ")})"
        end
        found = names.zip(components).to_h
      when Hash then found = components.dup
      else
        raise ArgumentError, "expected Array of or Hash of components of #{klass} (#{klass.component.drop(1).join(", ")})"
      end
      found[:scheme] = klass.name.to_s.downcase.split("::").last
      found
    end
    module_function :make_components_hash
  end
end

module Kernel
  # The URI that a text is, or the URI itself.
  def URI(uri)
    return uri if URI::Generic === uri
    text = String.try_convert(uri) or raise ArgumentError, "bad argument (expected URI object or URI string)"
    URI.parse(text)
  end
  module_function :URI
end
