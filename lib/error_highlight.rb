# carat: core

# Shows below a NameError, TypeError or ArgumentError the line that it came from, with a mark under the part it is about.
module ErrorHighlight
  VERSION = "0.7.1".freeze

  require "error_highlight.so"
  private_class_method :locate

  # The messages of errors that a call raised before the method was entered: who called and what was called are both shown.
  WRONG_ARGUMENTS = /\A(?:wrong number of arguments|missing keywords?|unknown keywords?|no keywords accepted)\b/
  private_constant :WRONG_ARGUMENTS

  class << self
    # The part of the source that an exception is about, as a hash of lines, columns and text; nil if that is not known.
    #   point_type: :name (what was called) or :args (what was given to it)
    #   backtrace_location: the frame to look at, by default the innermost
    def spot(exception, backtrace_location: nil, point_type: :name)
      raise TypeError, "Exception is expected" unless Exception === exception
      location = backtrace_location
      unless location
        location = exception.backtrace_locations&.first
        point_type = :args if TypeError === exception || ArgumentError === exception
        name = exception.name if NameError === exception
      end
      return nil unless Thread::Backtrace::Location === location

      part = locate(location, point_type == :args, *name)
      part && description(*part)
    end

    # What says how a spot is shown.
    def formatter = Ractor.current[:__error_highlight_formatter__] || DefaultFormatter

    def formatter=(formatter)
      Ractor.current[:__error_highlight_formatter__] = formatter
    end

    private

    # Columns count bytes, so lines with other characters than ASCII are not shown.
    def description(source, first_lineno, first_column, last_lineno, last_column)
      lines = source.lines
      snippet = lines[first_lineno - 1..last_lineno - 1].join
      snippet += "\n" unless snippet.end_with?("\n")
      return nil unless snippet.ascii_only? && first_column < last_column

      { first_lineno:, first_column:, last_lineno:, last_column:, snippet:, script_lines: lines }
    end

    def text_below(exception)
      return text_of_call(exception) if ArgumentError === exception && exception.message.match?(WRONG_ARGUMENTS)

      spot = spot(exception)
      spot ? formatter.message_for(spot) : ""
    end

    def text_of_call(exception)
      callee, caller = exception.backtrace_locations
      return "" unless caller

      callee_spot, caller_spot = [callee, caller].map { |location| spot(exception, backtrace_location: location) }
      # A native method has no line of its own: its frame shows the caller's.
      is_native = caller_spot && caller_spot == callee_spot && caller.path == callee.path && caller.lineno == callee.lineno
      text = "\n" + text_of_frame("caller", caller, caller_spot)
      text << text_of_frame("callee", callee, callee_spot) unless is_native
      text
    end

    def text_of_frame(role, location, spot)
      text = +"\n    #{role}: #{location.path}:#{location.lineno}"
      if spot
        _, _, snippet, marker = formatter.message_for(spot).lines
        text << "\n    | #{snippet}      #{marker}"
      end
      text
    end
  end

  # A line with marks below it, cut to the width of the terminal.
  class DefaultFormatter
    MIN_SNIPPET_WIDTH = 20
    ELLIPSIS = "...".freeze
    private_constant :ELLIPSIS

    class << self
      def message_for(spot)
        return "" unless spot[:first_lineno] == spot[:last_lineno]

        snippet, first, last = fitting(spot[:snippet], spot[:first_column], spot[:last_column])
        "\n\n#{snippet}#{snippet[0...first].gsub(/[^\t]/, " ")}#{"^" * (last - first)}"
      end

      # nil: lines are not cut.
      def max_snippet_width
        width = Ractor.current[:__error_highlight_max_snippet_width__] ||= terminal_width
        width unless width == :disabled
      end

      def max_snippet_width=(width)
        if width && width.to_i < MIN_SNIPPET_WIDTH
          warn "'max_snippet_width' adjusted to minimum value of #{MIN_SNIPPET_WIDTH}."
          width = MIN_SNIPPET_WIDTH
        end
        Ractor.current[:__error_highlight_max_snippet_width__] = width ? width.to_i : :disabled
      end

      def terminal_width
        return unless $stderr.tty?

        require "io/console"
        $stderr.winsize[1]
      rescue LoadError, NoMethodError, SystemCallError
        nil
      end

      private

      # The part of the line to show, and where the marks are in it.
      def fitting(snippet, first, last)
        width = max_snippet_width
        return [snippet, first, last] unless width && snippet.size > width

        start = last < width - ELLIPSIS.size ? 0 : [first - width / 2, 0].max
        finish = start + width
        start = snippet.size - width if finish > snippet.size
        head = start.positive? ? ELLIPSIS : ""
        tail = finish < snippet.size ? ELLIPSIS : ""
        shown = head + snippet[start + head.size...finish - tail.size] + tail
        shown << "\n" unless shown.end_with?("\n")
        [shown, first - start, [last - start, shown.size - 1].min]
      end
    end
  end

  # Goes in front of the classes of the errors that are explained.
  module CoreExt
    def detailed_message(highlight: false, error_highlight: true, **)
      return super unless error_highlight

      text = ErrorHighlight.__send__(:text_below, self)
      text = text.gsub(/.+/) { |line| "\e[1m#{line}\e[m" } if highlight
      super + text
    end
  end

  [NameError, TypeError, ArgumentError].each { |error| error.prepend(CoreExt) }
end

# Suggestions go below the marks.
require "did_you_mean" if Object.autoload?(:DidYouMean)
