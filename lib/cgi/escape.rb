# Text made safe for URLs and HTML, and back.
class CGI
  module Escape
  end

  module Util
    HTML = {"'" => "&#39;", "&" => "&amp;", '"' => "&quot;", "<" => "&lt;", ">" => "&gt;"}.freeze
    NAMES = {"apos" => "'", "amp" => "&", "quot" => '"', "lt" => "<", "gt" => ">"}.freeze
    private_constant :HTML, :NAMES

    # Text as part of a query: spaces become "+".
    def escape(text) = percent(text, /[^a-zA-Z0-9_.\-~ ]/).tr(" ", "+")

    # Text as part of a path.
    def escapeURIComponent(text) = percent(text, /[^a-zA-Z0-9_.\-~]/)
    alias escape_uri_component escapeURIComponent

    def unescape(text, encoding = CGI.class_variable_get(:@@accept_charset)) = unpercent(string(text).tr("+", " "), encoding)

    def unescapeURIComponent(text, encoding = CGI.class_variable_get(:@@accept_charset)) = unpercent(string(text), encoding)
    alias unescape_uri_component unescapeURIComponent

    def escapeHTML(text)
      text = string(text) unless String === text
      return html_escaped(text) || text.dup if text.encoding.ascii_compatible?
      return escapeHTML(text.b).force_encoding(text.encoding) unless text.valid_encoding?
      text.match?(/['&"<>]/) ? text.gsub(/['&"<>]/, HTML) : text.dup
    end
    alias escape_html escapeHTML
    alias h escapeHTML

    def unescapeHTML(text)
      return unescapeHTML(text.b).force_encoding(text.encoding) unless text.valid_encoding?
      return text unless text.include?("&")
      text.gsub(/&(?:(apos|amp|quot|gt|lt)|#([0-9]+)|#[xX]([0-9A-Fa-f]+));/) do |all|
        next NAMES[$1] if $1
        number = $2 ? $2.to_i : $3.to_i(16)
        number.chr(text.encoding)
      rescue RangeError
        all
      end
    end
    alias unescape_html unescapeHTML

    # Escapes the tags of the elements named, and leaves the others.
    def escapeElement(text, *elements)
      elements = elements.flatten
      return text if elements.empty?
      text.gsub(/<\/?(?:#{elements.join("|")})\b[^<>]*+>?/im) { |tag| escapeHTML(tag) }
    end
    alias escape_element escapeElement

    def unescapeElement(text, *elements)
      elements = elements.flatten
      return text if elements.empty?
      text.gsub(/&lt;\/?(?:#{elements.join("|")})\b(?>[^&]+|&(?![gl]t;)\w+;)*(?:&gt;)?/im) { |tag| unescapeHTML(tag) }
    end
    alias unescape_element unescapeElement

    private

    def string(text) = String.try_convert(text) || raise(TypeError, "no implicit conversion of #{text.nil? ? "nil" : text.class} into String")

    def percent(text, unsafe)
      text = string(text)
      text.b.gsub(unsafe) { |byte| "%%%02X" % byte.ord }.force_encoding(text.encoding)
    end

    def unpercent(text, encoding)
      decoded = text.b.gsub(/%\h\h/) { |code| code[1, 2].hex.chr }.force_encoding(encoding)
      decoded.valid_encoding? ? decoded : decoded.force_encoding(text.encoding)
    end
  end

  @@accept_charset = Encoding::UTF_8

  include Util
  extend Util
end

require "cgi/escape/html.so"
