# frozen_string_literal: true

require "uri/generic"

module URI
  # RFC 6068: addresses, and headers of the mail.
  class MailTo < Generic
    DEFAULT_PORT = nil
    COMPONENT = [:scheme, :to, :headers].freeze

    HEADER_REGEXP = /\A(?<hfield>(?:%\h\h|[!$'-.0-;@-Z_a-z~])*=(?:%\h\h|[!$'-.0-;@-Z_a-z~])*)(?:&\g<hfield>)*\z/
    HOST_LABEL = /[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?/.source
    private_constant :HOST_LABEL
    EMAIL_REGEXP = Regexp.new("\\A[a-zA-Z0-9.!\\\#$%&'*+\\/=?^_`{|}~-]+@#{HOST_LABEL}(?:\\.#{HOST_LABEL})*\\z")

    def self.build(components)
      parts = Util.make_components_hash(self, components)
      opaque = Array === parts[:to] ? parts[:to].join(",") : parts[:to].to_s.dup
      if (headers = parts[:headers]) && !headers.empty?
        opaque << "?" << header_text(headers)
      end
      parts[:opaque] = opaque
      super(parts)
    end

    class << self
      private

      def header_text(headers)
        case headers
        when String then headers
        when Array then headers.map { |header| Array === header ? header.join("=") : header.to_s }.join("&")
        when Hash then headers.map { |pair| pair.join("=") }.join("&")
        end
      end
    end

    attr_reader :to, :headers

    def initialize(scheme, userinfo, host, port, registry, path, opaque, query, fragment, parser = nil, arg_check = false)
      super
      @to = nil
      @headers = []
      @opaque = "?#{@query}" if @query && !@opaque
      raise InvalidComponentError, "missing opaque part for mailto URL" unless @opaque
      to, headers = @opaque.split("?", 2)
      unless to.to_s.match?(/\A(?:[^@,;]+@[^@,;]+(?:\z|[,;]))*\z/)
        raise InvalidComponentError, "unrecognised opaque part for mailtoURL: #{@opaque}"
      end
      if arg_check
        self.to = to
        self.headers = headers
      else
        set_to(to)
        set_headers(headers)
      end
    end

    def to=(to)
      check_to(to)
      set_to(to)
      to
    end

    def headers=(headers)
      check_headers(headers)
      set_headers(headers)
      headers
    end

    def to_s
      text = +"#{@scheme}:#{@to}"
      text << "?" << @headers.map { |header| header.join("=") }.join("&") unless @headers.empty?
      text << "#" << @fragment if @fragment
      text
    end

    # The mail that it begins.
    def to_mailtext
      to = URI.decode_www_form_component(@to)
      head = +""
      body = +""
      @headers.each do |name, value|
        value = URI.decode_www_form_component(value)
        case name
        when "body" then body = value
        when "to" then to << ", " << value
        else head << URI.decode_www_form_component(name).capitalize << ": " << value << "\n"
        end
      end
      "To: #{to}\n#{head}\n#{body}\n"
    end
    alias to_rfc822text to_mailtext

    protected

    def set_to(to) = @to = to

    def set_headers(headers)
      @headers = headers ? headers.split("&").map { |header| header.split("=", 2) } : []
    end

    private

    def check_to(to)
      return true if to.nil? || to.empty?
      to.split(/[,;]/).each do |address|
        # What an address may hold and an URI must escape is not part of it.
        if address.match?(/[\#\/?]|%(?!\h\h)|[^!-~]/)
          raise InvalidComponentError, "an address in 'to' is invalid as URI #{address.dump}"
        end
        address = URI.decode_uri_component(address)
        next if address.match?(EMAIL_REGEXP)
        raise InvalidComponentError, "an address in 'to' is invalid as uri-escaped addr-spec #{address.dump}"
      end
      true
    end

    def check_headers(headers)
      return true if headers.nil? || headers.empty? || headers.match?(HEADER_REGEXP)
      bad_component("opaque", headers)
    end
  end

  register_scheme "MAILTO", MailTo
end
