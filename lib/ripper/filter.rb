# frozen_string_literal: true

class Ripper
  # Goes through the tokens of a source: each one's method gets it and what the one before returned.
  class Filter
    attr_reader :lineno, :column, :state

    def initialize(source, filename = "-", lineno = 1)
      @__lexer = Lexer.new(source, filename, lineno)
      @lineno = @column = @state = nil
    end

    def filename = @__lexer.filename

    def parse(init = nil)
      @__lexer.lex.inject(init) do |data, (place, event, token, state)|
        @lineno, @column = place
        @state = state
        respond_to?(event, true) ? __send__(event, token, data) : on_default(event, token, data)
      end
    end

    private

    # A token that has no method of its own.
    def on_default(_event, _token, data) = data
  end
end
