# frozen_string_literal: true

# The parser's tree of a Ruby program, as objects.
#   Prism.parse("1 + 2").value.statements.body.first.name #=> :+
#
# The parser is the compiler's, which is newer than the interface: nodes, fields and tokens have the names of version 1.7.
module Prism
  VERSION = "1.7.0".freeze
  BACKEND = :CEXT

  # The parser has no rules for the running Ruby.
  class CurrentVersionError < ArgumentError
    def initialize(version)
      super("invalid version: Requested to parse as `version: 'current'`; #{version} is below the minimum supported syntax.")
    end
  end

  autoload :BasicVisitor, "prism/visitor"
  autoload :Compiler, "prism/compiler"
  autoload :DesugarCompiler, "prism/desugar_compiler"
  autoload :Dispatcher, "prism/dispatcher"
  autoload :DSL, "prism/dsl"
  autoload :InspectVisitor, "prism/inspect_visitor"
  autoload :MutationCompiler, "prism/mutation_compiler"
  autoload :Pattern, "prism/pattern"
  autoload :Reflection, "prism/reflection"
  autoload :Relocation, "prism/relocation"
  autoload :Serialize, "prism/serialize"
  autoload :StringQuery, "prism/string_query"
  autoload :Translation, "prism/translation"
  autoload :Visitor, "prism/visitor"
  private_constant :Serialize
end

require "prism/prism.so"
require "prism/parse_result"
require "prism/node"
require "prism/options"

module Prism
  class << self
    # A program's tree, with its comments, errors and warnings.
    def parse(source, **options) = Serialize.parse(text(source), options)

    def parse_file(path, **options) = parse(contents(path), filepath: path_text(path), **options)

    # The tree of what `gets` returns. Lines behind an `__END__` that is in no literal stay in the stream.
    def parse_stream(stream, **options)
      source = +""
      while (line = stream.gets)
        source << line
        break if line.match?(/\A__END__\r?\n?\z/) && parse(source).data_loc
      end
      parse(source, **options)
    end

    # The tokens of a program, each with the state of the lexer behind it.
    def lex(source, **options) = Serialize.lex(text(source), options)

    def lex_file(path, **options) = lex(contents(path), filepath: path_text(path), **options)

    def parse_lex(source, **options) = Serialize.parse_lex(text(source), options)

    def parse_lex_file(path, **options) = parse_lex(contents(path), filepath: path_text(path), **options)

    def parse_comments(source, **options) = Serialize.parse_comments(text(source), options)

    def parse_file_comments(path, **options) = parse_comments(contents(path), filepath: path_text(path), **options)

    def parse_success?(source, **options) = Options.new(options).serialize(4, text(source)) == "\x01"

    def parse_failure?(source, **options) = !parse_success?(source, **options)

    def parse_file_success?(path, **options) = parse_success?(contents(path), filepath: path_text(path), **options)

    def parse_file_failure?(path, **options) = !parse_file_success?(path, **options)

    def profile(source, **options)
      Options.new(options).serialize(0, text(source))
      nil
    end

    def profile_file(path, **options) = profile(contents(path), filepath: path_text(path), **options)

    # The tree as bytes, which `load` reads.
    def dump(source, **options)
      bytes = Options.new(options).serialize(0, text(source))
      options[:freeze] ? bytes.freeze : bytes
    end

    def dump_file(path, **options) = dump(contents(path), filepath: path_text(path), **options)

    def load(source, serialized, freeze = false) = Serialize.load_parse(source, serialized, freeze)

    # The tokens as Ripper has them, in the source's order, without blanks.
    def lex_compat(source, **options)
      found = lex(source, **options)
      LexResult.new(lex_ripper(source), found.comments, found.magic_comments, found.data_loc, found.errors, found.warnings, found.source)
    end

    def lex_ripper(source)
      require "ripper"
      Ripper.lex(source).reject { |token| token[1] == :on_sp }
    end

    def scope(locals: [], forwarding: []) = Scope.new(locals, forwarding)

    private

    def text(source) = String.try_convert(source) || raise(TypeError, "wrong argument type #{source.nil? ? "nil" : source.class} (expected String)")

    def contents(path)
      File.binread(path).force_encoding(Encoding::UTF_8)
    rescue SystemCallError => error
      raise error.class, path_text(path)
    end

    def path_text(path) = path.respond_to?(:to_path) ? path.to_path : path
  end
end
