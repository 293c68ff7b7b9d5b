# frozen_string_literal: true

class ERB
  class Compiler
    # A line that begins with "%".
    class PercentLine
      def initialize(text)
        @value = text
      end

      attr_reader :value
      alias to_s value
    end

    # Cuts a template into tokens. The compiler says in +stag+ which tag is open.
    class Scanner
      DEFAULT_STAGS = %w[<%% <%= <%# <%].freeze
      DEFAULT_ETAGS = %w[%%> %>].freeze
      # The patterns of these, which nearly all templates use.
      DEFAULT_PATTERNS = [DEFAULT_STAGS, DEFAULT_ETAGS].to_h { |tags| [tags, Regexp.union(tags)] }.compare_by_identity.freeze
      private_constant :DEFAULT_PATTERNS

      @scanner_map = {}
      @default_scanner = nil

      class << self
        attr_writer :default_scanner

        def register_scanner(scanner, trim_mode, percent)
          @scanner_map[[trim_mode, percent]] = scanner
        end
        alias regist_scanner register_scanner

        def make_scanner(text, trim_mode, percent)
          @scanner_map.fetch([trim_mode, percent], @default_scanner).new(text, trim_mode, percent)
        end
      end

      attr_accessor :stag

      def initialize(text, trim_mode, percent)
        @src = text
        @trim_mode = trim_mode
        @percent = percent
        @stag = nil
        @start = explicit? ? /^[ \t]*<%-|<%-|#{pattern_of(stags)}/ : pattern_of(stags)
        @end = explicit? ? /-%>|#{pattern_of(etags)}/ : pattern_of(etags)
      end

      # Tags that begin and that end something, longer ones first.

      def stags = DEFAULT_STAGS

      def etags = DEFAULT_ETAGS

      def scan(&block) = scan_tokens(@src, &block)

      private

      def pattern_of(tags) = DEFAULT_PATTERNS[tags] || Regexp.union(tags)

      # Whether "-" in a tag takes the blanks around it.
      def explicit? = @trim_mode == "-"

      def scan_tokens(text, &block)
        position = 0
        position = @stag ? scan_end(text, position, &block) : scan_start(text, position, &block) while position < text.bytesize
      end

      def scan_start(text, position, &block)
        match = @start.match(text, position)
        stop = match ? match.begin(0) : text.bytesize
        yield_text(text.byteslice(position, stop - position), &block)
        return stop unless match
        yield(explicit? && match[0].end_with?("<%-") ? "<%" : match[0])
        match.end(0)
      end

      def yield_text(text) = yield(text)

      # The end of a tag: "-%>" takes the end of the line with it.
      def scan_end(text, position)
        match = @end.match(text, position)
        stop = match ? match.begin(0) : text.bytesize
        yield(text.byteslice(position, stop - position)) if stop > position
        return stop unless match
        finish = match.end(0)
        dash = explicit? && match[0] == "-%>"
        yield(dash ? "%>" : match[0])
        line_end = text.byteslice(finish, 2)[/\A\r?\n/] if dash
        return finish unless line_end
        yield(:cr)
        finish + line_end.size
      end
    end

    # Knows neither lines nor "-".
    class SimpleScanner < Scanner
    end
    Scanner.register_scanner(SimpleScanner, nil, false)

    # Knows "-".
    class ExplicitScanner < Scanner
    end
    Scanner.register_scanner(ExplicitScanner, "-", false)

    # Goes by lines, which may begin with "%" and lose their ends.
    class TrimScanner < Scanner
      def scan(&block)
        @src.each_line do |line|
          next scan_line(line, &block) unless @percent && @stag.nil? && line.start_with?("%")
          line.start_with?("%%") ? scan_line(line[1..], &block) : yield(PercentLine.new(line[1..].chomp))
        end
      end

      private

      # With ">", a line that ends with a tag loses its end; with "<>", if it begins with one too.
      def scan_line(line, &block)
        return scan_tokens(line, &block) unless @trim_mode == ">" || @trim_mode == "<>"
        opened = @trim_mode == ">" || line.start_with?("<%")
        ended = line.end_with?("%>\n") || line.end_with?("%>\r\n")
        body = ended ? line.chomp : line
        last = nil
        scan_tokens(body) { |token| yield(last = token) }
        return unless ended
        yield(opened && last == "%>" && @stag.nil? ? :cr : line[body.size..])
      end

      # Line ends are tokens of their own, and so are tags wherever they stand.
      def scan_tokens(text, &block)
        return super if explicit?
        @parts ||= Regexp.union(*stags, *etags, "\n")
        position = 0
        while (match = @parts.match(text, position))
          yield(text.byteslice(position, match.begin(0) - position))
          yield(match[0])
          position = match.end(0)
        end
        yield(text.byteslice(position..)) if position < text.bytesize
      end

      def yield_text(text)
        position = 0
        text.scan(@end) do |tag|
          stop = $~.begin(0)
          yield(text.byteslice(position, stop - position))
          yield(tag)
          position = stop + tag.bytesize
        end
        yield(text.byteslice(position..))
      end
    end
    Scanner.default_scanner = TrimScanner
  end
end
