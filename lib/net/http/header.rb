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

  def each_name(&block) = @header.each_key(&block)
  alias each_key each_name

  def each_value = each_header { |_, value| yield value }

  def each_capitalized = each_header { |name, value| yield capitalize(name), value }
  alias canonical_each each_capitalized

  def each_capitalized_name = @header.each_key { |name| yield capitalize(name) }

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

  def set_range(first, last = nil)
    range = first.is_a?(Range) ? "#{first.begin}-#{first.exclude_end? ? first.end - 1 : first.end}" : "#{first}-#{first + last - 1}"
    self["Range"] = "bytes=#{range}"
  end
  alias range= set_range

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

  def checked(value)
    text = value.to_s
    raise ArgumentError, "header field value cannot include CR/LF" if text.match?(/[\r\n]/)

    text
  end

  def capitalize(name) = name.split("-").map(&:capitalize).join("-")
end
