# frozen_string_literal: true

# Tables as text: lines of fields with something between them. Reading is the parser's, writing the writer's; rows and tables are what
# is read where there are headers.
require "forwardable"
require "stringio"

# Programs that read tables take dates for granted.
autoload :Date, "date"
autoload :DateTime, "date"

class CSV
  include Enumerable

  VERSION = "3.3.5".freeze

  # Says in which line the text is no CSV.
  class MalformedCSVError < RuntimeError
    attr_reader :line_number
    alias lineno line_number

    def initialize(message, line_number)
      @line_number = line_number
      super("#{message} in line #{line_number}.")
    end
  end

  class InvalidEncodingError < MalformedCSVError
    attr_reader :encoding

    def initialize(encoding, line_number)
      @encoding = encoding
      super("Invalid byte sequence in #{encoding}", line_number)
    end
  end

  # What a converter with two parameters is told of a field.
  FieldInfo = Struct.new(:index, :line, :header, :quoted?)

  DEFAULT_OPTIONS = {
    col_sep: ",", row_sep: :auto, quote_char: '"', field_size_limit: nil, max_field_size: nil, converters: nil, unconverted_fields: nil, headers: false, return_headers: false,
    header_converters: nil, skip_blanks: false, force_quotes: false, skip_lines: nil, liberal_parsing: false, internal_encoding: nil, external_encoding: nil, encoding: nil,
    nil_value: nil, empty_value: "", write_converters: nil, write_nil_value: nil, write_empty_value: "", strip: false, write_headers: nil, quote_empty: true
  }.freeze

  require "csv/row"
  require "csv/table"
  require "csv/fields"
  require "csv/parser"
  require "csv/writer"

  class << self
    # The object for a stream and options, the same one each time.
    def instance(data = $stdout, **options)
      key = [data.object_id, options.sort_by { |name, _| name.to_s }]
      @instances ||= {}
      csv = @instances[key] ||= new(data, **options)
      block_given? ? yield(csv) : csv
    end

    # Rows that are read from one stream, changed by a block and written to another.
    def filter(input = nil, output = nil, **options)
      input, output = output, input if input.is_a?(Hash)
      own = { in: {}, out: {} }
      options.each do |name, value|
        side, rest = name.to_s.split("_", 2)
        case side
        when "in", "input" then own[:in][rest.to_sym] = value
        when "out", "output" then own[:out][rest.to_sym] = value
        else own.each_value { |each| each[name] = value }
        end
      end
      reader = new(input || ARGF, **own[:in])
      writer = new(output || $stdout, **own[:out])
      reader.each do |row|
        yield row
        writer << row
      end
    end

    def foreach(path, mode = "r", **options, &block)
      return to_enum(__method__, path, mode, **options) unless block
      open(path, mode, **options) { |csv| csv.each(&block) }
    end

    def generate(text = nil, **options)
      encoding = options.delete(:encoding)
      if text
        io = StringIO.new(+text)
        io.seek(0, IO::SEEK_END)
      else
        io = StringIO.new(String.new(encoding: encoding || Encoding.default_external))
      end
      csv = new(io, **options)
      yield csv
      csv.string
    end

    def generate_line(row, **options)
      encoding = options.delete(:encoding)
      options = { row_sep: $INPUT_RECORD_SEPARATOR || "\n" }.merge(options)
      text = String.new(encoding: encoding || row.find { |field| field.is_a?(String) }&.encoding || Encoding.default_external)
      csv = new(text, **options)
      csv << row
      csv.string
    end

    def generate_lines(rows, **options) = generate(**options) { |csv| rows.each { |row| csv << row } }

    FILE_OPTIONS = %i[universal_newline invalid undef replace fallback xml cr_newline crlf_newline newline textmode binmode autoclose perm flags].freeze
    private_constant :FILE_OPTIONS

    def open(path, mode = "r", **options)
      file_options = options.slice(*FILE_OPTIONS)
      options = options.except(*FILE_OPTIONS)
      %i[external_encoding internal_encoding encoding].each { |name| file_options[name] = options.delete(name) if options[name] }
      file_options[:universal_newline] ||= false
      file = path.is_a?(StringIO) ? path : File.open(path, mode, **file_options.compact)
      csv = begin
        new(file, **options)
      rescue Exception
        file.close
        raise
      end
      return csv unless block_given?
      begin
        yield csv
      ensure
        csv.close
      end
    end

    def parse(text, **options, &block)
      csv = new(text, **options)
      block ? csv.each(&block) : csv.read
    end

    def parse_line(line, **options) = new(line, **options).each.first

    def read(path, **options) = open(path, **options, &:read)

    def readlines(path, **options) = read(path, **options)

    def table(path, **options) = read(path, headers: true, converters: :numeric, header_converters: :symbol, **options)
  end

  extend Forwardable

  def_delegators :@io, :binmode, :close, :close_read, :close_write, :closed?, :external_encoding, :fcntl, :fileno, :flush, :fsync, :internal_encoding, :isatty, :pid, :pos, :pos=,
                 :reopen, :string, :sync, :sync=, :tell, :truncate, :tty?

  def binmode? = @io.respond_to?(:binmode?) ? @io.binmode? : false
  def path = (@io.path if @io.respond_to?(:path))
  def to_io = @io.respond_to?(:to_io) ? @io.to_io : @io

  %i[flock ioctl stat to_i].each do |name|
    define_method(name) do |*arguments|
      raise NotImplementedError unless @io.respond_to?(name)
      @io.__send__(name, *arguments)
    end
  end

  attr_reader :encoding

  def initialize(data = "", **options)
    raise ArgumentError, "Cannot parse nil as CSV" if data.nil?
    unknown = options.keys - DEFAULT_OPTIONS.keys
    raise ArgumentError, "unknown keyword#{"s" if unknown.size > 1}: #{unknown.map(&:inspect).join(", ")}" unless unknown.empty?
    @options = DEFAULT_OPTIONS.merge(options)
    @io = data.is_a?(String) ? StringIO.new(data) : data
    if data.is_a?(String)
      @io.set_encoding(@options[:encoding]) if @options[:encoding]
    end
    @encoding = (@options[:internal_encoding] || @options[:encoding])&.then { |name| name.is_a?(Encoding) ? name : Encoding.find(name.to_s.split(":").last) } || encoding_of(data)
    @converters = Fields.new(CSV::Converters, :converter, @options[:converters], nil_value: @options[:nil_value], empty_value: @options[:empty_value])
    @header_converters = Fields.new(HeaderConverters, :header_converter, @options[:header_converters])
    @parser = Parser.new(@io, data, @options, @encoding, @converters, @header_converters)
    @writer = nil
    @is_at_end = false
    writer if @options[:write_headers] && @options[:headers] && @options[:headers] != true && @options[:headers] != :first_row
  end

  def col_sep = @parser.col_sep
  def row_sep = @parser.row_sep
  def quote_char = @options[:quote_char]
  def field_size_limit = @options[:field_size_limit]
  def max_field_size = @options[:max_field_size]
  def skip_lines = @parser.skip_lines
  def converters = @converters.names
  def header_converters = @header_converters.names
  def unconverted_fields? = @options[:unconverted_fields]
  def return_headers? = @options[:return_headers] ? true : false
  def write_headers? = @options[:write_headers]
  def skip_blanks? = @options[:skip_blanks] ? true : false
  def force_quotes? = @options[:force_quotes] ? true : false
  def liberal_parsing? = @options[:liberal_parsing] ? true : false

  # Until they are read or written: true. nil without headers.
  def headers
    return @writer.headers || true if @writer && headers?
    @parser.headers || (headers? ? true : nil)
  end

  def lineno = @writer ? @writer.lineno : @parser.lineno
  def line = @parser.line

  def convert(name = nil, &) = @converters.add(name, &)
  def header_convert(name = nil, &) = @header_converters.add(name, &)

  def eof?
    return false if @next_row
    @next_row = @parser.shift
    @next_row.nil?
  end
  alias eof eof?

  def rewind
    @next_row = nil
    @parser.rewind
    @writer&.rewind
    @io.rewind
  end

  def header_row? = headers? && !@parser.headers && !@writer ? true : false

  def <<(row)
    writer << row
    self
  end
  alias add_row <<
  alias puts <<

  def each
    return to_enum(__method__) { nil } unless block_given?
    while (row = shift)
      yield row
    end
    self
  end

  # A Table where there are headers, an array of arrays where there are none.
  def read
    rows = to_a
    return rows unless headers?
    Table.new(rows, headers: @parser.headers)
  end
  alias readlines read

  def shift
    if @next_row
      row, @next_row = @next_row, nil
      return row
    end
    @parser.shift
  end
  alias gets shift
  alias readline shift

  def inspect
    kind = { $stdout => "$stdout", $stdin => "$stdin", $stderr => "$stderr" }.fetch(@io, @io.class)
    parts = ["io_type:#{kind}", *(path && "io_path:#{path.inspect}"), "encoding:#{@encoding}", "lineno:#{lineno}", "col_sep:#{col_sep.inspect}", "row_sep:#{row_sep.inspect}", "quote_char:#{quote_char.inspect}"]
    parts << "headers:#{headers.inspect}" if headers?
    "#<#{self.class} #{parts.join(" ")}>"
  end

  private

  def headers? = @options[:headers] ? true : false

  def writer = @writer ||= Writer.new(@io, @options, @encoding, row_sep, @header_converters)

  def encoding_of(data)
    return data.encoding if data.is_a?(String)
    @io.respond_to?(:internal_encoding) && (@io.internal_encoding || @io.external_encoding) || @io.respond_to?(:string) && @io.string.encoding || Encoding.default_internal || Encoding.default_external
  rescue IOError
    Encoding.default_external
  end
end

# Lines of fields with tabs between them.
class CSV::TSV < CSV
  def initialize(data = "", **options) = super(data, col_sep: "\t", **options)
end

def CSV(*arguments, **options, &) = CSV.instance(*arguments, **options, &)

class Array
  # The line of these fields.
  def to_csv(**options) = CSV.generate_line(self, **options)
end

class String
  # The fields of this line.
  def parse_csv(**options) = CSV.parse_line(self, **options)
end
