# frozen_string_literal: true

module Prism
  class ParseResult < Result
    # A source with each of its errors below its line.
    class Errors
      def initialize(result)
        @result = result
      end

      def format
        lines = @result.source.source.lines
        by_line = errors_by_line
        lines << "" if by_line.key?(lines.size + 1)
        text = +""
        lines.each.with_index(1) do |line, number|
          text << line
          text << "\n" unless line.end_with?("\n")
          by_line.fetch(number, []).each { |error| text << mark(line, number, error) << "\n" }
        end
        text << "\n"
      end

      private

      def errors_by_line
        @result.errors.each_with_object({}) do |error, found|
          (error.location.start_line..error.location.end_line).each { |line| (found[line] ||= []) << error }
        end
      end

      def mark(line, number, error)
        location = error.location
        first, last = location.start_column, location.end_column
        if number == location.start_line
          return "#{" " * first}^#{"~" * (line.bytesize - first)}" unless number == location.end_line
          "#{" " * first}^#{"~" * (last - first - 1) if first != last} #{error.message}"
        elsif number == location.end_line
          "#{"~" * last} #{error.message}"
        else
          "~" * line.bytesize
        end
      end
    end
  end
end
