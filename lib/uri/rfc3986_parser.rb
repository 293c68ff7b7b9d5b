# frozen_string_literal: true

module URI
  # Takes texts apart by the grammar of RFC 3986.
  class RFC3986_Parser
    SCHEME = /[A-Za-z][+\-.0-9A-Za-z]*+/
    # A byte of a path; of its first part, if that may not look like a scheme; of what is in front of "@".
    SEG = %r{(?:%\h\h|[!$&-.0-9:;=@A-Z_a-z~/])}
    SEG_NC = /(?:%\h\h|[!$&-.0-9;=@A-Z_a-z~])/
    USERINFO = /(?:%\h\h|[!$&-.0-9:;=A-Z_a-z~])*+/
    FRAGMENT = %r{(?:%\h\h|[!$&-.0-9:;=@A-Z_a-z~/?])*+}

    OCTET = /(?:25[0-5]|2[0-4]\d|1\d{2}|[1-9]\d|\d)/
    IPV4 = /#{OCTET}(?:\.#{OCTET}){3}/
    # The last 32 bits of an address.
    LOW = /(?:\h{1,4}:\h{1,4}|#{IPV4})/
    GROUPS = (0..6).map { |most| "(?:(?:\\h{1,4}:){,#{most}}\\h{1,4})?::" }
    IPV6 = /(?:
      (?:\h{1,4}:){6}#{LOW} | ::(?:\h{1,4}:){5}#{LOW} | (?:\h{1,4})?::(?:\h{1,4}:){4}#{LOW} |
      #{GROUPS[1]}(?:\h{1,4}:){3}#{LOW} | #{GROUPS[2]}(?:\h{1,4}:){2}#{LOW} | #{GROUPS[3]}\h{1,4}:#{LOW} |
      #{GROUPS[4]}#{LOW} | #{GROUPS[5]}\h{1,4} | #{GROUPS[6]}
    )/x
    HOST = /(?:\[(?:#{IPV6}|v\h++\.[!$&-.0-9:;=A-Z_a-z~]++)\]|(?:%\h\h|[!$&-.0-9;=A-Z_a-z~])*+)/
    AUTHORITY = %r{//(?:(?<userinfo>#{USERINFO})@)?(?<host>#{HOST})(?::(?<port>\d*+))?}
    REST = /(?:\?(?<query>[^#]*+))?(?:\#(?<fragment>#{FRAGMENT}))?/

    RFC3986_URI = %r{\A
      (?<scheme>#{SCHEME}):
      (?:#{AUTHORITY}(?<path>(?:/#{SEG}*+)?)|(?<absolute>/(?:(?!/)#{SEG}++)?)|(?<opaque>(?!/)#{SEG}++)|(?<empty>))
      #{REST}\z}x
    RFC3986_relative_ref = %r{\A
      (?:#{AUTHORITY}(?<path>(?:/#{SEG}*+)?)|(?<absolute>/#{SEG}*+)|(?<relative>#{SEG_NC}++(?:/#{SEG}*+)?)|(?<empty>))
      #{REST}\z}x
    private_constant :OCTET, :IPV4, :LOW, :GROUPS, :IPV6, :AUTHORITY, :REST

    # Patterns of whole components, by name.
    attr_reader :regexp

    def initialize
      @regexp = {
        SCHEME: /\A#{SCHEME}\z/, USERINFO: /\A#{USERINFO}\z/, HOST: /\A#{HOST}\z/, ABS_PATH: %r{\A/#{SEG}*+\z},
        REL_PATH: %r{\A(?!/)#{SEG}++\z}, QUERY: /\A#{FRAGMENT}\z/, FRAGMENT: /\A#{FRAGMENT}\z/,
        OPAQUE: %r{\A(?:[^/].*)?\z}, PORT: /\A[\x09\x0a\x0c\x0d ]*+\d*[\x09\x0a\x0c\x0d ]*\z/
      }.freeze
    end

    # Scheme, userinfo, host, port, registry, path, opaque part, query and fragment.
    def split(uri)
      begin
        uri = uri.to_str
      rescue NoMethodError
        raise InvalidURIError, "bad URI (is not URI?): #{uri.inspect}"
      end
      raise InvalidURIError, "URI must be ascii only #{uri.dump}" unless uri.ascii_only?
      if (m = RFC3986_URI.match(uri))
        split_absolute(*m.captures)
      elsif (m = RFC3986_relative_ref.match(uri))
        split_relative(*m.captures)
      else
        raise InvalidURIError, "bad URI (is not URI?): #{uri.inspect}"
      end
    end

    def parse(uri) = URI.for(*split(uri), self)

    # Each one seen from the one before it.
    def join(*uris)
      first, *rest = uris
      rest.inject(convert_to_uri(first)) { |base, uri| base.merge(uri) }
    end

    # The rest is the older grammar's.

    def extract(text, schemes = nil, &block) = RFC2396_PARSER.extract(text, schemes, &block)

    def make_regexp(schemes = nil) = RFC2396_PARSER.make_regexp(schemes)

    def escape(text, unsafe = nil) = unsafe ? RFC2396_PARSER.escape(text, unsafe) : RFC2396_PARSER.escape(text)

    def unescape(text, escaped = nil) = escaped ? RFC2396_PARSER.unescape(text, escaped) : RFC2396_PARSER.unescape(text)

    def inspect = to_s

    private

    # The parameters are the groups of the patterns, in their order.

    def split_absolute(scheme, userinfo, host, port, path, absolute, opaque, empty, query, fragment)
      if opaque
        opaque = "#{opaque}?#{query}" if query
        return [scheme, nil, nil, nil, nil, nil, opaque, nil, fragment]
      end
      [scheme, userinfo, host, port, nil, path || absolute || empty, nil, query, fragment]
    end

    def split_relative(userinfo, host, port, path, absolute, relative, empty, query, fragment)
      host = nil if host&.empty?
      [nil, userinfo, host, port, nil, path || absolute || relative || empty, nil, query, fragment]
    end

    def convert_to_uri(uri)
      return uri if Generic === uri
      text = String.try_convert(uri) or raise ArgumentError, "bad argument (expected URI object or URI string)"
      parse(text)
    end
  end
end
