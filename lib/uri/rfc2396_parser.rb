# frozen_string_literal: true

module URI
  # The grammar of RFC 2396. Finding URIs in texts and escaping are defined by it still.
  class RFC2396_Parser
    HEX = "a-fA-F\\d".freeze
    MARKS = "\\-_.!~*'()a-zA-Z\\d".freeze

    # Patterns as texts, and compiled ones, by name.
    attr_reader :pattern, :regexp

    # Options replace patterns: ESCAPED, UNRESERVED, DOMLABEL, TOPLABEL and HOSTNAME.
    def initialize(options = {})
      @pattern = initialize_pattern(options).each_value(&:freeze).freeze
      @regexp = initialize_regexp(@pattern).each_value(&:freeze).freeze
    end

    def split(uri)
      if uri == "" then [nil] * 5 + [""] + [nil] * 3
      elsif (m = @regexp[:ABS_URI].match(uri)) then split_absolute(m)
      elsif (m = @regexp[:REL_URI].match(uri))
        [nil, m[1], m[2], m[3], m[4], m[6] || m[5] || "", nil, m[7], m[8]]
      else raise InvalidURIError, "bad URI (is not URI?): #{uri}"
      end
    end

    def parse(uri) = URI.for(*split(uri), self)

    def join(*uris)
      first, *rest = uris
      rest.inject(convert_to_uri(first)) { |base, uri| base.merge(uri) }
    end

    # The URIs in a text, of all schemes or of those given.
    def extract(text, schemes = nil)
      pattern = make_regexp(schemes)
      if block_given?
        text.scan(pattern) { yield $& }
        return
      end
      found = []
      text.scan(pattern) { found << $& }
      found
    end

    def make_regexp(schemes = nil)
      return @regexp[:ABS_URI_REF] unless schemes
      /(?=(?i:#{Regexp.union(*schemes).source}):)#{@pattern[:X_ABS_URI]}/x
    end

    def escape(text, unsafe = @regexp[:UNSAFE])
      unsafe = Regexp.new("[#{Regexp.quote(unsafe)}]") unless Regexp === unsafe
      text.gsub(unsafe) { |part| part.bytes.map { |byte| format("%%%02X", byte) }.join }.force_encoding(Encoding::US_ASCII)
    end

    def unescape(text, escaped = @regexp[:ESCAPED])
      encoding = text.encoding
      encoding = Encoding::UTF_8 if encoding == Encoding::US_ASCII
      text.dup.force_encoding(Encoding::BINARY).gsub(escaped) { |part| [part[1, 2]].pack("H2") }.force_encoding(encoding)
    end

    def inspect = to_s

    private

    def split_absolute(m)
      scheme, opaque, userinfo, host, port, registry, path, query, fragment = m.captures
      if !scheme then raise InvalidURIError, "bad URI (absolute but no scheme): #{m[0]}"
      elsif !opaque && !path && !host && !registry
        raise InvalidURIError, "bad URI (absolute but no path): #{m[0]}"
      end
      [scheme, userinfo, host, port, registry, path || (opaque ? nil : ""), opaque, query, fragment]
    end

    def convert_to_uri(uri)
      return uri if Generic === uri
      text = String.try_convert(uri) or raise ArgumentError, "bad argument (expected URI object or URI string)"
      parse(text)
    end

    def initialize_pattern(options)
      escaped = options[:ESCAPED] || "%[#{HEX}]{2}"
      unreserved = options[:UNRESERVED] || MARKS
      reserved = options[:RESERVED] || ";/?:@&=+$,\\[\\]"
      label = options[:DOMLABEL] || "(?:[a-zA-Z\\d](?:[-a-zA-Z\\d]*[a-zA-Z\\d])?)"
      top = options[:TOPLABEL] || "(?:[a-zA-Z](?:[-a-zA-Z\\d]*[a-zA-Z\\d])?)"
      hostname = options[:HOSTNAME] || "(?:[a-zA-Z0-9\\-.]|%\\h\\h)+"
      uric = "(?:[#{unreserved}#{reserved}]|#{escaped})"
      uric_no_slash = "(?:[#{unreserved};?:@&=+$,]|#{escaped})"
      {
        ESCAPED: escaped, UNRESERVED: unreserved, RESERVED: reserved, DOMLABEL: label, TOPLABEL: top, HOSTNAME: hostname,
        URIC: uric, URIC_NO_SLASH: uric_no_slash, QUERY: "#{uric}*", FRAGMENT: "#{uric}*",
        OPAQUE_PART: "#{uric_no_slash}#{uric}*", SCHEME: "[a-zA-Z][\\-+.a-zA-Z\\d]*", PORT: "\\d*",
        USERINFO: "(?:[#{unreserved};:&=+$,]|#{escaped})*", REG_NAME: "(?:[#{unreserved}$,;:@&=+]|#{escaped})+"
      }.then { |found| found.update(hosts(hostname)) }.then { |found| found.update(paths(unreserved, escaped)) }
       .then { |found| found.update(wholes(found)) }
    end

    def hosts(hostname)
      ipv4 = "\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}"
      group = "[#{HEX}]{1,4}"
      last = "(?:#{group}|#{ipv4})"
      ipv6 = "(?:(?:#{group}:)*#{last}|(?:(?:#{group}:)*#{group})?::(?:(?:#{group}:)*#{last})?)"
      host = "(?:#{hostname}|#{ipv4}|\\[#{ipv6}\\])"
      {IPV4ADDR: ipv4, IPV6ADDR: ipv6, IPV6REF: "\\[#{ipv6}\\]", HOST: host, HOSTPORT: "#{host}(?::\\d*)?"}
    end

    def paths(unreserved, escaped)
      char = "(?:[#{unreserved}:@&=+$,]|#{escaped})*"
      segment = "#{char}(?:;#{char})*"
      segments = "#{segment}(?:/#{segment})*"
      relative = "(?:[#{unreserved};@&=+$,]|#{escaped})+"
      {PATH_SEGMENTS: segments, REL_SEGMENT: relative, ABS_PATH: "/#{segments}", REL_PATH: "#{relative}(?:/#{segments})?"}
    end

    def wholes(p)
      net = "//(?:(?:(?:#{p[:USERINFO]})@)?#{p[:HOSTPORT]}|#{p[:REG_NAME]})"
      net_path = "#{net}(?:#{p[:ABS_PATH]})?"
      hier = "(?:#{net_path}|#{p[:ABS_PATH]})(?:\\?(?:#{p[:QUERY]}))?"
      absolute = "#{p[:SCHEME]}:(?:#{hier}|#{p[:OPAQUE_PART]})"
      relative = "(?:#{net_path}|#{p[:ABS_PATH]}|#{p[:REL_PATH]})(?:\\?#{p[:QUERY]})?"
      {
        NET_PATH: net_path, HIER_PART: hier, ABS_URI: absolute, REL_URI: relative,
        URI_REF: "(?:#{absolute}|#{relative})?(?:##{p[:FRAGMENT]})?",
        X_ABS_URI: absolute_captures(p), X_REL_URI: relative_captures(p)
      }
    end

    def server(p) = "(?:(?:(#{p[:USERINFO]})@)?(?:(#{p[:HOST]})(?::(\\d*))?))?"

    # Scheme, opaque part, userinfo, host, port, registry, path, query and fragment.
    def absolute_captures(p)
      place = "(?://(?:#{server(p)}|(#{p[:REG_NAME]}))|(?!//))"
      "(#{p[:SCHEME]}):(?:(#{p[:OPAQUE_PART]})|(?:#{place}(#{p[:ABS_PATH]})?)(?:\\?(#{p[:QUERY]}))?)" \
        "(?:\\#(#{p[:FRAGMENT]}))?"
    end

    # Userinfo, host, port, registry, relative path, absolute path, query and fragment.
    def relative_captures(p)
      "(?:(?://(?:#{server(p)}|(#{p[:REG_NAME]})))|(#{p[:REL_PATH]}))?(#{p[:ABS_PATH]})?" \
        "(?:\\?(#{p[:QUERY]}))?(?:\\#(#{p[:FRAGMENT]}))?"
    end

    def initialize_regexp(p)
      component = ->(name) { /\A#{p[name]}\z/ }
      {
        ABS_URI: /\A\s*+#{p[:X_ABS_URI]}\s*\z/x, REL_URI: /\A\s*+#{p[:X_REL_URI]}\s*\z/x, URI_REF: /#{p[:URI_REF]}/,
        ABS_URI_REF: /#{p[:X_ABS_URI]}/x, REL_URI_REF: /#{p[:X_REL_URI]}/x, ESCAPED: /#{p[:ESCAPED]}/,
        UNSAFE: /[^#{p[:UNRESERVED]}#{p[:RESERVED]}]/
      }.update([:SCHEME, :USERINFO, :HOST, :PORT].to_h { |name| [name, component.(name)] },
               {OPAQUE: component.(:OPAQUE_PART), REGISTRY: component.(:REG_NAME)},
               [:ABS_PATH, :REL_PATH, :QUERY, :FRAGMENT].to_h { |name| [name, component.(name)] })
    end
  end

  RFC2396_PARSER = Ractor.make_shareable(RFC2396_Parser.new)

  # Names under which programs know the older grammar.
  module RFC2396_REGEXP
    # The patterns as texts.
    module PATTERN
      HEX = RFC2396_Parser::HEX
      ALPHA = "a-zA-Z".freeze
      ALNUM = "#{ALPHA}\\d".freeze
      RFC2396_PARSER.pattern.each { |name, text| const_set(name, text) }
    end
  end
  RFC2396_Parser.include(RFC2396_REGEXP)
end
