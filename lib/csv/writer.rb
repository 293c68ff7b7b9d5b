# frozen_string_literal: true

class CSV
  # Rows as lines. A field is quoted if it would otherwise be read as something else.
  class Writer
    attr_reader :lineno, :headers

    def initialize(io, options, encoding, row_sep, header_converters)
      @io = io
      @col_sep = options[:col_sep].to_s.encode(encoding)
      @row_sep = row_sep
      @quote = options[:quote_char]&.encode(encoding)
      @force = options[:force_quotes]
      @quotes_empty = options[:quote_empty]
      @nil_value = options[:write_nil_value]
      @empty_value = options[:write_empty_value]
      @converters = Fields.new(CSV::Converters, :converter, options[:write_converters])
      @special = Regexp.union(*["\r", "\n", @col_sep, *@quote].map { |text| text.encode(encoding) })
      @lineno = 0
      @wants_headers = options[:write_headers]
      @given = options[:headers]
      @header_converters = header_converters
      prepare_headers
    end

    def rewind
      @lineno = 0
      prepare_headers
    end

    def <<(row)
      case row
      when Row
        @headers ||= row.headers if @given
        write_headers_once
        fields = row.fields
      when Hash
        @headers ||= row.keys
        write_headers_once
        fields = @headers.map { |header| row[header] }
      else
        if @given && @headers.nil?
          @headers = row
          @is_header_written = true
        end
        write_headers_once unless row.equal?(@headers)
        fields = row
      end
      @lineno += 1
      put(line(fields))
      self
    end

    private

    def prepare_headers
      @headers = nil
      @is_header_written = false
      case @given
      when Array then @headers = @given
      when String then @headers = CSV.parse_line(@given, col_sep: @col_sep, row_sep: @row_sep, quote_char: @quote)
      end
      return unless @headers
      @headers = @header_converters.convert(@headers, nil, 0, nil).map { |header| header.is_a?(String) ? header.dup.freeze : header }
      write_headers_once
    end

    def write_headers_once
      return if @is_header_written || !@wants_headers || !@headers
      @is_header_written = true
      put(line(@headers))
    end

    # A text of ASCII takes the encoding of what comes first beyond that.
    def put(text)
      @io.set_encoding(text.encoding) if @io.is_a?(StringIO) && !text.ascii_only? && @io.string.encoding != text.encoding && @io.string.ascii_only?
      @io << text
    end

    def line(fields)
      fields = @converters.convert(fields, nil, @lineno, nil)
      fields.map { |field| text(field) }.join(@col_sep) << @row_sep
    end

    def text(field)
      if field.nil?
        field = @nil_value
        return @force ? @quote * 2 : "" if field.nil?
      end
      text = field.is_a?(String) ? field : String(field)
      text = @empty_value.to_s if text.empty?
      return text unless @quote
      return @quotes_empty || @force ? @quote * 2 : "" if text.empty?
      @force || text.match?(@special) ? "#{@quote}#{text.gsub(@quote) { @quote * 2 }}#{@quote}" : text
    end
  end
end
