# tempfile and cgi/escape.
require "cgi/escape"
require "tempfile"

p CGI.escape(" !\"\#$%&'()*+,-./:;<=>?@[\\]^_`{|}~é"), CGI.unescape("a%20b+c%C3%A9")
p CGI.escapeURIComponent("a b/é"), CGI.unescapeURIComponent("a%20b+")
p CGI.escapeHTML("<a href='x'>\"&</a>"), CGI.unescapeHTML("&lt;&#65;&#x42;&quot;&amp;&nbsp;&apos;"), CGI.escapeHTML("plain")
p CGI.escapeElement("<br><a>b</a>", "a"), CGI.unescapeElement("&lt;br&gt;&lt;a&gt;", "br")

file = Tempfile.new(["carat", ".txt"])
path = file.path
p File.basename(path).match?(/\Acarat.*\.txt\z/), File.exist?(path)
file.puts "line"
p file.size, file.rewind, file.read, file.close, file.closed?, file.open.read
file.close!
p File.exist?(path), file.path
p Tempfile.create("x") { |f| f.write("abc") }
name = Tempfile.open("y") { |f| f.path }
p name.is_a?(String)
