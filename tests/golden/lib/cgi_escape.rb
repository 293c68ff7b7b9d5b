# Escaping as a mixin, in encodings of every kind, and references to what is no character.
require "cgi/escape"

p CGI.class_variable_get(:@@accept_charset)

def t
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

x = Class.new { include CGI::Escape }.new
t { x.escapeHTML("<") }
t { x.unescape("%41") }
t { x.unescape("%FF%41") }
t { CGI.unescapeHTML("&#xD800;").bytes }
t { CGI.unescapeHTML("☆&#xD800;").bytes }
t { CGI.unescapeHTML("☆&#x110000;&#1114112;&#x7fffffff;&#99999999999;") }
t { CGI.unescapeHTML("&#300;&#233;".encode("ISO-8859-1")) }
t { CGI.unescapeHTML("&#300;&#65;".encode("EUC-JP")) }
t { CGI.unescapeHTML("&#300;&#65;".encode("US-ASCII")) }
t { CGI.unescapeHTML("&#200;&#65;".b) }
t { CGI.unescapeHTML("&lt;&#300;&#x41;&#xD800;".encode("UTF-16LE")) }
t { CGI.escapeHTML("<é>".encode("UTF-16BE")) }
t { CGI.escapeElement("<BR><A HREF>".encode("UTF-16BE"), "A") }
t { CGI.unescapeElement(CGI.escapeHTML('<BR><A HREF="url"></A>'), "A", "IMG") }
t { CGI.unescapeHTML("&#;&#x;&foo;&amp&#38;&#038;&#x26;") }
t { CGI.escape(nil) }
t { CGI.unescape("%E6%A4%9C", "EUC-JP").encoding }
t { CGI.escapeURIComponent("a b~*") }
t { CGI.rfc1123_date(Time.at(0)) }
t { CGI.pretty("<a><b></b></a>") }
