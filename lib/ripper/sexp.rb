# frozen_string_literal: true

require "ripper"

class Ripper
  # Makes nested arrays: each event is its name and its values.
  class SexpBuilder < Ripper
    attr_reader :error

    private

    (PARSER_EVENTS - %i[heredoc_dedent parse_error]).each { |event| define_method(:"on_#{event}") { |*values| values.unshift(event) } }
    SCANNER_EVENTS.each do |event|
      name = :"@#{event}"
      define_method(:"on_#{event}") { |token| [name, token, [lineno, column]] }
    end

    def on_heredoc_dedent(parts, width)
      parts.map! do |part|
        case part
        in [:@tstring_content, *] then dedent_element(part, width)
        in [:string_add | :xstring_add, rest, *] then [part[0], on_heredoc_dedent(rest, width), *part[2..]]
        in String then part.tap { dedent_string(part, width) }
        else part
        end
      end
    end

    def dedent_element(element, width)
      count = dedent_string(element[1], width)
      element[2][1] += count
      element
    end

    def on_error(message)
      @error = message
    end
    alias on_parse_error on_error
    alias compile_error on_error
  end

  # Makes nested arrays in which what belongs to a list stands side by side.
  class SexpBuilderPP < SexpBuilder
    private

    PARSER_EVENT_TABLE.each do |event, arity|
      if event.end_with?("_new") && arity == 0
        define_method(:"on_#{event}") { [] }
      elsif event.end_with?("_add")
        define_method(:"on_#{event}") { |list, item| list.push(item) }
      end
    end

    def on_heredoc_dedent(parts, width)
      parts.map! do |part|
        case part
        in [:@tstring_content, *] then dedent_element(part, width)
        in String then part.tap { dedent_string(part, width) }
        else part
        end
      end
    end

    def on_mlhs_paren(list) = [:mlhs, *list]
    def on_mlhs_add_star(list, star) = list.push([:rest_param, star])
    def on_mlhs_add_post(list, post) = list.concat(post)
  end
end
