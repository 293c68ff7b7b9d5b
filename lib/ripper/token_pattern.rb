# frozen_string_literal: true

class Ripper
  # A regular expression over tokens: each kind of token is a letter.
  class TokenPattern
    class Error < StandardError; end
    class CompileError < Error; end
    class MatchError < Error; end

    LETTERS = SCANNER_EVENTS.zip([*"a".."z", *"A".."Z", *"0".."9"]).to_h { |event, letter| [event.name, letter] }.freeze
    private_constant :LETTERS

    class << self
      alias compile new
    end

    def initialize(pattern)
      @regexp = compile(pattern)
    end

    def match(source) = match_list(Ripper.lex(source))

    def match_list(tokens)
      match = @regexp.match(tokens.map { |token| letter(token[1].name.delete_prefix("on_")) }.join)
      match && MatchData.new(tokens, match)
    end

    private

    def compile(pattern)
      wrong = pattern[/[^\w\s$()\[\]{}?*+.]/]
      raise CompileError, "invalid char in pattern: #{wrong.inspect}" if wrong
      Regexp.new(pattern.scan(/\w+|\$\(|[()\[\]{}?*+.]+/).map { |part| piece(part) }.join)
    rescue RegexpError => error
      raise CompileError, error.message
    end

    def piece(part)
      case part
      when /\w/ then letter(part)
      when "$(" then "("
      when "(" then "(?:"
      when /[?*\[\]).]/ then part
      else raise "must not happen"
      end
    end

    def letter(name) = LETTERS[name] || raise(CompileError, "unknown token: #{name}")

    # The tokens that a pattern found.
    class MatchData
      def initialize(tokens, match)
        @tokens = tokens
        @match = match
      end

      def string(n = 0) = @tokens[@match.begin(n)...@match.end(n)].map { |token| token[2] }.join
    end
  end
end
