# frozen_string_literal: true

# What a server answers. Its body is read from the socket while the block of a request runs, or after it.
class Net::HTTPResponse
  include Net::HTTPHeader

  class << self
    def body_permitted? = self::HAS_BODY

    def exception_type = self::EXCEPTION_TYPE

    # Reads the status and the headers.
    def read_new(socket)
      version, code, message = read_status_line(socket)
      response = response_class(code).new(version, code, message)
      each_response_header(socket) { |name, value| response.add_field(name, value) }
      response
    end

    private

    def read_status_line(socket)
      line = socket.readline
      match = /\AHTTP(?:\/(\d+\.\d+))?\s+(\d\d\d)(?:\s+(.*))?\z/in.match(line)
      raise Net::HTTPBadResponse, "wrong status line: #{line.dump}" unless match
      match.captures
    end

    def response_class(code) = CODE_TO_OBJ[code] || CODE_CLASS_TO_OBJ[code[0]] || Net::HTTPUnknownResponse

    # A line that begins with a blank goes on with the one before it.
    def each_response_header(socket)
      name = value = nil
      until (line = socket.readuntil("\n", true).sub(/\s+\z/, "")).empty?
        if line.start_with?(" ", "\t") && value
          value << " " unless value.empty?
          value << line.strip
        else
          yield name, value if name
          name, value = line.strip.split(/\s*:\s*/, 2)
          raise Net::HTTPBadResponse, "wrong header line format" if value.nil?
        end
      end
      yield name, value if name
    end
  end

  attr_reader :http_version, :code, :message, :uri, :body_encoding
  alias msg message

  # Whether a packed body is unpacked, and whether one may be shorter than it said.
  attr_accessor :decode_content, :ignore_eof

  def initialize(version, code, message)
    @http_version = version
    @code = code
    @message = message
    initialize_http_header(nil)
    @body = nil
    @read = false
    @uri = nil
    @decode_content = false
    @body_encoding = false
    @ignore_eof = true
  end

  def inspect = "#<#{self.class} #{@code} #{@message} readbody=#{@read}>"

  def uri=(uri)
    @uri = uri&.dup
  end

  # An encoding, its name, or true for what the answer says.
  def body_encoding=(encoding)
    @body_encoding = String === encoding ? Encoding.find(encoding) : encoding
  end

  def code_type = self.class

  # Raises unless the answer is a success.
  def value
    error! unless Net::HTTPSuccess === self
  end

  def error!
    raise error_type.new(@message ? "#{@code} #{@message.dump}" : @code, self)
  end

  def error_type = self.class::EXCEPTION_TYPE

  # Obsolete ways to say that it is itself.

  def response
    warn "Net::HTTPResponse#response is obsolete", uplevel: 1 if $VERBOSE
    self
  end

  def header
    warn "Net::HTTPResponse#header is obsolete", uplevel: 1 if $VERBOSE
    self
  end

  def read_header
    warn "Net::HTTPResponse#read_header is obsolete", uplevel: 1 if $VERBOSE
    self
  end

  # Lets a block read the body, and reads what it left.
  def reading_body(socket, request_permits_body)
    @socket = socket
    @body_exist = request_permits_body && self.class.body_permitted?
    begin
      yield
      body
    ensure
      @socket = nil
    end
  end

  # The body as a whole, or part by part: to the block, or appended to +destination+.
  def read_body(destination = nil, &block)
    if @read
      raise IOError, "#{self.class}#read_body called twice" if destination || block
      return @body
    end
    raise ArgumentError, "both arg and block given for HTTP method" if destination && block
    destination = block ? Net::ReadAdapter.new(block) : destination || +""
    raise IOError, "attempt to read body out of block" if @socket.nil? || @socket.closed?
    @body = @body_exist ? read_to(destination) : nil
    @read = true
    force_encoding_of_body if String === @body
    @body
  end

  def body = read_body
  alias entity body

  def body=(text)
    @body = text
  end

  private

  def read_to(destination)
    unpacking do |input|
      if chunked? then read_chunked(destination, input)
      elsif (length = content_length || range_length) then input.read(length, destination, @ignore_eof)
      else input.read_all(destination)
      end
    end
    destination
  end

  # Yields what the body is read from. Unpacked bodies have headers of what they are then.
  def unpacking
    packing = self["content-encoding"]&.downcase if @decode_content && !key?("content-range")
    case packing
    when "deflate", "gzip", "x-gzip"
      delete("content-encoding")
      input = Inflater.new(@socket)
      yield input
      input.finish
      self["content-length"] = input.bytes_inflated.to_s if key?("content-length")
    else
      delete("content-encoding") if packing == "none" || packing == "identity"
      yield @socket
    end
  end

  def read_chunked(destination, input)
    loop do
      line = @socket.readline
      size = line[/\h+/] or raise Net::HTTPBadResponse, "wrong chunk size line: #{line}"
      break if size.hex == 0
      begin
        input.read(size.hex, destination)
      ensure
        @socket.read(2)
      end
    end
    nil until @socket.readline.empty?
  end

  def force_encoding_of_body
    case @body_encoding
    when Encoding then @body.force_encoding(@body_encoding)
    when true
      encoding = told_encoding
      @body.force_encoding(encoding) if encoding
    else @body.force_encoding(Encoding::BINARY)
    end
  end

  # The encoding that the headers name, or that the body begins with.
  def told_encoding
    name = type_params["charset"] || byte_order_mark || (markup_encoding if content_type.to_s.match?(/html|xml/i))
    Encoding.find(name) if name
  rescue ArgumentError
    nil
  end

  def byte_order_mark
    case @body.byteslice(0, 3).b
    when "\xEF\xBB\xBF".b then "UTF-8"
    when /\A\xFE\xFF/n then "UTF-16BE"
    when /\A\xFF\xFE/n then "UTF-16LE"
    end
  end

  # What a page says in its first kilobyte.
  def markup_encoding
    start = @body.byteslice(0, 1024).b
    start[/\A<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/in, 1] || start[/<meta[^>]*\scharset\s*=\s*["']?\s*([\w.:-]+)/in, 1] ||
      start[/<meta[^>]*content\s*=\s*["'][^"'>]*charset=([\w.:-]+)/in, 1]
  end

  # Unpacks what comes from a socket.
  class Inflater
    def initialize(socket)
      require "zlib"
      @socket = socket
      @inflate = Zlib::Inflate.new(32 + Zlib::MAX_WBITS)
    end

    def finish
      @inflate.finish if @inflate.total_in > 0
    end

    def bytes_inflated = @inflate.total_out

    def inspect = "#<#{self.class} #{@socket.inspect}>"

    # +length+ bytes of what is packed.
    def read(length, destination, ignore_eof = false)
      @socket.read(length, adapter(destination), ignore_eof)
    end

    def read_all(destination) = @socket.read_all(adapter(destination))

    private

    def adapter(destination)
      destination.force_encoding(Encoding::BINARY) if String === destination
      Net::ReadAdapter.new(proc { |part| @inflate.inflate(part).then { |text| destination << text unless text.empty? } })
    end
  end
end
