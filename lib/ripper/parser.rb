# carat: core
# frozen_string_literal: true

# What the program's class inherits: reading a source, and the events, which answer for themselves until the class does.
class Ripper
  def filename = @__filename

  def column = @__column

  def lineno = @__lineno

  def state = @__state

  def token = @__token

  def debug_output = @__debug_output

  def debug_output=(stream)
    @__debug_output = stream
  end

  def yydebug = @__yydebug

  def initialize(source, filename = "(ripper)", lineno = 1)
    unless source.respond_to?(:gets)
      source = String.try_convert(source) || raise(TypeError, "no implicit conversion of #{source.nil? ? "nil" : source.class} into String")
    end
    @__source = source
    @__filename = filename.nil? ? "(ripper)" : String.new(filename).freeze
    @__first_line = lineno
    @__encoding = source.is_a?(String) ? source.encoding : Encoding.default_external
    @__yydebug = false
    @__debug_output = $stdout
  end

  def yydebug=(flag)
    @__yydebug = flag ? true : false
  end

  def encoding = @__encoding

  def error? = @__error ? true : false

  def end_seen? = @__end_seen ? true : false

  # Reads the source and sends the events; the result is what `on_program` returned.
  def parse
    source = __text
    reader = Reader.new(Ripper.__read(source, @__filename, @__first_line))
    @__encoding = reader.encoding
    @__end_seen = reader.data ? true : false
    source = source.dup.force_encoding(@__encoding) unless source.encoding == @__encoding
    problems = Problems.new(source, reader)
    @__error = problems.errors?
    tokens = Tokens.new(source, reader, @__first_line)
    # The end of an empty source is on the line below it.
    @__lineno, @__column = @__first_line + 1, 0 if tokens.list.empty?
    Walker.new(self, source, reader, tokens, problems).run
  ensure
    @__lineno = @__column = @__state = @__token = nil
  end

  # A token becomes the current one, and its event is sent.
  def __tell(token)
    @__lineno = token.line
    @__column = token.column
    @__state = token.state
    @__token = token.text
    __send__(SCANNER_METHODS[token.event], token.text.dup)
  end

  private

  def __text
    source = @__source
    return source if source.is_a?(String)
    text = +""
    while (line = source.gets)
      line = String.try_convert(line) || raise(TypeError, "no implicit conversion of #{line.class} into String")
      text << line
    end
    @__source = text
  end

  def dedent_string(text, width) = Ripper.dedent_string(text, width)

  def _dispatch_0() = nil
  def _dispatch_1(a) = a
  def _dispatch_2(a, _b) = a
  def _dispatch_3(a, _b, _c) = a
  def _dispatch_4(a, _b, _c, _d) = a
  def _dispatch_5(a, _b, _c, _d, _e) = a
  def _dispatch_6(a, _b, _c, _d, _e, _f) = a
  def _dispatch_7(a, _b, _c, _d, _e, _f, _g) = a

  SCANNER_METHODS = SCANNER_EVENTS.to_h { |event| [event, :"on_#{event}"] }.freeze
  private_constant :SCANNER_METHODS

  PARSER_EVENT_TABLE.each { |event, arity| alias_method :"on_#{event}", :"_dispatch_#{arity}" }
  SCANNER_EVENTS.each { |event| alias_method :"on_#{event}", :_dispatch_1 }

  # What is only worth a warning with `-w`, and what always is: a format and its arguments.
  def warn(fmt, *args) = nil

  def warning(fmt, *args) = nil

  def compile_error(message) = nil
end
