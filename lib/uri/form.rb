# frozen_string_literal: true

# Data of forms: "application/x-www-form-urlencoded".
module URI
  # Bytes escaped for forms and for components, and back.
  TBLENCWWWCOMP_ = Ractor.make_shareable((0..255).to_h { |byte| [byte.chr, format("%%%02X", byte)] }.update(" " => "+"))
  TBLENCURICOMP_ = TBLENCWWWCOMP_.merge(" " => "%20").freeze
  table = (0..255).each_with_object({"+" => " "}) do |byte, table|
    ["%02X", "%02x"].each { |digits| table["%#{format(digits, byte)}"] = byte.chr }
    high, low = format("%02x", byte).chars
    table["%#{high.upcase}#{low}"] = table["%#{high}#{low.upcase}"] = byte.chr
  end
  TBLDECWWWCOMP_ = Ractor.make_shareable(table)
  # What HTML knows as a page's encoding although it is another one.
  WEB_ENCODINGS_ = {
    "utf8" => "utf-8", "ascii" => "windows-1252", "us-ascii" => "windows-1252", "iso-8859-1" => "windows-1252",
    "latin1" => "windows-1252", "iso8859-1" => "windows-1252", "iso-8859-9" => "windows-1254", "latin5" => "windows-1254",
    "shift_jis" => "windows-31j", "shift-jis" => "windows-31j", "sjis" => "windows-31j", "ms_kanji" => "windows-31j",
    "x-sjis" => "windows-31j", "x-euc-jp" => "euc-jp", "euc-kr" => "euc-kr", "ks_c_5601-1987" => "euc-kr",
    "gb2312" => "gbk", "x-gbk" => "gbk", "big5-hkscs" => "big5", "x-x-big5" => "big5", "tis-620" => "windows-874",
    "iso-8859-11" => "windows-874", "unicode-1-1-utf-8" => "utf-8", "x-cp1252" => "windows-1252", "cp1252" => "windows-1252"
  }.freeze

  class << self
    def encode_www_form_component(text, encoding = nil) = escaped(text, encoding, TBLENCWWWCOMP_)

    def encode_uri_component(text, encoding = nil) = escaped(text, encoding, TBLENCURICOMP_)

    def decode_www_form_component(text, encoding = Encoding::UTF_8) = unescaped(text, encoding, /\+|%\h\h/)

    def decode_uri_component(text, encoding = Encoding::UTF_8) = unescaped(text, encoding, /%\h\h/)

    # Pairs as "name=value&…"; nil has no "=", and an Array is several pairs.
    def encode_www_form(pairs, encoding = nil)
      pairs.map do |name, value|
        name = encode_www_form_component(name, encoding)
        if value.nil? then name
        elsif value.respond_to?(:to_ary)
          value.to_ary.map { |v| v.nil? ? name : "#{name}=#{encode_www_form_component(v, encoding)}" }.join("&")
        else "#{name}=#{encode_www_form_component(value, encoding)}"
        end
      end.join("&")
    end

    def decode_www_form(text, encoding = Encoding::UTF_8, separator: "&", use__charset_: false, isindex: false)
      unless text.ascii_only?
        raise ArgumentError, "the input of #{name}.#{__method__} must be ASCII only string"
      end
      pairs = []
      return pairs if text.empty?
      encoding = Encoding.find(encoding)
      text.b.each_line(separator) do |part|
        part.chomp!(separator)
        name, value = split_pair(part, isindex)
        isindex = false
        if use__charset_ && name == "_charset_" && (charset = get_encoding(value))
          encoding = charset
          use__charset_ = false
        end
        pairs << [form_text(name), form_text(value)]
      end
      pairs.each { |pair| pair.each { |part| part.force_encoding(encoding).scrub! } }
    end

    # The Encoding that a page means by a name, or nil.
    def get_encoding(label)
      Encoding.find(WEB_ENCODINGS_[label.to_s.strip.downcase] || label.to_s.strip)
    rescue ArgumentError
      nil
    end

    private

    def escaped(text, encoding, table)
      text = text.to_s.dup
      if text.encoding != Encoding::BINARY
        if encoding && encoding != Encoding::BINARY
          text.encode!(Encoding::UTF_8, invalid: :replace, undef: :replace)
          text.encode!(encoding, fallback: ->(char) { "&##{char.ord};" })
        end
        text.force_encoding(Encoding::BINARY)
      end
      text.gsub!(/[^*\-.0-9A-Z_a-z]/, table)
      text.force_encoding(Encoding::US_ASCII)
    end

    def unescaped(text, encoding, escapes)
      raise ArgumentError, "invalid %-encoding (#{text})" if text.match?(/%(?!\h\h)/)
      text.b.gsub(escapes, TBLDECWWWCOMP_).force_encoding(encoding)
    end

    def split_pair(part, is_index)
      name, separator, value = part.partition("=")
      is_index && separator.empty? ? [+"", name] : [name, value]
    end

    def form_text(text)
      text.gsub!(/\+|%\h\h/, TBLDECWWWCOMP_)
      text
    end
  end
end
