# oracle: native
# What HTTP writes and reads, without a server: headers, forms, bodies, proxies, and requests that are sent again.
require "net/http"
require "stringio"

class Output < StringIO
  def continue_timeout = nil
end

def attempt
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

def sent(request)
  output = Output.new
  request.exec(output, "1.1", request.path)
  output.string.gsub(/^(User-Agent|Host|Accept|Accept-Encoding): .*\r\n/, "").gsub("\r\n", "\n")
end

def answer(text, decode: false)
  io = Net::BufferedIO.new(StringIO.new(text.gsub("\n", "\r\n")))
  response = Net::HTTPResponse.read_new(io)
  response.decode_content = decode
  response.reading_body(io, true) { yield response if block_given? }
  response
end

# Headers.
class Headers
  include Net::HTTPHeader
  attr_accessor :body

  def initialize = initialize_http_header({"Foo" => "abc", sym: " x "})
end
headers = Headers.new
headers["aaa"] = ["a", ["b", [3]]]
headers.add_field("AAA", ["c", ["d"]])
p headers["aaa"], headers.get_fields("Aaa"), headers["Sym"], headers.size, headers.each_capitalized.to_a
attempt { headers["x"] = "a\nb" }
attempt { headers.fetch("none") }
[0..499, 0...500, 300, -400, 1..-1, 5..2, -3..2].each { |range| attempt { headers.range = range; [headers["range"], headers.range] } }
attempt { headers.set_range(0, 500); headers["range"] }
%w[1-5 5-1 -5 -0 0- 1- 0-0,-1 1-2\ ,\ 3-4 1-2, -0,1-2 --1 invalid].each { |range| headers["range"] = "bytes=#{range}"; attempt { headers.range } }
["bytes 0-499/1000", "tokens 1-1/1000", "invalid", "bytes 1-500/*"].each { |range| headers["content-range"] = range; attempt { [headers.content_range, headers.range_length] } }
headers.set_content_type("text/html", {"charset" => "utf-8"})
p headers.content_type, headers.main_type, headers.sub_type, headers.type_params.to_a, headers["content-type"]
headers.set_form_data({"cmd" => "a b", "q" => %w[1 2]}, ";")
p headers.body, headers.content_type
headers.basic_auth("u", "p")
p headers["authorization"]

# Requests.
p Net::HTTP::Get.new("/").decode_content, Net::HTTP::Get.new("/", "accept-encoding" => "identity").decode_content
p Net::HTTP::Get.new(URI("http://example.com:81/foo?a=b")).then { |get| [get.path, get["host"], get.uri.to_s, get.method] }
[URI("urn:a:b"), nil, ""].each { |path| attempt { Net::HTTP::Get.new(path) } }
attempt { sent(Net::HTTP::Get.new("/\r\nx")) }
post = Net::HTTP::Post.new("/p", "X-A" => "1", "Content-Type" => "text/plain")
post.body = "text"
puts sent(post)
attempt { post.set_body_internal("more") }
post.body_stream = StringIO.new("stream")
attempt { sent(post) }
post.delete("content-length")
post["transfer-encoding"] = "chunked"
puts sent(post)
form = Net::HTTP::Post.new("/f")
form.set_form([["a", "1"], ["ä\"", "2"], ["f", StringIO.new("content"), {filename: "n.txt", content_type: "text/x"}]], "multipart/form-data", boundary: "BB")
puts sent(form)
form.set_form({"a" => "1 2", "b" => %w[x y]})
puts sent(form)
attempt { form.set_form([], "text/plain") }

# Answers.
head = "HTTP/1.1 200 OK\nConnection: close\n"
p answer("#{head}X: a\n  b\nY:\n c\n\td\nContent-Length: 5\n\nhello").then { |response| [response["x"], response["y"], response.body, response.inspect] }
p answer("#{head}Transfer-Encoding: chunked\n\n3;x=1\nabc\n2\nde\n0\nT: 1\n\n").body, answer("#{head}\nall of it").body
packed = "x\x9C\xCBH\xCD\xC9\xC9\a\x00\x06,\x02\x15".b
p answer("#{head}Content-Encoding: deflate\nContent-Length: 13\n\n".b + packed, decode: true).then { |response| [response["content-encoding"], response["content-length"], response.body] }
p answer("#{head}Content-Encoding: deflate\nContent-Length: 13\n\n".b + packed).then { |response| [response["content-encoding"], response.body] }
p answer("#{head}Content-Length: 5\n\nhello") { |response| response.read_body { |part| p part } }.body.class
attempt { answer("#{head}Content-Length: 1\n\nh") { |response| response.read_body(+""); response.read_body(+"") } }
attempt { answer("HTTP/1.1 200OK\n\n") }
attempt { answer("#{head}nonsense\n\n") }
%w[103 204 226 299 304 305 418 421 431 451 508 511 600].each do |code|
  response = answer("HTTP/1.1 #{code} X\n\n")
  puts "#{code} #{response.class} #{response.class.body_permitted?} #{response.class.exception_type}"
  attempt { response.value }
end
p Net::HTTPRequestURITooLarge, Net::HTTPGatewayTimeOut, Net::HTTPMovedTemporarily

# Proxies.
proxied = Net::HTTP.Proxy("proxy.example", 8000, "user", "pass")
p Net::HTTP.Proxy(nil) == Net::HTTP, proxied < Net::HTTP, proxied.proxy_class?, proxied.proxy_address, proxied.proxy_port, Net::HTTP.proxy_class?
http = proxied.new("host.example", 81)
p http.proxy?, http.proxy_from_env?, http.proxy_user, http.__send__(:edit_path, "/a")
p Net::HTTP.new("a.example", nil, "p.example", nil, nil, nil, "example").proxy?, Net::HTTP.new("a", nil, nil).proxy_address
ENV["http_proxy"] = "http://Y%5CX:R%25S@proxy.example:8000"
http = Net::HTTP.new("host.example")
p http.proxy?, http.proxy_from_env?, http.proxy_address, http.proxy_port, http.proxy_user, http.proxy_pass, Net::HTTP.newobj("h").proxy?
ENV.delete("http_proxy")
p Net::HTTP.version_1_2, Net::HTTP.version_1_2?, Net::HTTP.default_port, Net::HTTP.new("2001:db8::1").__send__(:addr_port)
attempt { Net::HTTP.new("h").max_retries = -1 }
attempt { Net::HTTP.new("h").finish }

# A server that never answers.
class Broken
  attr_reader :count

  def initialize(works_at = nil)
    @count = 0
    @works_at = works_at
  end

  def close = nil
  def closed? = false
  def write(*) = nil
  def continue_timeout = nil
  def readuntil(*) = ""
  def read_all(_) = nil

  def readline
    @count += 1
    @count == @works_at ? "HTTP/1.1 200 OK" : raise(Errno::ECONNRESET)
  end
end

[[5, 3, "get"], [2, nil, "get"], [5, 3, "post"]].each do |retries, works_at, method|
  http = Net::HTTP.new("h", 1, nil)
  broken = Broken.new(works_at)
  http.instance_variable_set(:@started, true)
  http.instance_variable_set(:@socket, broken)
  http.max_retries = retries
  result = (http.public_send(method, "/", *(method == "post" ? ["x"] : [])).code rescue $!.class)
  p [result, broken.count]
end
