# frozen_string_literal: true

class CSV
  # How dates and times may be written for the converters to take them.
  DateMatcher = / \A(?: (\w+,?\s+)?\w+\s+\d{1,2},?\s+\d{2,4} | \d{4}-\d{2}-\d{2} )\z /x
  DateTimeMatcher = / \A(?: (\w+,?\s+)?\w+\s+\d{1,2}\s+\d{1,2}:\d{1,2}:\d{1,2},?\s+\d{2,4} | \d{4}-\d{2}-\d{2}(?:[T\s]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?(?:[+-]\d{2}(?::\d{2})|\s(?:UTC|[+-]\d{4})|Z)?)?)? )\z /x

  class << self
    private

    # What the block makes of a text in UTF-8, or the field itself.
    def attempt(field, pattern = nil)
      text = field.encode(Encoding::UTF_8)
      return field if pattern && !pattern.match?(text)
      yield text
    rescue ArgumentError, TypeError, EncodingError
      field
    end

  end

  attempted = method(:attempt)

  Converters = {
    integer: ->(field) { attempted.call(field) { |text| Integer(text) } },
    float: ->(field) { attempted.call(field) { |text| Float(text) } },
    numeric: %i[integer float],
    date: ->(field) { attempted.call(field, DateMatcher) { |text| Date.parse(text) } },
    date_time: ->(field) { attempted.call(field, DateTimeMatcher) { |text| DateTime.parse(text) } },
    time: ->(field) { attempted.call(field, DateTimeMatcher) { |text| require("time"); Time.parse(text) } },
    all: %i[date_time numeric]
  }

  HeaderConverters = {
    downcase: ->(header) { header.encode(Encoding::UTF_8).downcase },
    symbol: ->(header) { header.encode(Encoding::UTF_8).downcase.gsub(/[^\s\w]+/, "").strip.gsub(/\s+/, "_").to_sym },
    symbol_raw: ->(header) { header.encode(Encoding::UTF_8).strip.to_sym }
  }

  # The converters of fields or headers, in order. A field goes through them until one makes something else than a string of it.
  class Fields
    def initialize(known, kind, given, nil_value: nil, empty_value: "")
      @known = known
      @kind = kind
      @nil_value = nil_value
      @empty_value = empty_value
      @steps = []
      @is_for_headers = kind == :header_converter
      [*given].each { |converter| add(converter) }
    end

    def add(converter = nil, &block)
      case converter
      when nil
        raise ArgumentError, "no converter given" unless block
        @steps << block
      when Array then converter.each { |each| add(each) }
      when Proc then @steps << converter
      when Symbol, String
        found = @known[converter.to_sym]
        raise NoMethodError, "undefined #{@kind.to_s.tr("_", " ")}: #{converter.inspect}" unless found
        found.is_a?(Array) ? found.each { |each| add(each) } : @steps << found
      else @steps << converter
      end
      self
    end

    # Known ones by their names.
    def names = @steps.map { |step| @known.key(step) || step }

    def empty? = @steps.empty? && @nil_value.nil? && @empty_value == ""

    def convert(fields, headers, line, quoted)
      return fields if empty?
      fields.each_with_index.map { |field, index| step_through(standing_in(field), headers, index, line, quoted) }
    end

    private

    def standing_in(field)
      return @nil_value if field.nil?
      field.is_a?(String) && field.empty? ? @empty_value : field
    end

    def step_through(field, headers, index, line, quoted)
      @steps.each do |step|
        break if field.nil? && headers
        break unless field.is_a?(String)
        field = takes_one?(step) ? step.call(field) : step.call(field, FieldInfo.new(index, line, headers && headers[index], quoted ? quoted.include?(index) : false))
      end
      field
    end

    def takes_one?(step) = step.respond_to?(:arity) ? step.arity == 1 : step.method(:call).arity == 1
  end
end
