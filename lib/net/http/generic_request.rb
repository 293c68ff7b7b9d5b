# frozen_string_literal: true

# What a client asks. Its body is a text, a stream, or a form that is coded when it is sent.
class Net::HTTPGenericRequest
  include Net::HTTPHeader

  attr_reader :method, :path, :uri, :decode_content, :body, :body_stream

  def initialize(method, request_has_body, response_has_body, uri_or_path, headers = nil)
    @method = method
    @request_has_body = request_has_body
    @response_has_body = response_has_body
    host = URI === uri_or_path ? set_uri(uri_or_path) : set_path(uri_or_path)
    @decode_content = false
    headers = accept_packed(headers) unless headers&.any? { |name, _| name.to_s.match?(/\A(?:accept-encoding|range)\z/i) }
    initialize_http_header(headers)
    self["Accept"] ||= "*/*"
    self["User-Agent"] ||= "Ruby"
    self["Host"] ||= host if host
    @body = @body_stream = @body_data = nil
  end

  def inspect = "#<#{self.class} #{@method}>"

  def request_body_permitted? = @request_has_body

  def response_body_permitted? = @response_has_body

  def body_exist?
    warn "Net::HTTPRequest#body_exist? is obsolete; use response_body_permitted?", uplevel: 1 if $VERBOSE
    response_body_permitted?
  end

  def body=(text)
    @body = text
    @body_stream = @body_data = nil
  end

  def body_stream=(input)
    @body = @body_data = nil
    @body_stream = input
  end

  # Whoever asks for a packing unpacks it.
  def []=(name, value)
    @decode_content = false if name.downcase.to_s == "accept-encoding"
    super
  end

  def set_body_internal(text)
    raise ArgumentError, "both of body argument and HTTPRequest#body set" if text && (@body || @body_stream)
    self.body = text if text
    self.body = "" if @body.nil? && @body_stream.nil? && @body_data.nil? && request_body_permitted?
  end

  # Writes the request to a BufferedIO.
  def exec(socket, version, path)
    if @body then send_text(socket, version, path, @body)
    elsif @body_stream then send_stream(socket, version, path)
    elsif @body_data then send_form(socket, version, path, @body_data)
    else write_header(socket, version, path)
    end
  end

  # Makes the URI that of the connection.
  def update_uri(address, port, ssl)
    return unless @uri
    host = self["host"] ? URI.parse("//#{self["host"]}").host : @uri.host || address
    if (ssl ? URI::HTTPS : URI::HTTP) === @uri
      @uri.host = host
      @uri.port = port
    else
      kind, scheme = ssl ? [URI::HTTPS, "https"] : [URI::HTTP, "http"]
      @uri = kind.new(scheme, @uri.userinfo, host, port, nil, @uri.path, nil, @uri.query, nil)
    end
  end

  private

  # The host that the URI names, with the port if it is no usual one.
  def set_uri(uri)
    raise ArgumentError, "not an HTTP URI" unless URI::HTTP === uri
    raise ArgumentError, "no host component for URI" if uri.host.nil? || uri.host.empty?
    @uri = uri.dup
    @path = uri.request_uri
    raise ArgumentError, "no HTTP request path given" unless @path
    uri.port == uri.default_port ? uri.host.dup : "#{uri.host}:#{uri.port}"
  end

  def set_path(path)
    @uri = nil
    raise ArgumentError, "no HTTP request path given" unless path
    raise ArgumentError, "HTTP request path is empty" if path.empty?
    @path = path.dup
    nil
  end

  def accept_packed(headers)
    @decode_content = @response_has_body
    {"accept-encoding" => "gzip;q=1.0,deflate;q=0.6,identity;q=0.3"}.merge(headers.to_h)
  end

  # Writes by chunks to a socket.
  class Chunker
    def initialize(socket)
      @socket = socket
    end

    def write(text)
      @socket.write("#{text.bytesize.to_s(16)}\r\n", text, "\r\n")
      text.bytesize
    end
    alias << write

    def finish = @socket.write("0\r\n\r\n")
  end
  private_constant :Chunker

  def send_text(socket, version, path, text)
    self.content_length = text.bytesize
    delete("Transfer-Encoding")
    write_header(socket, version, path)
    wait_for_continue(socket, version) if socket.continue_timeout
    socket.write(text)
  end

  def send_stream(socket, version, path)
    raise ArgumentError, "Content-Length not given and Transfer-Encoding is not `chunked'" unless content_length || chunked?
    write_header(socket, version, path)
    wait_for_continue(socket, version) if socket.continue_timeout
    in_chunks(socket) { |output| IO.copy_stream(@body_stream, output) }
  end

  def in_chunks(socket)
    return yield(socket) unless chunked?
    chunker = Chunker.new(socket)
    yield(chunker)
    chunker.finish
  end

  def send_form(socket, version, path, params)
    unless content_type&.match?(%r{\Amultipart/form-data\z}i)
      self.content_type = "application/x-www-form-urlencoded"
      return send_text(socket, version, path, URI.encode_www_form(params))
    end
    options = {boundary: new_boundary}.merge(@form_option)
    set_content_type(content_type, boundary: options[:boundary])
    chunked? ? send_form_in_chunks(socket, version, path, params, options) : send_form_at_once(socket, version, path, params, options)
  end

  def send_form_in_chunks(socket, version, path, params, options)
    write_header(socket, version, path)
    in_chunks(socket) { |output| encode_multipart_form_data(output, params, options) }
  end

  # The length is known when everything is coded.
  def send_form_at_once(socket, version, path, params, options)
    require "tempfile"
    Tempfile.create("multipart", binmode: true) do |file|
      encode_multipart_form_data(file, params, options)
      file.rewind
      self.content_length = file.size
      write_header(socket, version, path)
      IO.copy_stream(file, socket)
    end
  end

  # What no part contains.
  def new_boundary
    require "securerandom"
    SecureRandom.urlsafe_base64(40)
  end

  # Writes names and values to anything with <<; values that can be read are files.
  def encode_multipart_form_data(output, params, options)
    boundary = options[:boundary] || new_boundary
    check_line("boundary", boundary)
    params.each do |name, value, about = {}|
      output << "--#{boundary}\r\nContent-Disposition: form-data; name=\"#{quote_string(name, options[:charset])}\"".b
      output << part_head(value, about, options[:charset])
      value.respond_to?(:read) ? copy_file(value, output) : output << value.to_s.b
      output << "\r\n"
    end
    output << "--#{boundary}--\r\n"
  end

  def part_head(value, about, charset)
    name = about.fetch(:filename) { File.basename(value.to_path) if value.respond_to?(:to_path) }
    return "\r\n\r\n" unless name
    type = about[:content_type] || "application/octet-stream"
    check_line("content_type", type)
    "; filename=\"#{quote_string(name, charset)}\"\r\nContent-Type: #{type}\r\n\r\n".b
  end

  def copy_file(file, output) = output.respond_to?(:write) ? IO.copy_stream(file, output) : output << file.read

  def check_line(what, text)
    raise ArgumentError, "#{what} cannot include CR/LF: #{text.inspect}" if text.to_s.match?(/[\r\n]/)
  end

  def quote_string(text, charset)
    text = text.to_s
    check_line("name", text)
    text = text.encode(charset, fallback: ->(char) { "&##{char.ord};" }) if charset
    text.gsub(/[\\"]/) { |char| "\\#{char}" }
  end

  # A server that refuses the request before it has come as a whole need not get the rest.
  def wait_for_continue(socket, version)
    return unless version >= "1.1" && @header["expect"]&.include?("100-continue")
    return unless socket.io.to_io.wait_readable(socket.continue_timeout)
    response = Net::HTTPResponse.read_new(socket)
    return if Net::HTTPContinue === response
    response.decode_content = @decode_content
    throw :response, response
  end

  def write_header(socket, version, path)
    line = "#{@method} #{path} HTTP/#{version}"
    raise ArgumentError, "A Request-Line must not contain CR or LF" if line.match?(/[\r\n]/)
    head = "#{line}\r\n".b
    each_capitalized { |name, value| head << "#{name}: #{value}\r\n".b }
    socket.write(head << "\r\n")
  end
end
