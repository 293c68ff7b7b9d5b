# frozen_string_literal: true

class Ripper
  # `ends_line` says of a comment that its newline ends a statement, `is_early` of a comment or blanks that they are read before the newline in front of them.
  Token = Struct.new(:offset, :event, :text, :state, :line, :column, :ends_line, :is_early)
  private_constant :Token

  # The parser's tokens as Ripper has them, in the order in which they are read (a heredoc's text behind its opening): a comment has its newline, and what stands between tokens is
  # one as well.
  class Tokens
    MARK = "\xEF\xBB\xBF".b.freeze
    private_constant :MARK

    attr_reader :list

    def initialize(source, reader, first_line)
      @source = source
      @lines = reader.lines
      @first_line = first_line
      @mark = source.byteslice(0, 3).b == MARK ? 3 : 0
      @line = 0
      @list = own(reader.tokens)
      @starts = in_order
      fill_gaps(reader)
      defer_newlines
      @starts = in_order
      @offsets = @starts.map { |index| @list[index].offset }
      @place = 0
      @by_offset = {}
      @list.each_with_index { |token, index| @by_offset[token.offset] = index }
    end

    # The index of the token that begins at a byte.
    def at(offset) = @by_offset[offset]

    # The index of the last token that begins before a byte.
    def before(offset)
      place = position(offset)
      place == 0 ? -1 : @starts[place - 1]
    end

    # The tokens that begin between two bytes, in the source's order.
    def between(first, last)
      place = position(first)
      found = []
      while (offset = @offsets[place]) && offset < last
        found << @list[@starts[place]]
        place += 1
      end
      found
    end

    private

    # So many tokens are looked at before all of them are searched.
    NEAR = 8
    private_constant :NEAR

    # How many tokens begin before a byte. Most questions are about what follows where the last one was.
    def position(offset)
      place = @place
      if place == 0 || @offsets[place - 1] < offset
        limit = place + NEAR
        while place < limit
          start = @offsets[place]
          return @place = place if start.nil? || start >= offset
          place += 1
        end
      end
      @place = @offsets.bsearch_index { |start| start >= offset } || @offsets.size
    end

    # The indices of the tokens in the source's order. Only what stands behind a heredoc's opening is read later than that.
    def in_order
      last = -1
      return [*0...@list.size] if @list.all? { |token| last <= (last = token.offset) }
      [*0...@list.size].sort_by { |index| @list[index].offset }
    end

    # Most tokens are on the line of the one before, or on the next one.
    def line_of(offset)
      line = @line
      if offset >= @lines[line]
        following = @lines[line + 1]
        return line if following.nil? || offset < following
        following = @lines[line + 2]
        return @line = line + 1 if following.nil? || offset < following
      end
      @line = (@lines.bsearch_index { |start| start > offset } || @lines.size) - 1
    end

    def token(offset, event, text, state)
      line = line_of(offset)
      column = offset - @lines[line]
      column -= @mark if line == 0
      Token.new(offset, event, text, state, line + @first_line, column)
    end

    def own(tokens)
      list = []
      heredocs = []
      tokens.each do |event, offset, size, state|
        next if event == :-
        text = @source.byteslice(offset, size)
        case event
        when :nl, :ignored_nl
          next if join_comment(list.last, offset, text, event)
        when :words_sep
          separate(list, offset, text, state)
          next
        when :__end__
          text = text.byteslice(0, (text.b.index("\n") || size - 1) + 1)
        when :heredoc_beg
          heredocs << state
        when :heredoc_end
          state = heredocs.pop
          next if text.empty?
        when :regexp_end
          state = opening_state(list)
        end
        list << token(offset, event, text, state)
      end
      list
    end

    # A newline belongs to the comment in front of it.
    def join_comment(last, offset, text, event)
      return false unless last&.event == :comment && last.offset + last.text.bytesize == offset && !last.text.end_with?("\n")
      last.text += text
      last.ends_line = event == :nl
      true
    end

    def separate(list, offset, text, state)
      text.each_line do |line|
        list << token(offset, :words_sep, line, state)
        offset += line.bytesize
      end
    end

    # A regexp ends in the state in which it began.
    def opening_state(list)
      depth = 0
      list.reverse_each do |token|
        case token.event
        when :regexp_end then depth += 1
        when :regexp_beg
          return token.state if depth == 0
          depth -= 1
        end
      end
      0
    end

    # Blanks between tokens come in front of the following one.
    def fill_gaps(reader)
      blanks = {}
      at = @mark
      @starts.each do |index|
        token = @list[index]
        blanks[index] = blank_tokens(at, token.offset, index > 0 ? @list[index - 1].state : EXPR_BEG) if token.offset > at
        behind = token.offset + token.text.bytesize
        at = behind if behind > at
      end
      # The end of the text is noticed in the state that the last statement left.
      last = @list.last&.event == :nl ? @list[-2] : @list.last
      rest = reader.data || @list.last&.event == :__end__ ? [] : blank_tokens(at, @source.bytesize, last&.state || EXPR_BEG)
      filled = []
      @list.each_with_index do |token, index|
        if (blank = blanks[index])
          filled.concat(blank)
        end
        filled << token
      end
      @list = filled.concat(rest)
    end

    # Where a line ends the lexer looks through the comments below it for a line that begins with a dot or an operator: only then does it know what the newline is.
    def defer_newlines
      at = 0
      while at < @list.size
        size = @list[at].event == :nl || @list[at].event == :ignored_nl ? comments_below(at) : 0
        if size > 0
          newline = @list.delete_at(at)
          @list.insert(at + size, newline)
          @list[at, size].each { |token| token.is_early = true }
        end
        at += size + 1
      end
    end

    LEADING_WORDS = %w[. &. && || and or].freeze
    private_constant :LEADING_WORDS

    # How many tokens below a newline are lines of comments, if the lexer looks through them.
    def comments_below(newline)
      at = newline + 1
      return 0 if @list[newline].column == 0
      # The text of a heredoc stands between.
      line = @list[newline - 1, 2].map(&:line).max
      last = newline
      while (token = @list[at]) && (token.event == :sp ? !token.text.include?("\n") : token.event == :comment && token.line == line + 1)
        last, line = at, token.line if token.event == :comment
        at += 1
      end
      return 0 if @list[newline].event == :ignored_nl && !LEADING_WORDS.include?(token&.text)
      last - newline
    end

    def blank_tokens(from, to, state)
      text = @source.byteslice(from, to - from)
      return [] if text.empty?
      # Between tokens there may be bytes of which no character of the source's encoding consists.
      bytes = text.b
      return [token(from, :sp, text, state)] unless bytes.match?(/[\\\0\x04\x1a]/n)
      return [] if bytes.match?(/\A[\0\x04\x1a]/n)
      return [token(from, :sp, text, state)] unless text.valid_encoding?
      text.split(/(\\\r?\n)/).reject(&:empty?).map do |part|
        from += part.bytesize
        token(from - part.bytesize, :sp, part, state)
      end
    end
  end
  private_constant :Tokens
end
