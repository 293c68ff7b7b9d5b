# carat: core

# What a server answers.
class Net::HTTPResponse
  include Net::HTTPHeader

  attr_reader :http_version, :code, :message, :uri
  alias msg message
  attr_accessor :body_encoding, :decode_content

  class << self
    # Reads the status and the headers. Answers that only say that another one follows are skipped.
    def read_new(socket, timeout, request)
      reader = Reader.new(socket, timeout)
      loop do
        version, code, message = read_status(reader)
        response = kind_of_code(code).new(version, code, message)
        response.read_header(reader)
        next if code.start_with?("1") && code != "101"

        response.attach(reader, request)
        return response
      end
    end

    def body_permitted? = self::HAS_BODY

    def exception_type = self::EXCEPTION_TYPE

    private

    def read_status(reader)
      line = reader.line
      match = /\AHTTP(?:\/(\d+\.\d+))?\s+(\d\d\d)(?:\s+(.*))?\z/in.match(line)
      match ? match.captures.then { |version, code, text| [version || "1.1", code, text.to_s] } : bad(line)
    end

    def bad(line) = raise(Net::HTTPBadResponse, "wrong status line: #{line.dump}")

    def kind_of_code(code) = CODE_TO_OBJ[code] || CODE_CLASS_TO_OBJ[code[0]] || Net::HTTPUnknownResponse
  end

  # Lines and bytes from a socket, none of which may take longer than the time given.
  class Reader
    def initialize(socket, timeout)
      @socket = socket
      @socket.timeout = timeout
    end

    def line = guarded { @socket.readline("\n").chomp }

    def bytes(count) = guarded { @socket.read(count) }

    def part(limit) = guarded { @socket.readpartial(limit) }

    private

    def guarded
      yield
    rescue IO::TimeoutError
      raise Net::ReadTimeout, @socket
    end
  end

  def initialize(version, code, message)
    @http_version = version
    @code = code
    @message = message
    @body = nil
    @is_read = false
    initialize_http_header(nil)
  end

  def inspect = "#<#{self.class} #{code} #{message} readbody=#{@is_read}>"

  def read_header(reader)
    last = nil
    until (line = reader.line).empty?
      if line.match?(/\A\s/) && last
        @header[last][-1] += " #{line.strip}"
      else
        name, value = line.split(/\s*:\s*/, 2)
        raise Net::HTTPBadResponse, "wrong header line format" unless value

        add_field(name, value.strip)
        last = name.downcase
      end
    end
  end

  def attach(reader, request)
    @reader = reader
    @has_body = request.response_body_permitted? && self.class.body_permitted?
    @decode_content = request.decodes_content?
    @uri = request.uri
  end

  # Lets a block read the body, and reads what it left.
  def reading_body
    yield self if block_given?
    body
  end

  # The body as a whole, or part by part with a block.
  def read_body(destination = nil, &block)
    return @body if @is_read

    @is_read = true
    return @body = nil unless @has_body

    text = destination || +"".b
    unpack = decoder
    each_part do |part|
      part = unpack.call(part) if unpack
      block ? yield(part) : text << part
    end
    @body = block ? nil : encoded(text)
  end

  def body = read_body
  alias entity body

  def body=(text)
    @is_read = true
    @body = text
  end

  # Whether the connection serves another request.
  def keep_alive?
    return false if connection_close?
    return connection_keep_alive? if http_version == "1.0"

    !@has_body || chunked? || !(@length || content_length).nil?
  end

  # Raises unless the answer is a success.
  def value
    error! unless is_a?(Net::HTTPSuccess)
  end

  def error! = raise(error_type.new("#{code} #{message.dump}", self))

  def error_type = self.class::EXCEPTION_TYPE

  def code_type = self.class

  def response = self

  private

  def encoded(text)
    text.force_encoding(@body_encoding) if @body_encoding
    text
  end

  # Packed bodies are unpacked, and their headers say nothing of it any more.
  def decoder
    return unless @decode_content && !key?("Content-Range")

    window = { "deflate" => 47, "gzip" => 47, "x-gzip" => 47 }[self["Content-Encoding"]&.downcase] or return
    require "zlib"
    delete("Content-Encoding")
    @length = content_length
    delete("Content-Length")
    stream = Zlib::Inflate.new(window)
    ->(part) { stream.inflate(part) }
  end

  PART = 16_384
  private_constant :PART

  def each_part(&block)
    return each_chunk(&block) if chunked?
    return each_of(@length || content_length, &block) if @length || content_length

    each_until_end(&block)
  end

  # The server closes the connection behind a body whose length it did not tell.
  def each_until_end
    loop { yield @reader.part(PART) }
  rescue EOFError
    nil
  end

  def each_of(left)
    while left.positive?
      part = @reader.bytes([left, PART].min)
      raise EOFError, "end of file reached" if part.nil?

      left -= part.bytesize
      yield part
    end
  end

  def each_chunk(&block)
    loop do
      line = @reader.line
      size = line[/\A\h+/] or raise Net::HTTPBadResponse, "wrong chunk size line: #{line}"
      break if size.hex.zero?

      each_of(size.hex, &block)
      @reader.bytes(2)
    end
    nil until @reader.line.empty?
  end
end

module Net
  # Classes of answers by the first digit, and whether they have bodies.
  {
    Information: ["1", false, HTTPError], Success: ["2", true, HTTPError], Redirection: ["3", true, HTTPRetriableError],
    ClientError: ["4", true, HTTPClientException], ServerError: ["5", true, HTTPFatalError], UnknownResponse: [nil, true, HTTPError]
  }.each do |name, (_, has_body, error)|
    kind = Class.new(HTTPResponse)
    kind.const_set(:HAS_BODY, has_body)
    kind.const_set(:EXCEPTION_TYPE, error)
    const_set(:"HTTP#{name}", kind)
  end

  HTTPResponse::CODE_CLASS_TO_OBJ = {
    "1" => HTTPInformation, "2" => HTTPSuccess, "3" => HTTPRedirection, "4" => HTTPClientError, "5" => HTTPServerError
  }.freeze

  # Those that have names of their own.
  HTTPResponse::CODE_TO_OBJ = {
    "100" => :Continue, "101" => :SwitchProtocol, "200" => :OK, "201" => :Created, "202" => :Accepted,
    "203" => :NonAuthoritativeInformation, "204" => :NoContent, "205" => :ResetContent, "206" => :PartialContent,
    "300" => :MultipleChoices, "301" => :MovedPermanently, "302" => :Found, "303" => :SeeOther, "304" => :NotModified,
    "305" => :UseProxy, "307" => :TemporaryRedirect, "308" => :PermanentRedirect, "400" => :BadRequest,
    "401" => :Unauthorized, "402" => :PaymentRequired, "403" => :Forbidden, "404" => :NotFound, "405" => :MethodNotAllowed,
    "406" => :NotAcceptable, "407" => :ProxyAuthenticationRequired, "408" => :RequestTimeout, "409" => :Conflict,
    "410" => :Gone, "411" => :LengthRequired, "412" => :PreconditionFailed, "413" => :PayloadTooLarge, "414" => :URITooLong,
    "415" => :UnsupportedMediaType, "416" => :RangeNotSatisfiable, "417" => :ExpectationFailed,
    "422" => :UnprocessableEntity, "423" => :Locked, "429" => :TooManyRequests, "500" => :InternalServerError,
    "501" => :NotImplemented, "502" => :BadGateway, "503" => :ServiceUnavailable, "504" => :GatewayTimeout,
    "505" => :VersionNotSupported
  }.to_h do |code, name|
    kind = Class.new(HTTPResponse::CODE_CLASS_TO_OBJ[code[0]])
    kind.const_set(:HAS_BODY, false) if %w[204 205 304].include?(code)
    const_set(:"HTTP#{name}", kind)
    [code, kind]
  end.freeze
end
