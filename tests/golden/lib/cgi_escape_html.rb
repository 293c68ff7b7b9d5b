# Text made safe for HTML: what is escaped, encodings, classes, and what is no text.
require "cgi/escape"
require "erb"

text = +"abc"
p CGI.escapeHTML(text), CGI.escapeHTML(text).equal?(text)
p CGI.escapeHTML("<a href='x'>\"é\" & co</a>"), CGI.escapeHTML(""), CGI.escapeHTML("&&"), ERB::Util.h("<#{"x" * 300}>").size
p CGI.escapeHTML("<é>").encoding, CGI.escapeHTML("a>".b).encoding, CGI.escapeHTML("<あ>".encode("Shift_JIS")).bytes
p CGI.escapeHTML("\xE3<\xff"), CGI.escapeHTML("<é\xff&").valid_encoding?, CGI.escapeHTML("<é&").valid_encoding?
p CGI.escapeHTML("<").ascii_only?, CGI.escapeHTML("x".freeze).frozen?, CGI.escapeHTML("<".freeze).frozen?

class Subclass < String
end
p CGI.escapeHTML(Subclass.new("a")).class, CGI.escapeHTML(Subclass.new("a<")).class, ERB::Util.html_escape(Subclass.new("<")).class

convertible = Object.new
def convertible.to_str = "<to_str>"
def convertible.to_s = "<to_s>"
p CGI.escapeHTML(convertible), ERB::Util.html_escape(convertible), ERB::Util.html_escape(nil), ERB::Util.html_escape(:"<")
[nil, 3, :a].each do |object|
  CGI.escapeHTML(object)
rescue TypeError => e
  p e.message
end

# Back again: encodings, classes, what is no reference.
p CGI.unescapeHTML("&lt;a href=&#39;x&#39;&gt;&quot;&#xe9;&quot; &amp; &apos;"), CGI.unescapeHTML("abc"), CGI.unescapeHTML("&"), CGI.unescapeHTML("")
p CGI.unescapeHTML(Subclass.new("a")).class, CGI.unescapeHTML(Subclass.new("a&lt;")).class, CGI.unescapeHTML("x".freeze).frozen?
p CGI.unescapeHTML("\xE3&lt;\xff").bytes, CGI.unescapeHTML("&lt;&#233;".b), CGI.unescapeHTML("&#x3042;&lt;".encode("Shift_JIS")).bytes
p CGI.unescapeHTML("a&lt;".encode("UTF-16LE")), CGI.escapeHTML("a<".encode("UTF-16LE")), CGI.escapeHTML("a".encode("UTF-16LE")).encoding
p CGI.unescapeHTML("&lt;".encode("US-ASCII")).encoding, CGI.escapeHTML("\u{1F600}<" * 100).size, CGI.escapeHTML("&" * 10_000).size
p CGI.unescapeHTML(convertible)
[nil, 3].each do |object|
  CGI.unescapeHTML(object)
rescue TypeError => e
  p e.message
end
