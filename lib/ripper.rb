# frozen_string_literal: true

# Reads Ruby and tells of what it reads: of each token (`on_ident`), and of each piece of syntax (`on_if`) with what its parts' events returned.
#
# The parser is the compiler's. Once a source is read, its tree is gone through from the inside out, and what stands in front of a piece's end is told first.
class Ripper
  Version = "0.1.0".freeze
end

require "ripper.so"
require "ripper/events"
require "ripper/parser"

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
end
