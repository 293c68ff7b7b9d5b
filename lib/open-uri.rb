# Opens what an address names as if it were a file.
#   URI.open("http://localhost:8080/") { |io| puts io.content_type, io.read }
require "uri"
require "stringio"
require "time"

module URI
  # Opens +name+: what opens itself (a URI, a path), or the text of an address, or else whatever Kernel#open opens.
  def self.open(name, *args, **options, &block)
    return name.open(*args, **options, &block) if name.respond_to?(:open)

    if name.respond_to?(:to_str) && name.to_str.match?(%r{\A[A-Za-z][A-Za-z0-9+\-.]*://})
      uri = URI.parse(name.to_str)
      return uri.open(*args, **options, &block) if uri.respond_to?(:open)
    end
    super
  end
end

module OpenURI
  VERSION = "0.5.0".freeze

  Options = {
    proxy: true, proxy_http_basic_authentication: true, progress_proc: true, content_length_proc: true,
    http_basic_authentication: true, read_timeout: true, open_timeout: true, ssl_ca_cert: nil, ssl_verify_mode: nil,
    ssl_min_version: nil, ssl_max_version: nil, ftp_active_mode: false, redirect: true, encoding: nil, max_redirects: 64,
    request_specific_fields: true
  }

  class HTTPError < StandardError
    attr_reader :io

    def initialize(message, io)
      super(message)
      @io = io
    end
  end

  # The answer leads elsewhere, and +redirect: false+ was asked for.
  class HTTPRedirect < HTTPError
    attr_reader :uri

    def initialize(message, io, uri)
      super(message, io)
      @uri = uri
    end
  end

  class TooManyRedirects < HTTPError
  end

  # What URIs are that can be opened.
  module OpenRead
    # Yields or returns the answer; arguments as of Kernel#open, headers and options (see OpenURI::Options).
    def open(*args, **options, &block) = OpenURI.open_uri(self, *args, options, &block)

    # The answer's body, which knows what Meta tells.
    def read(options = {}, **rest)
      self.open(options.merge(rest)) do |io|
        text = io.read
        Meta.init(text, io)
        text
      end
    end
  end

  class << self
    # Opens +name+ and yields the answer, which is closed afterwards, or returns it.
    def open_uri(name, *args)
      uri = name.is_a?(URI::Generic) ? name : URI.parse(name)
      mode, options = mode_and_options(args)
      encoding = encoding_of(mode, options)
      io = Fetch.new(uri, options).io
      io.set_encoding(encoding) if encoding
      return io unless block_given?

      begin
        yield io
      ensure
        io.respond_to?(:close!) ? io.close! : io.close
      end
    end

    # Whether an answer from one address may lead to the other: never to a file, and not back to what is readable on the way.
    def redirectable?(from, to)
      from, to = from.scheme.downcase, to.scheme&.downcase
      from == to || (%w[http ftp].include?(from) && %w[http https ftp].include?(to))
    end

    private

    def mode_and_options(args)
      options = args.select { |arg| arg.is_a?(Hash) }.inject({}, :merge)
      mode, _permissions, *extra = args.reject { |arg| arg.is_a?(Hash) }
      raise ArgumentError, "extra arguments" unless extra.empty?

      unknown = options.keys.find { |key| key.is_a?(Symbol) && !Options.key?(key) }
      raise ArgumentError, "unrecognized option: #{unknown}" if unknown

      [mode, options]
    end

    def encoding_of(mode, options)
      encoding = $1 if mode.is_a?(String) && mode.match(/\Arb?(?::([^:]+))?/) && $1
      plain = encoding ? "r" : mode
      raise ArgumentError, "invalid access mode #{mode} (URI::HTTP resource is read only.)" unless [nil, "r", "rb", File::RDONLY].include?(plain)
      return encoding && Encoding.find(encoding) unless options.key?(:encoding)
      raise ArgumentError, "encoding specified twice" if encoding

      Encoding.find(options[:encoding])
    end
  end
end

require "open-uri/meta"
require "open-uri/fetch"

module URI
  class HTTP
    include OpenURI::OpenRead
  end

  # Through a proxy that speaks HTTP.
  class FTP
    include OpenURI::OpenRead
  end
end
