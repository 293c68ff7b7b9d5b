# frozen_string_literal: true

class Ripper
  # What is wrong with a source, and what looks wrong, as events.
  #
  # Some errors leave the tree complete: their events come where it is gone through. With any other one there is no tree.
  class Problems
    # Errors by the event that gets the part that is wrong.
    PARTS = {
      on_assign_error: /\A(?:Can't (?:set variable|assign to|change the value of)|dynamic constant assignment)/,
      on_alias_error: /can't make alias for the number variables\z/,
      on_class_name_error: /class\/module name must be CONSTANT\z/,
      on_param_error: /formal argument cannot be|identifier .* is not valid to set/
    }.freeze
    # Errors that the tree is complete with, and how they are worded.
    COMPLETE = /\A(?:Invalid (?:yield|redo|break|next)|Invalid retry|(?:unexpected `.*`; )?(?<text>no anonymous .*)|invalid method name; a (?<setter>setter method cannot be defined in an endless method definition)|unexpected parameter order|duplicated argument name)/
    # Errors of the lexer.
    LEXICAL = /\A(?<text>'.*' is not allowed as an? .* variable name|'.*' without identifiers .*|unterminated .* meets end of file|Invalid char '.*' in expression)|\Aunterminated heredoc; (?<heredoc>.*)|unterminated (?<kind>string|list|quoted string|regexp)/
    private_constant :PARTS, :COMPLETE, :LEXICAL

    def initialize(source, reader)
      @source = source
      @errors = reader.errors.sort_by { |error| error.location.begin }
      @warnings = reader.warnings.sort_by { |warning| warning.location.begin }
      @magic_comments = reader.magic_comments
      @is_nothing = @errors.empty? && @warnings.empty? && @magic_comments.empty?
      sort_out
    end

    def errors? = !@errors.empty?

    # Whether there is nothing to tell of a source at all.
    def none? = @is_nothing

    # Whether there is no tree to go through.
    def fatal? = @is_fatal

    def each_error
      @errors.each { |error| yield error.location.begin, *error_event(error) }
    end

    # The errors about what begins up to a byte that concern no part's value.
    def each_compile_error(offset)
      return if @is_fatal
      yield @compile_errors.shift.last while @compile_errors.first && @compile_errors.first[0] <= offset
    end

    # What is wrong with a part, if that is the event's business.
    def message(event, node)
      error = @parts[event]&.find { |each| part?(each, node) }
      error && worded(event, error)
    end

    # The warnings about what begins up to a byte.
    def each_warning(offset)
      while (warning = @warnings.first) && warning.location.begin <= offset
        event = warning_event(@warnings.shift)
        yield(*event) if event
      end
    end

    def each_magic_comment(token)
      range = token.offset...token.offset + token.text.bytesize
      @magic_comments.each do |key, value|
        yield @source.byteslice(key).tr("-", "_"), @source.byteslice(value) if range.cover?(key.begin)
      end
    end

    private

    def sort_out
      @parts = {}
      @compile_errors = []
      @errors.each do |error|
        event = part_event(error)
        next (@parts[event] ||= []) << error if event
        match = COMPLETE.match(error.message)
        next @is_fatal = true unless match
        next if error.message == "Invalid yield"
        @compile_errors << [error.location.begin, match[:text] || match[:setter] || error.message]
      end
    end

    def part_event(error) = PARTS.find { |_event, pattern| pattern.match?(error.message) }&.first

    # The parser points at the equals sign when `self` or `nil` is written to.
    def part?(error, node)
      error.location.begin == node.first || (@source.byteslice(error.location) == "=" && (node.last..error.location.begin).size <= 2 && node.last <= error.location.begin)
    end

    def worded(event, error)
      case event
      when :on_alias_error then "can't make alias for the number variables"
      when :on_class_name_error then "class/module name must be CONSTANT"
      when :on_param_error then error.message[/formal argument cannot be .*/] || "formal argument must be local variable"
      else error.message
      end
    end

    def error_event(error)
      event = part_event(error)
      return [event, worded(event, error), @source.byteslice(error.location)] if event
      lexical = LEXICAL.match(error.message) || COMPLETE.match(error.message)
      return [:on_parse_error, error.message] unless lexical
      [:compile_error, lexical_message(lexical, error)]
    end

    def lexical_message(match, error)
      named = match.named_captures
      return "unterminated #{named["kind"]} meets end of file" if named["kind"]
      named["text"]&.delete_suffix("; expected a closing delimiter") || named["heredoc"] || named["setter"] || error.message
    end

    def warning_event(warning)
      text = warning.message
      case text
      when /\Aambiguous first argument; put parentheses or a space even after `(.)`/ then [:on_arg_ambiguous, $1]
      when /\Aambiguous `\/`/ then [:on_arg_ambiguous, "/"]
      when /\A'(.+)' after local variable or literal .* seems like (.+)/ then [:on_operator_ambiguous, $1.to_sym, $2]
      when /\Aambiguous `(.+)` has been/ then [:warning, "'%s' interpreted as argument prefix", $1]
      when /\A'(.+)' is ignored after any tokens/ then [:warning, "'%s' is ignored after any tokens", $1]
      when /\Ainvalid value for (.+): (.*)/ then [:warning, "invalid value for %s: %s", $1, $2]
      when /\A'when' clause on line (\d+) duplicates 'when' clause on line (\d+)/
        [:warning, "'when' clause on line %d duplicates 'when' clause on line %d and is ignored", $1.to_i, $2.to_i]
      when /\Akey (.+) is duplicated and overwritten on line (\d+)/
        [:warn, "key %+li\v is duplicated and overwritten on line %d", key($1), $2.to_i]
      when /\Amismatched indentations at '(.+)' with '(.+)' at (\d+)/ then [:warning, "mismatched indentations at '%s' with '%s' at %d", $1, $2, $3.to_i]
      when /\Aencountered (\S+) in middle of line/ then [:warn, "encountered %s in middle of line, treated as a mere space", $1]
      when /in void context|\Aassigned but unused/ then nil
      else [warning.level == 0 ? :warn : :warning, text]
      end
    end

    # A key as it is written: a symbol, a number or a string.
    def key(text)
      case text
      when /\A:"?(.*?)"?\z/ then $1.to_sym
      when /\A-?\d+\z/ then text.to_i
      else text
      end
    end
  end
end
