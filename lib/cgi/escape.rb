# Text made safe for URLs and HTML, and back.
class CGI
  # The native half.
  module Util
  end
  private_constant :Util

  # What programs include, and CGI itself answers to.
  module Escape
    include Util

    HTML = {"'" => "&#39;", "&" => "&amp;", '"' => "&quot;", "<" => "&lt;", ">" => "&gt;"}.freeze
    NAMES = {"apos" => "'", "amp" => "&", "quot" => '"', "lt" => "<", "gt" => ">"}.freeze
    private_constant :HTML, :NAMES

    # Text as part of a query: spaces become "+".
    def escape(text) = percent_escaped(string(text), true)

    # Text as part of a path.
    def escapeURIComponent(text) = percent_escaped(string(text), false)
    alias escape_uri_component escapeURIComponent

    def unescape(text, encoding = CGI.class_variable_get(:@@accept_charset)) = unescaped_in(string(text), true, encoding)

    def unescapeURIComponent(text, encoding = CGI.class_variable_get(:@@accept_charset)) = unescaped_in(string(text), false, encoding)
    alias unescape_uri_component unescapeURIComponent

    def escapeHTML(text)
      html_escaped(text) || (String === text ? in_utf8(text) { |copy| html_escaped(copy) } : escapeHTML(string(text)))
    end
    alias escape_html escapeHTML
    alias h escapeHTML

    def unescapeHTML(text)
      plain = html_unescaped(text)
      return plain if plain
      text = string(text) unless String === text
      return in_utf8(text) { |copy| unescaped(copy, text.encoding) } unless text.encoding.ascii_compatible?
      return unescaped(text.b, text.encoding).force_encoding(text.encoding) unless text.valid_encoding?
      text.include?("&") ? unescaped(text, text.encoding) : text.dup
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

    # Encodings that do not contain ASCII are taken through one that does.
    def in_utf8(text)
      return escapeHTML(text.b).force_encoding(text.encoding) unless text.valid_encoding?
      yield(text.encode(Encoding::UTF_8)).encode(text.encoding)
    end

    # How many characters a number may stand for.
    def character_limit(encoding)
      return 0x110000 if encoding == Encoding::UTF_8 || !encoding.ascii_compatible?
      encoding == Encoding::ISO_8859_1 ? 256 : 128
    end

    def unescaped(text, encoding)
      return bytes_unescaped(text) if encoding == Encoding::UTF_8
      limit = character_limit(encoding)
      text.gsub(/&(?:(apos|amp|quot|gt|lt)|#([0-9]+)|#[xX]([0-9A-Fa-f]+));/) do |all|
        next NAMES[$1] if $1
        number = $2 ? $2.to_i : $3.to_i(16)
        next all if number >= limit
        character(number, encoding, text.encoding)
      end
    end

    # Halves of UTF-16 pairs are bytes in UTF-8, although they are no characters, and nothing in other encodings.
    def character(number, encoding, wanted)
      return number.chr(encoding).force_encoding(wanted) if encoding.ascii_compatible? && encoding != Encoding::UTF_8
      number.chr(encoding) if encoding != Encoding::UTF_8 && (0xD800..0xDFFF).cover?(number)
      [number].pack("U").force_encoding(wanted)
    end

    def string(text) = String.try_convert(text) || raise(TypeError, "no implicit conversion of #{text.nil? ? "nil" : text.class} into String")

    def unescaped_in(text, plus, encoding)
      decoded = percent_unescaped(text, plus).force_encoding(encoding)
      decoded.valid_encoding? ? decoded : decoded.force_encoding(text.encoding)
    end
  end

  @@accept_charset = Encoding::UTF_8

  include Escape
  extend Escape
end

require "cgi/escape/html.so"
