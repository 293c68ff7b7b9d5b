# Escapes of URLs and references of HTML, byte by byte.
require "cgi/escape"
require "erb"

all = (0..255).map { |byte| byte.chr }.join.b
p CGI.escape(all), CGI.escapeURIComponent(all) == CGI.escape(all).gsub("+", "%20"), CGI.unescape(CGI.escape(all), Encoding::BINARY) == all
p CGI.escape("größe & maß ~*"), CGI.escape("").encoding, CGI.escape("abc").equal?("abc"), ERB::Util.url_encode("a b/ä~"), ERB::Util.url_encode(:sym)
["%", "%4", "%4x", "%zz41", "%41%", "a+b%2Bc", "%E3%81%82", "%E3%81", "%e3%81%82+%C3%A4", "ä%FF"].each do |text|
  a, b = CGI.unescape(text), CGI.unescapeURIComponent(text)
  p [a, a.encoding, a.valid_encoding?, b]
end
p CGI.escape("ä".encode("ISO-8859-1")), CGI.escape("ä".encode("EUC-JP")).encoding, CGI.unescape("%E4", "ISO-8859-1").encode("UTF-8")

["&", "&&amp;", "&amp;amp;", "&lt", "&#65", "&#65;&#x42;&#X43;&#x;&#;", "&#0;&#127;&#128;", "&#xD7FF;&#xDFFF;&#xE000;", "&#1114111;&#1114112;&#99999999999999999999;",
 "&quot;&apos;&nbsp;", "ä&#228;\xFF&#228;", "&#00000065;", "&#xg;&#6a;"].each do |text|
  plain = CGI.unescapeHTML(text)
  p [plain.encoding, plain.valid_encoding?, plain.bytes]
end
p CGI.unescapeHTML("&lt;&#228;".encode("ISO-8859-1")), CGI.unescapeHTML("&lt;&#228;".b), CGI.unescapeHTML("&lt;&#228;".encode("US-ASCII"))
[nil, 1, :a].each do |value|
  %i[escape unescape escapeURIComponent unescapeHTML].each do |name|
    p CGI.public_send(name, value)
  rescue TypeError => error
    puts error.message
  end
end
