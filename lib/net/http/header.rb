# frozen_string_literal: true

# The headers of requests and answers: names in any case, each with a list of values.
module Net::HTTPHeader
  # Bytes that a name and a value may have.
  MAX_KEY_LENGTH = 1024
  MAX_FIELD_LENGTH = 65_536

  def initialize_http_header(headers)
    @header = {}
    headers&.each do |name, value|
      warn "net/http: duplicated HTTP header: #{name}", uplevel: 3 if $VERBOSE && key?(name)
      next (warn "net/http: nil HTTP header: #{name}", uplevel: 3 if $VERBOSE) if value.nil?
      value = value.strip
      @header[checked_name(name)] = [checked(name, value)]
    end
  end

  def [](name) = @header[name.downcase.to_s]&.join(", ")

  def []=(name, value)
    !value ? @header.delete(name.downcase.to_s) : @header[checked_name(name)] = fields_of(name, value)
  end

  def add_field(name, value)
    values = fields_of(name, value)
    (@header[checked_name(name)] ||= []).concat(values)
  end

  def get_fields(name) = @header[name.downcase.to_s]&.dup

  def fetch(name, *default, &block)
    values = @header.fetch(name.downcase.to_s, *default, &block)
    values.is_a?(Array) ? values.join(", ") : values
  end

  def key?(name) = @header.key?(name.downcase.to_s)

  def delete(name) = @header.delete(name.downcase.to_s)

  def size = @header.size
  alias length size

  def each_header
    return to_enum(:each_header) { size } unless block_given?
    @header.each { |name, values| yield name, values.join(", ") }
  end
  alias each each_header

  def each_name(&block)
    return to_enum(:each_name) { size } unless block
    @header.each_key(&block)
  end
  alias each_key each_name

  def each_value
    return to_enum(:each_value) { size } unless block_given?
    each_header { |_, value| yield value }
  end

  def each_capitalized
    return to_enum(:each_capitalized) { size } unless block_given?
    each_header { |name, value| yield capitalize(name), value }
  end
  alias canonical_each each_capitalized

  def each_capitalized_name
    return to_enum(:each_capitalized_name) { size } unless block_given?
    @header.each_key { |name| yield capitalize(name) }
  end

  def to_hash = @header.dup

  def content_length
    text = self["Content-Length"] or return nil
    Integer(text[/\d+/] || raise(Net::HTTPHeaderSyntaxError, "wrong Content-Length format"), 10)
  end

  def content_length=(length)
    self["Content-Length"] = length && length.to_i.to_s
  end

  def chunked? = self["Transfer-Encoding"].to_s.match?(/(?:\A|[^\-\w])chunked(?![\-\w])/i)

  def content_type
    main = main_type
    sub_type ? "#{main}/#{sub_type}" : main
  end

  def main_type = self["Content-Type"]&.split(";")&.first.to_s.split("/")[0]&.strip

  def sub_type = self["Content-Type"]&.split(";")&.first.to_s.split("/")[1]&.strip

  def type_params
    parts = self["Content-Type"].to_s.split(";").drop(1)
    parts.to_h { |part| part.split("=", 2).map(&:strip) }
  end

  def set_content_type(type, params = {})
    self["Content-Type"] = type + params.map { |name, value| "; #{name}=#{value}" }.join
  end
  alias content_type= set_content_type

  # Asks for a part: a range, a first byte with a count, the first so many bytes, or with a negative count the last ones.
  def set_range(range, count = nil)
    return @header.delete("range") unless range
    range = range...(range + count) if count
    self["Range"] = "bytes=#{range_text(range)}"
    range
  end
  alias range= set_range

  # The ranges that are asked for; nil if none are.
  def range
    text = self["Range"] or return nil
    spec = /(?:\d+-\d*|-\d+)/
    unless text.match?(/\Abytes\s*=#{spec}(?:\s*,\s*#{spec})*,?\z/)
      raise Net::HTTPHeaderSyntaxError, "invalid syntax for byte-ranges-specifier: '#{text}'"
    end
    ranges = text.scan(spec).map { |part| one_range(part) }
    if ranges == [0..-1]
      raise Net::HTTPHeaderSyntaxError, "only one suffix-byte-range-spec with zero suffix-length"
    end
    ranges
  end

  # The part that an answer has.
  def content_range
    text = self["Content-Range"] or return nil
    match = /\A\s*(\w+)\s+(\d+)-(\d+)\/(\d+|\*)/i.match(text) or raise Net::HTTPHeaderSyntaxError, "wrong Content-Range format"
    match[2].to_i..match[3].to_i if match[1] == "bytes"
  end

  def range_length = content_range&.then { |range| range.end - range.begin + 1 }

  def set_form_data(params, separator = "&")
    text = URI.encode_www_form(params)
    text = text.gsub("&", separator) unless separator == "&"
    self.body = text
    self.content_type = "application/x-www-form-urlencoded"
  end
  alias form_data= set_form_data

  # Has the request send a form, as "multipart/form-data" if it says so: then with files, and texts of a charset or boundary.
  def set_form(params, enctype = "application/x-www-form-urlencoded", options = {})
    @body_data = params
    @body = nil
    @body_stream = nil
    @form_option = options
    unless enctype.match?(%r{\A(?:application/x-www-form-urlencoded|multipart/form-data)\z}i)
      raise ArgumentError, "invalid enctype: #{enctype}"
    end
    self.content_type = enctype
  end

  def basic_auth(account, password) = @header["authorization"] = [basic_encode(account, password)]

  def proxy_basic_auth(account, password) = @header["proxy-authorization"] = [basic_encode(account, password)]

  def connection_close? = self["Connection"].to_s.match?(/(?:\A|,)\s*close\s*(?:\z|,)/i)

  def connection_keep_alive? = self["Connection"].to_s.match?(/(?:\A|,)\s*keep-alive\s*(?:\z|,)/i)

  private

  def basic_encode(account, password) = "Basic #{["#{account}:#{password}"].pack("m0")}"

  def range_text(range)
    if Numeric === range
      count = range.to_i
      return count > 0 ? "0-#{count - 1}" : "-#{-count}"
    end
    raise TypeError, "Range/Integer is required" unless Range === range
    first = range.begin
    last = range.end
    last -= 1 if range.exclude_end?
    return first > 0 ? "#{first}-" : first.to_s if last == -1
    raise Net::HTTPHeaderSyntaxError, "range.first is negative" if first < 0
    raise Net::HTTPHeaderSyntaxError, "range.last is negative" if last < 0
    raise Net::HTTPHeaderSyntaxError, "must be .first < .last" if first > last
    "#{first}-#{last}"
  end

  def one_range(part)
    first, last = part.split("-", 2)
    return -last.to_i..-1 if first.empty?
    return first.to_i..-1 if last.empty?
    return first.to_i..last.to_i if first.to_i <= last.to_i
    raise Net::HTTPHeaderSyntaxError, "last-byte-pos MUST greater than or equal to first-byte-pos but '#{part}'"
  end

  # Values may be nested.
  def fields_of(name, value)
    return [checked(name, value.to_s)] unless Enumerable === value
    value.flat_map { |part| fields_of(name, part) }
  end

  # A name that ended its line would let whoever chose it add headers.
  def checked_name(name)
    text = name.downcase.to_s
    raise ArgumentError, "too long (#{text.bytesize} bytes) header: #{text[0, 30].inspect}..." if text.bytesize > MAX_KEY_LENGTH
    raise ArgumentError, "header field name cannot include #{text.dump}" if text.b.match?(/[\x00-\x1f:\x7f]/n)
    text
  end

  def checked(name, text)
    raise ArgumentError, "header #{name} has too long field value: #{text.bytesize}" if text.bytesize > MAX_FIELD_LENGTH
    raise ArgumentError, "header field value cannot include CR/LF" if text.b.match?(/[\r\n]/n)
    text
  end

  def capitalize(name) = name.to_s.split("-").map(&:capitalize).join("-")
end
