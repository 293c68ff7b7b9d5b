# carat: core

# What a client asks.
class Net::HTTPGenericRequest
  include Net::HTTPHeader

  attr_reader :method, :path, :uri
  attr_accessor :body, :body_stream

  def initialize(method, has_request_body, has_response_body, path, headers = nil)
    @method = method
    @has_request_body = has_request_body
    @has_response_body = has_response_body
    @uri = path if path.is_a?(URI::Generic)
    @path = @uri ? @uri.request_uri : path.to_str
    raise ArgumentError, "HTTP request path is empty" if @path.empty?

    initialize_http_header(headers)
    set_defaults
  end

  def request_body_permitted? = @has_request_body

  def response_body_permitted? = @has_response_body

  def idempotent? = %w[GET HEAD PUT DELETE OPTIONS TRACE].include?(method)

  # Whether the answer is unpacked before anybody sees it.
  def decodes_content? = @decodes_content

  def inspect = "#<#{self.class} #{method}>"

  def set_body_internal(text)
    raise ArgumentError, "both of body argument and HTTPRequest#body set" if text && (body || body_stream)

    self.body = text if text
  end

  # Writes the request to a socket.
  def exec(socket, version, path, _timeout = nil)
    text = body&.to_s
    text ||= "" if request_body_permitted? && !body_stream
    self.content_length = text.bytesize if text
    self["Content-Type"] ||= "application/x-www-form-urlencoded" if text && !text.empty?
    socket.write(head(version, path) + (text || "").b)
    send_stream(socket) if body_stream
  end

  private

  def set_defaults
    unless key?("Accept-Encoding") || !@has_response_body || key?("Range")
      @decodes_content = true
      self["Accept-Encoding"] = "gzip;q=1.0,deflate;q=0.6,identity;q=0.3"
    end
    self["Accept"] ||= "*/*"
    self["User-Agent"] ||= "Ruby"
    return unless uri&.hostname

    self["Host"] ||= uri.port == uri.default_port ? uri.hostname : "#{uri.hostname}:#{uri.port}"
  end

  def head(version, path)
    lines = ["#{method} #{path} HTTP/#{version}"]
    each_capitalized { |name, value| lines << "#{name}: #{value}" }
    "#{lines.join("\r\n")}\r\n\r\n".b
  end

  def send_stream(socket)
    raise ArgumentError, "Content-Length not given and Transfer-Encoding is not `chunked'" unless content_length || chunked?

    while (part = body_stream.read(16_384))
      socket.write(chunked? ? "#{part.bytesize.to_s(16)}\r\n#{part}\r\n" : part)
    end
    socket.write("0\r\n\r\n") if chunked?
  end
end

# A request of one of the known methods.
class Net::HTTPRequest < Net::HTTPGenericRequest
  def initialize(path, headers = nil)
    super(self.class::METHOD, self.class::REQUEST_HAS_BODY, self.class::RESPONSE_HAS_BODY, path, headers)
  end
end

class Net::HTTP
  # Whether requests and answers of a method have bodies.
  {
    Get: [false, true], Head: [false, false], Post: [true, true], Put: [true, true], Patch: [true, true], Delete: [false, true],
    Options: [false, true], Trace: [false, true], Propfind: [true, true], Proppatch: [true, true], Mkcol: [true, true],
    Copy: [false, true], Move: [false, true], Lock: [true, true], Unlock: [true, true]
  }.each do |name, (request_has_body, response_has_body)|
    kind = Class.new(Net::HTTPRequest)
    kind.const_set(:METHOD, name.name.upcase)
    kind.const_set(:REQUEST_HAS_BODY, request_has_body)
    kind.const_set(:RESPONSE_HAS_BODY, response_has_body)
    const_set(name, kind)
  end
end
