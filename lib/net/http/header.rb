# carat: core

# The headers of requests and answers: names in any case, each with a list of values.
module Net::HTTPHeader
  def initialize_http_header(headers)
    @header = {}
    headers&.each { |name, value| self[name] = value unless value.nil? }
  end

  def [](name) = @header[name.to_s.downcase]&.join(", ")

  def []=(name, value)
    if value.nil?
      @header.delete(name.to_s.downcase)
    else
      @header[name.to_s.downcase] = Array(value).map { |text| checked(text) }
    end
  end

  def add_field(name, value) = (@header[name.to_s.downcase] ||= []).concat(Array(value).map { |text| checked(text) })

  def get_fields(name) = @header[name.to_s.downcase]&.dup

  def fetch(name, *default, &block)
    values = @header.fetch(name.to_s.downcase, *default, &block)
    values.is_a?(Array) ? values.join(", ") : values
  end

  def key?(name) = @header.key?(name.to_s.downcase)

  def delete(name) = @header.delete(name.to_s.downcase)

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

  def content_length = self["Content-Length"]&.then { |text| Integer(text[/\d+/] || raise(Net::HTTPHeaderSyntaxError, "wrong Content-Length format")) }

  def content_length=(length)
    self["Content-Length"] = length&.to_s
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

  # Asks for a part: a range, a first byte with a count, or the last so many bytes.
  def set_range(range, count = nil)
    return delete("Range") unless range

    first, last = range.is_a?(Range) ? [range.begin, range.end] : [range, count && range + count - 1]
    last -= 1 if range.is_a?(Range) && range.exclude_end? && last
    self["Range"] = "bytes=#{range_text(first, last, range)}"
    range
  end
  alias range= set_range

  # The ranges that are asked for; nil if none are.
  def range
    text = self["Range"] or return nil
    parts = text[/\Abytes\s*=(.+)\z/, 1] or raise Net::HTTPHeaderSyntaxError, "invalid syntax for byte-ranges-specifier: '#{text}'"
    ranges = parts.split(",").map { |part| one_range(part.strip) }
    ranges.empty? ? nil : ranges
  end

  # The part that an answer has.
  def content_range
    text = self["Content-Range"] or return nil
    match = /\A\s*(\w+)\s+(\d+)-(\d+)\/(\d+|\*)/i.match(text) or raise Net::HTTPHeaderSyntaxError, "wrong Content-Range format"
    match[2].to_i..match[3].to_i if match[1] == "bytes"
  end

  def range_length = content_range&.size

  def set_form_data(params, separator = "&")
    text = URI.encode_www_form(params)
    text = text.gsub("&", separator) unless separator == "&"
    self.body = text
    self.content_type = "application/x-www-form-urlencoded"
  end
  alias form_data= set_form_data

  def basic_auth(user, password)
    self["Authorization"] = "Basic #{["#{user}:#{password}"].pack("m0")}"
  end

  def proxy_basic_auth(user, password)
    self["Proxy-Authorization"] = "Basic #{["#{user}:#{password}"].pack("m0")}"
  end

  def connection_close? = self["Connection"].to_s.match?(/(?:\A|,)\s*close\s*(?:\z|,)/i)

  def connection_keep_alive? = self["Connection"].to_s.match?(/(?:\A|,)\s*keep-alive\s*(?:\z|,)/i)

  private

  def range_text(first, last, given)
    return first.negative? ? first.to_s : "#{first}-" if last.nil? && !given.is_a?(Range)

    raise Net::HTTPHeaderSyntaxError, "range.first is negative" if first.negative?
    return "#{first}-" if last.nil? || last == -1
    raise Net::HTTPHeaderSyntaxError, "range.last is negative" if last.negative?
    raise Net::HTTPHeaderSyntaxError, "must be .first < .last" if first > last

    "#{first}-#{last}"
  end

  def one_range(part)
    case part
    when /\A(\d+)-(\d+)\z/ then $1.to_i <= $2.to_i ? $1.to_i..$2.to_i : raise(Net::HTTPHeaderSyntaxError, "last-byte-pos MUST greater than or equal to first-byte-pos but '#{part}'")
    when /\A(\d+)-\z/ then $1.to_i..-1
    when /\A-(\d+)\z/ then -$1.to_i..-1
    else raise Net::HTTPHeaderSyntaxError, "invalid byte-range-spec: '#{part}'"
    end
  end

  def checked(value)
    text = value.to_s
    raise ArgumentError, "header field value cannot include CR/LF" if text.match?(/[\r\n]/)

    text
  end

  def capitalize(name) = name.split("-").map(&:capitalize).join("-")
end
