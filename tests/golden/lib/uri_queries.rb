# Which characters queries and fragments keep, which they escape, and which escapes they refuse.
require "uri"

def show
  p(yield)
rescue URI::Error, ArgumentError => error
  puts "#{error.class}: #{error.message.inspect}"
end

texts = ["", "a=b&c", "%41", "%4", "%zz", "% z", "%é", "a\n%zz", "%z\nz", "%\n\n", "%%41", "é", "\xff", "あ".encode("EUC-JP"), "ab".b,
         "a\r\nb"]
texts.concat((0..127).map { |code| "a#{code.chr}b" })
texts.each do |text|
  uri = URI("http://a/")
  show { uri.query = text; [text, uri.query, uri.query.encoding, uri.query.equal?(text)] }
  show { uri.fragment = text; [uri.fragment, uri.fragment.encoding] }
end
%w[http://a/?%zz ?%zz mailto:a?%zz http://a?b%z #%zz http://u:p@[::1]:80/a/../b?c#d //h/p a:b ./a /a].each do |text|
  show { URI.split(text) }
  show { URI.parse(text) }
  show { URI.join("http://b/c/d?e#f", text) }
end
show { URI::RFC2396_PARSER.parse("http://a/?%zz") }
show { URI.parse("http+x.y-z:a").class }
