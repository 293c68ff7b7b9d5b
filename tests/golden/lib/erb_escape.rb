# oracle: native
# A native CRuby 4.0 at that: its WebAssembly build has no extension for this, and Ruby 3.1 no library.
# ERB::Escape.html_escape makes no copy where there is nothing to escape.
require "erb"

plain = "plain é"
p ERB::Escape.html_escape(plain).equal?(plain), ERB::Util.html_escape(plain).equal?(plain), ERB::Util.h(plain).equal?(plain)
p CGI.escapeHTML(plain).equal?(plain), CGI.unescapeHTML(plain).equal?(plain)
p ERB::Escape.html_escape(%(<a href="x">'&'</a>)), ERB::Escape.html_escape("<".freeze).frozen?

class Text < String; end
text = Text.new("plain")
p ERB::Escape.html_escape(text).equal?(text), ERB::Escape.html_escape(Text.new("<")).class

holder = Object.new
holder.define_singleton_method(:to_s) { plain }
p ERB::Escape.html_escape(holder).equal?(plain)
p ERB::Escape.html_escape(:a), ERB::Escape.html_escape(nil), ERB::Escape.html_escape(12)

["é<", "\xff<".b, "\xff<", "<".encode("UTF-16LE"), "a".encode("UTF-16LE"), "<".encode("EUC-JP")].each do |string|
  escaped = ERB::Escape.html_escape(string)
  p [escaped, escaped.encoding]
end

class Page
  define_method(:h, ERB::Escape.instance_method(:html_escape))
end
p Page.new.h(plain).equal?(plain), Page.new.h("&")
p ERB::Escape.private_instance_methods(false), ERB::Escape.singleton_methods

number = Object.new
def number.to_s = 5
[number, BasicObject.new].each do |object|
  ERB::Escape.html_escape(object)
rescue TypeError => e
  p e.class
end
