# frozen_string_literal: true

class CSV
  # Reads rows, a line at a time. A line without quotes is split; one with them is gone through field by field, and takes the next line
  # to it while a quote is open.
  class Parser
    attr_reader :headers, :line, :lineno, :col_sep, :skip_lines

    def initialize(io, data, options, encoding, converters, header_converters)
      @io = io
      @data = data
      @options = options
      @encoding = encoding
      @converters = converters
      @header_converters = header_converters
      @col_sep = options[:col_sep]
      raise ArgumentError, ":col_sep must be 1 or more characters: #{@col_sep.inspect}" if @col_sep.nil? || @col_sep.to_s.empty?
      @col_sep = @col_sep.to_s.encode(encoding)
      @quote = options[:quote_char]
      raise ArgumentError, ":quote_char has to be nil or a single character String" if @quote && @quote.to_s.length != 1
      @quote = @quote&.to_s&.encode(encoding)
      @cr, @lf = ["\r", "\n"].map { |text| text.encode(encoding) }
      @newline = Regexp.union(@cr, @lf)
      @limit = options[:max_field_size] || (options[:field_size_limit] && options[:field_size_limit] - 1)
      @liberal = options[:liberal_parsing] ? (options[:liberal_parsing].is_a?(Hash) ? options[:liberal_parsing] : {}) : nil
      @strip = options[:strip]
      @skips_blanks = options[:skip_blanks]
      @skip_lines = skipper(options[:skip_lines])
      @row_sep = options[:row_sep] == :auto ? nil : options[:row_sep].to_s.encode(encoding)
      restart
      fixed_headers
    end

    def row_sep = @row_sep ||= found_row_sep

    def rewind
      restart
      fixed_headers
    end

    # The next row, or nil at the end.
    def shift
      return @pending.shift unless @pending.empty?
      while (fields = next_fields)
        return dressed(fields) unless @options[:headers]
        if @headers.nil?
          row = take_headers(fields)
          return row if row
          next
        end
        return dressed(fields)
      end
      nil
    end

    private

    def restart
      @lineno = 0
      @line = nil
      @headers = nil
      @pending = []
      @quoted = nil
      @ahead = nil
    end

    def fixed_headers
      given = @options[:headers]
      names =
        case given
        when Array then given
        when String then CSV.parse_line(given, col_sep: @col_sep, row_sep: @options[:row_sep], quote_char: @quote)
        end
      return unless names
      row = take_headers(names)
      @pending << row if row
    end

    # Rows of headers are handed out where they are asked for.
    def take_headers(fields)
      originals = fields
      @headers = @header_converters.convert(fields, nil, @lineno, @quoted).map { |header| header.is_a?(String) ? (header.frozen? ? header : header.dup.freeze) : header }.freeze
      return unless @options[:return_headers]
      Row.new(@headers, originals, true).tap { |row| keep_unconverted(row, originals) }
    end

    def dressed(fields)
      converted = @converters.empty? ? fields : @converters.convert(fields, @headers, @lineno, @quoted)
      row = @headers ? Row.new(@headers, converted) : converted
      keep_unconverted(row, fields)
      row
    end

    def keep_unconverted(row, fields)
      row.define_singleton_method(:unconverted_fields) { fields } if @options[:unconverted_fields]
    end

    def skipper(given)
      case given
      when nil then nil
      when String then Regexp.new(Regexp.escape(given.encode(@encoding)))
      else
        raise ArgumentError, ":skip_lines has to respond to #match: #{given.inspect}" unless given.respond_to?(:match)
        given
      end
    end

    # ---- lines ----

    # As the first end of a line has it.
    def found_row_sep
      plain = ($INPUT_RECORD_SEPARATOR || "\n").encode(@encoding)
      head = @data.is_a?(String) ? @data : peeked
      return plain unless head
      at = head.index(@newline) or return plain
      found = head[at, 2]
      found == @cr + @lf ? found : found[0]
    rescue ArgumentError, EncodingError
      plain
    end

    # What a stream begins with, up to the first end of a line. A stream that cannot go back keeps it for #next_line.
    def peeked
      return if @io.respond_to?(:tty?) && @io.tty?
      at = place
      head = +""
      while (more = @io.gets(nil, 1024))
        head = head.empty? ? more : head << more
        break if (found = head.index(@newline)) && found + 1 < head.size
      end
      at ? @io.seek(at) : @ahead = head
      head
    rescue IOError
      nil
    end

    def place
      @io.pos if @io.respond_to?(:seek)
    rescue SystemCallError
      nil
    end

    def next_line
      ending = row_sep
      text = @ahead ? line_ahead(ending) : @io.gets(ending)
      return unless text
      text = text.encode(@encoding) unless text.encoding == @encoding || !@options[:internal_encoding]
      text
    end

    # A line of what was read ahead; the last one may go on in the stream.
    def line_ahead(ending)
      at = @ahead.index(ending)
      return @ahead.slice!(0, at + ending.size) if at
      text, @ahead = @ahead, nil
      text << (@io.gets(ending) || "")
      # The ending itself may have been cut in two.
      at = text.index(ending)
      text, @ahead = text[0, at + ending.size], text[at + ending.size..] if at && at + ending.size < text.size
      text unless text.empty?
    end

    def next_fields
      while (text = next_line)
        @line = text
        body = text.delete_suffix(row_sep)
        if @strip && stripped(body).empty?
          next if text == body
          body = ""
        end
        next if body.empty? && @skips_blanks
        # A row counts for one line, however many it takes.
        @lineno += 1
        next if @skip_lines && @skip_lines.match(body)
        raise InvalidEncodingError.new(@encoding, @lineno) unless body.valid_encoding?
        if body.empty?
          @quoted = nil
          return []
        end
        return fields_of(body)
      end
    end

    # A separator of one blank would split at any blanks.
    SPACE = / /
    private_constant :SPACE

    def fields_of(body)
      @quoted = nil
      return gone_through(body) if @quote && body.include?(@quote)
      refuse_newlines(body)
      fields = @col_sep == " " ? body.split(SPACE, -1) : body.split(@col_sep, -1)
      fields.map! { |field| stripped(field) } if @strip
      fields.map! { |field| field.empty? ? nil : field }
      fields.each { |field| limit!(field) } if @limit
      fields
    end

    # Lines end in one way throughout.
    def refuse_newlines(text)
      return if @quote.nil? || !text.include?(@cr) && !text.include?(@lf)
      at = text.index(@newline)
      found = text[at, 2]
      found = found[0] unless found == @cr + @lf
      # What is left of an ending that is not whole.
      found = @cr + @lf if found == @cr && text.end_with?(@cr) && row_sep == @lf
      found, wanted = [found, row_sep].map { |ending| ending.encode(Encoding::UTF_8).inspect }
      message = at == 0 || text[0, at].end_with?(@col_sep) ? "New line must be <#{wanted}> not <#{found}>" : "Unquoted fields do not allow new line <#{found}>"
      raise MalformedCSVError.new(message, @lineno)
    end

    # Newlines are no blanks.
    def stripped(field)
      return field.delete_prefix(@strip).delete_suffix(@strip) if @strip.is_a?(String)
      field.ascii_only? || @encoding == Encoding::UTF_8 ? field.sub(/\A[ \f\t\v]+/, "").sub(/[ \f\t\v]+\z/, "") : field.strip
    end

    def limit!(field)
      return unless field && field.size > @limit
      raise MalformedCSVError.new("Field size exceeded: #{field.size} > #{@limit}", @lineno)
    end

    # ---- quotes ----

    # Fields of a text with quotes in it.
    def gone_through(body)
      fields = []
      at = 0
      loop do
        at = skip_blanks(body, at) if @strip
        if body.byteslice(at, @quote.bytesize) == @quote
          field, at, body = quoted_field(body, at + @quote.bytesize)
          (@quoted ||= []) << fields.size
        else
          field, at = bare_field(body, at)
        end
        limit!(field) if @limit
        fields << field
        break if at >= body.bytesize
        at += @col_sep.bytesize
        if at >= body.bytesize
          fields << nil
          break
        end
      end
      fields
    end

    def skip_blanks(body, at)
      mark = @strip.is_a?(String) ? @strip : nil
      at += 1 while mark ? body.byteslice(at, mark.bytesize) == mark : BLANKS.include?(body.getbyte(at))
      at
    end

    BLANKS = [32, 9, 11, 12].freeze
    private_constant :BLANKS

    # A field that no quote opens. Quotes in it are a mistake, except where they are let through.
    def bare_field(body, at)
      stop = body.byteindex(@col_sep, at) || body.bytesize
      field = body.byteslice(at, stop - at)
      if !@liberal && (quote = field.index(@quote))
        refuse_newlines(field[0, quote])
        raise MalformedCSVError.new("Illegal quoting", @lineno)
      end
      refuse_newlines(field)
      field = stripped(field) if @strip
      [field.empty? ? nil : field, stop]
    end

    # The field, where it ends, and the text with the lines that it took.
    def quoted_field(body, at)
      value = String.new(encoding: body.encoding)
      loop do
        close = body.byteindex(@quote, at)
        unless close
          body = with_next_line(body)
          next
        end
        value << body.byteslice(at, close - at)
        at = close + @quote.bytesize
        if body.byteslice(at, @quote.bytesize) == @quote
          value << @quote
          at += @quote.bytesize
          next
        end
        at = skip_blanks(body, at) if @strip
        return [value, at, body] if at >= body.bytesize || body.byteslice(at, @col_sep.bytesize) == @col_sep
        return after_quotes(body, at, value)
      end
    end

    def after_quotes(body, at, value)
      stop = body.byteindex(@col_sep, at) || body.bytesize
      rest = body.byteslice(at, stop - at)
      raise MalformedCSVError.new("Any value after quoted field isn't allowed", @lineno) if !@liberal || rest.match?(@newline)
      [@liberal[:double_quote_outside_quote] ? value + rest : "#{@quote}#{value}#{@quote}#{rest}", stop, body]
    end

    def with_next_line(body)
      more = @line.end_with?(row_sep) ? next_line : nil
      raise MalformedCSVError.new("Unclosed quoted field", @lineno) unless more
      limit!(body) if @limit
      @line += more
      body + row_sep + more.delete_suffix(row_sep)
    end
  end
end
