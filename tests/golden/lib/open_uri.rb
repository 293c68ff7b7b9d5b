# Addresses opened as files, of a server of the program itself.
# oracle: native
require "open-uri"
require "socket"
server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]
answers = {
  "/text" => ["200 OK", "Content-Type: text/plain; charset=ISO-8859-1\r\nLast-Modified: Thu, 05 Dec 2002 02:45:02 GMT\r\nX-A: 1\r\nX-A: 2\r\n", "gr\xFC\xDFe".b],
  "/html" => ["200 OK", "Content-Type: text/html\r\nContent-Encoding: x-a, Y-B\r\n", "<p>é</p>"],
  "/quoted" => ["200 OK", "Content-Type: Text/Plain ; a=b; charset=\"utf\\-8\"\r\n", "é"],
  "/bytes" => ["200 OK", "", "\xFF\x00".b],
  "/large" => ["200 OK", "Content-Type: text/plain\r\n", "line\n" * 5000],
  "/moved" => ["302 Found", "Location: /html\r\nSet-Cookie: a=1; path=/\r\n", ""],
  "/away" => ["301 Moved Permanently", "Location: file:///etc/hostname\r\n", ""],
  "/bad" => ["301 Moved Permanently", "Location: http://[/\r\n", ""],
  "/loop" => ["302 Found", "Location: /loop\r\n", ""],
  "/none" => ["404 Not Found", "Content-Type: text/plain\r\n", "no such thing"]
}
log = []
Thread.new do
  loop do
    client = server.accept
    path = client.gets.split[1]
    headers = []
    while (line = client.gets.chomp) != ""
      headers << line if line.match?(/\A(X-Test|Authorization)/i)
    end
    log << [path, *headers]
    status, head, body = answers.fetch(path) { ["200 OK", "Content-Type: text/plain\r\n", path] }
    client.write("HTTP/1.1 #{status}\r\n#{head}Content-Length: #{body.bytesize}\r\nConnection: close\r\n\r\n", body)
    client.close
  end
end
base = "http://127.0.0.1:#{port}"
hide = ->(text) { text.to_s.gsub(port.to_s, "PORT") }
URI.open("#{base}/text", "X-Test" => "yes") do |io|
  p io.class, io.is_a?(OpenURI::Meta), io.status, io.content_type, io.charset, io.last_modified, io.content_encoding
  p hide[io.base_uri], io.meta["x-a"], io.metas["x-a"], io.external_encoding, io.read
end
%w[html quoted bytes].each do |name|
  text = URI("#{base}/#{name}").read
  p text, text.encoding, text.content_type, text.charset, text.charset { "none" }, text.content_encoding, text.status
end
io = URI("#{base}/large").open
p io.class, io.read.bytesize, io.external_encoding
io.close
p URI.open("#{base}/moved") { |moved| [hide[moved.base_uri], moved.read] }
URI("#{base}/text").open(encoding: "UTF-8") { |text| p text.external_encoding }
URI("#{base}/text").open("r:utf-8") { |text| p text.external_encoding }
sizes = []
URI("#{base}/html").open(content_length_proc: ->(n) { sizes << n }, progress_proc: ->(n) { sizes << n }, read_timeout: 5, open_timeout: 5).close
p sizes
URI("#{base}/login").open(http_basic_authentication: %w[me secret]).close
p URI.open("http://example.invalid/x?y", proxy: base) { |text| hide[text.read] }

def attempt
  yield
rescue OpenURI::HTTPRedirect => e
  p e.class, e.message, e.uri.path, e.io.status
rescue OpenURI::HTTPError => e
  p e.class, e.message, e.io.read, e.io.status
rescue StandardError => e
  puts "#{e.class}: #{e.message.gsub(/127.0.0.1:\d+/, "HOST")}"
end
attempt { URI.open("#{base}/none") }
attempt { URI.open("#{base}/moved", redirect: false) }
attempt { URI.open("#{base}/away") }
attempt { URI.open("#{base}/bad") }
attempt { URI.open("#{base}/loop") }
attempt { URI.open("#{base}/text", nope: 1) }
attempt { URI.open("#{base}/text", "w") }
attempt { URI.open("#{base}/text", "r:utf-8", encoding: "utf-8") }
attempt { URI.open("http://me:pw@127.0.0.1:#{port}/") }
attempt { URI.open("#{base}/text", proxy: 3) }
attempt { URI.open("#{base}/text", proxy: true, proxy_http_basic_authentication: ["http://x", "a", "b"]) }
attempt { URI.open("/no/such/file") }
attempt { URI.open("#{base}/text", proxy_http_basic_authentication: [true, "a", "b"]) }
p URI("ftp://192.0.2.1/foo/bar").read(proxy_http_basic_authentication: [base, "user", "secret"]).then { |text| hide[text] }
p URI.open(__FILE__, &:gets)
log.each { |entry| puts hide[entry.join(" ")] }
