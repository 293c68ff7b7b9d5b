# frozen_string_literal: true

# Reads Ruby and tells of what it reads: of each token (`on_ident`), and of each piece of syntax (`on_if`) with what its parts' events returned.
#
# The parser is the compiler's. Once a source is read, its tree is gone through from the inside out, and what stands in front of a piece's end is told first.
class Ripper
  Version = "0.1.0".freeze
end

require "ripper.so"
require "ripper/events"

class Ripper
  autoload :Reader, "ripper/reader"
  autoload :Tree, "ripper/tree"
  autoload :Tokens, "ripper/tokens"
  autoload :Walker, "ripper/walker"
  autoload :Problems, "ripper/problems"
  autoload :Lexer, "ripper/lexer"
  autoload :TokenPattern, "ripper/token_pattern"
  autoload :Filter, "ripper/filter"
  autoload :SexpBuilder, "ripper/sexp"
  autoload :SexpBuilderPP, "ripper/sexp"
  private_constant :Reader, :Tree, :Walker, :Problems

  class << self
    def parse(source, filename = "(ripper)", lineno = 1) = new(source, filename, lineno).parse

    # A program as nested arrays, or nil if it is none.
    #   Ripper.sexp("1") #=> [:program, [[:@int, "1", [1, 0]]]]
    def sexp(source, filename = "-", lineno = 1, raise_errors: false)
      build(SexpBuilderPP.new(source, filename, lineno), raise_errors)
    end

    def sexp_raw(source, filename = "-", lineno = 1, raise_errors: false)
      build(SexpBuilder.new(source, filename, lineno), raise_errors)
    end

    # The tokens of a source with their places and the lexer's states.
    #   Ripper.lex("a") #=> [[[1, 0], :on_ident, "a", CMDARG]]
    def lex(source, filename = "-", lineno = 1, **options) = Lexer.new(source, filename, lineno).lex(**options)

    def tokenize(source, filename = "-", lineno = 1, **options) = Lexer.new(source, filename, lineno).tokenize(**options)

    # The part of a source whose tokens match a pattern of tokens.
    #   Ripper.slice("f 1", "int") #=> "1"
    def slice(source, pattern, n = 0) = token_match(source, pattern)&.string(n)

    def token_match(source, pattern) = TokenPattern.compile(pattern).match(source)

    # Takes blanks up to a width from the beginning of a text, and returns their number.
    def dedent_string(text, width)
      text = String.try_convert(text) || raise(TypeError, "no implicit conversion of #{text.class} into String")
      column = 0
      count = 0
      while column < width
        case text.getbyte(count)
        when 32 then column += 1
        when 9
          tab = column / 8 * 8 + 8
          break if tab > width
          column = tab
        else break
        end
        count += 1
      end
      text.bytesplice(0, count, "")
      count
    end

    private

    def build(builder, raises)
      tree = builder.parse
      return tree unless builder.error?
      raise SyntaxError, builder.error if raises
    end
  end

  attr_reader :filename, :column, :lineno, :state, :token
  attr_accessor :debug_output
  attr_reader :yydebug

  def initialize(source, filename = "(ripper)", lineno = 1)
    unless source.respond_to?(:gets)
      source = String.try_convert(source) || raise(TypeError, "no implicit conversion of #{source.nil? ? "nil" : source.class} into String")
    end
    @__source = source
    @filename = filename.nil? ? "(ripper)" : String.new(filename).freeze
    @__first_line = lineno
    @__encoding = source.is_a?(String) ? source.encoding : Encoding.default_external
    @yydebug = false
    @debug_output = $stdout
  end

  def yydebug=(flag)
    @yydebug = flag ? true : false
  end

  def encoding = @__encoding

  def error? = @__error ? true : false

  def end_seen? = @__end_seen ? true : false

  # Reads the source and sends the events; the result is what `on_program` returned.
  def parse
    source = __text
    reader = Reader.new(Ripper.__read(source, @filename, @__first_line))
    @__encoding = reader.encoding
    @__end_seen = reader.data ? true : false
    source = source.dup.force_encoding(@__encoding) unless source.encoding == @__encoding
    problems = Problems.new(source, reader)
    @__error = problems.errors?
    tokens = Tokens.new(source, reader, @__first_line)
    # The end of an empty source is on the line below it.
    @lineno, @column = @__first_line + 1, 0 if tokens.list.empty?
    Walker.new(self, source, reader, tokens, problems).run
  ensure
    @lineno = @column = @state = @token = nil
  end

  # A token becomes the current one, and its event is sent.
  def __tell(token)
    @lineno = token.line
    @column = token.column
    @state = token.state
    @token = token.text
    __send__(SCANNER_METHODS[token.event], token.text.dup)
  end

  private

  def __text
    source = @__source
    return source if source.is_a?(String)
    text = +""
    while (line = source.gets)
      line = String.try_convert(line) || raise(TypeError, "no implicit conversion of #{line.class} into String")
      text << line
    end
    @__source = text
  end

  def dedent_string(text, width) = Ripper.dedent_string(text, width)

  def _dispatch_0() = nil
  def _dispatch_1(a) = a
  def _dispatch_2(a, _b) = a
  def _dispatch_3(a, _b, _c) = a
  def _dispatch_4(a, _b, _c, _d) = a
  def _dispatch_5(a, _b, _c, _d, _e) = a
  def _dispatch_6(a, _b, _c, _d, _e, _f) = a
  def _dispatch_7(a, _b, _c, _d, _e, _f, _g) = a

  SCANNER_METHODS = SCANNER_EVENTS.to_h { |event| [event, :"on_#{event}"] }.freeze
  private_constant :SCANNER_METHODS

  PARSER_EVENT_TABLE.each { |event, arity| alias_method :"on_#{event}", :"_dispatch_#{arity}" }
  SCANNER_EVENTS.each { |event| alias_method :"on_#{event}", :_dispatch_1 }

  # What is only worth a warning with `-w`, and what always is: a format and its arguments.
  def warn(fmt, *args) = nil

  def warning(fmt, *args) = nil

  def compile_error(message) = nil
end
