# frozen_string_literal: true

require "ripper"

class Ripper
  # Collects the tokens of a source.
  class Lexer < Ripper
    # A state of the lexer: a set of bits.
    class State
      attr_reader :to_int, :to_s
      alias to_i to_int
      alias inspect to_s

      def initialize(bits)
        @to_int = bits
        @to_s = Ripper.lex_state_name(bits)
        freeze
      end

      def [](index)
        case index
        when 0, :to_int then @to_int
        when 1, :to_s then @to_s
        end
      end

      def pretty_print(q) = q.text(to_s)
      def ==(other) = super || to_int == other
      def &(other) = self.class.new(to_int & other)
      def |(other) = self.class.new(to_int | other)
      def allbits?(bits) = to_int.allbits?(bits)
      def anybits?(bits) = to_int.anybits?(bits)
      def nobits?(bits) = to_int.nobits?(bits)
    end

    # A token, or what is wrong at one.
    class Elem
      attr_accessor :pos, :event, :tok, :state, :message

      def initialize(pos, event, tok, state, message = nil)
        @pos = pos
        @event = event
        @tok = tok
        @state = State === state ? state : State.new(state)
        @message = message
      end

      def [](index)
        case index
        when 0, :pos then @pos
        when 1, :event then @event
        when 2, :tok then @tok
        when 3, :state then @state
        when 4, :message then @message
        end
      end

      def inspect = "#<#{self.class}: #{event}@#{pos[0]}:#{pos[1]}:#{state}: #{tok.inspect}#{": " if message}#{message}>"
      alias to_s inspect

      def pretty_print(q)
        q.group(2, "#<#{self.class}:", ">") do
          q.breakable
          q.text("#{event}@#{pos[0]}:#{pos[1]}")
          q.breakable
          state.pretty_print(q)
          q.breakable
          q.text("token: ")
          tok.pretty_print(q)
          next unless message
          q.breakable
          q.text("message: ")
          q.text(message)
        end
      end

      def to_a = @message ? [@pos, @event, @tok, @state, @message] : [@pos, @event, @tok, @state]
    end

    attr_reader :errors

    def tokenize(**options) = parse(**options).map(&:tok)

    def lex(**options) = parse(**options).map(&:to_a)

    # Tokens and errors, where both are.
    def scan(**options)
      (parse(**options) + errors).sort_by.with_index { |elem, index| [*elem.pos, elem.message ? -1 : 0, index] }
    end

    def parse(raise_errors: false)
      @errors = []
      @buf = []
      @heredocs = []
      @states = {}
      super()
      raise SyntaxError, @errors.map(&:message).join(" ;") if raise_errors && !@errors.empty?
      in_order? ? @buf.dup : @buf.sort_by.with_index { |elem, index| [*elem.pos, index] }
    end

    private

    def push(event, text)
      elem = Elem.new([lineno, column], event, text, @states[state] ||= State.new(state))
      @buf << elem
      elem
    end

    # Only heredocs, and comments in front of a newline, are read in another order.
    def in_order?
      line = column = -1
      @buf.all? do |elem|
        last_line, last_column = line, column
        line, column = elem.pos
        last_line < line || (last_line == line && last_column <= column)
      end
    end

    (SCANNER_EVENTS - %i[heredoc_beg heredoc_end tstring_content]).each do |event|
      name = :"on_#{event}"
      define_method(name) { |text| push(name, text) }
    end

    def on_heredoc_beg(text)
      @heredocs.push([])
      push(:on_heredoc_beg, text)
    end

    def on_tstring_content(text)
      elem = push(:on_tstring_content, text)
      @heredocs.each { |texts| texts << elem }
      elem
    end

    def on_heredoc_end(text)
      @ended = @heredocs.pop
      push(:on_heredoc_end, text)
    end

    # The blanks that a heredoc loses are tokens.
    def on_heredoc_dedent(value, width)
      @ended&.each do |elem|
        next unless elem.pos[1] == 0
        text = elem.tok.dup
        count = dedent_string(elem.tok, width)
        next if count == 0
        next (elem.tok = text; elem.event = :on_ignored_sp) if elem.tok.empty?
        @buf.push(Elem.new(elem.pos.dup, :on_ignored_sp, text.byteslice(0, count), elem.state.to_int))
        elem.pos[1] += count
      end
      value
    end

    def add_error(event, message, elem = nil)
      elem = Elem.new([lineno || 1, column || 0], event, token || "", state || EXPR_BEG) unless elem.is_a?(Elem)
      @errors.push(Elem.new(elem.pos, event, elem.tok, elem.state.to_int, message))
    end

    PARSER_EVENTS.each do |event|
      name = :"on_#{event}"
      define_method(name) { |message, elem = nil| add_error(name, message, elem) } if event.end_with?("_error")
    end

    def compile_error(message) = add_error(:compile_error, message)
  end
end
