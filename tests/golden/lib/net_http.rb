# Requests over HTTP, to a server of the program itself.
# oracle: native
require "net/http"
require "socket"
require "zlib"
require "stringio"
server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]
zip = StringIO.new("".b).tap { |io| gz = Zlib::GzipWriter.new(io); gz.write("packed"); gz.finish }.string
log = []
Thread.new do
  loop do
    c = server.accept
    Thread.new do
      while (line = c.gets)
        headers = {}
        while (h = c.gets.chomp) != ""
          k, v = h.split(": ", 2); headers[k.downcase] = v
        end
        body = c.read(headers["content-length"].to_i)
        path = line.split[1]
        log << "#{line.split[0]} #{path} #{body} #{headers.key?("host")}"
        case path
        when "/chunk" then c.write "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        when "/gz" then c.write "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: #{zip.bytesize}\r\n\r\n#{zip}"
        when "/none" then c.write "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nX-A: 1\r\nX-A: 2\r\n\r\nno"
        when "/close" then c.write "HTTP/1.0 200 OK\r\n\r\nuntil end"; c.close; break
        when "/nc" then c.write "HTTP/1.1 204 No Content\r\n\r\n"
        when "/slow" then sleep 2
        when "/redir" then c.write "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"
        when "/auth" then t = headers["authorization"].to_s; c.write "HTTP/1.1 200 OK\r\nContent-Length: #{t.size}\r\n\r\n#{t}"
        else c.write "HTTP/1.1 200 OK\r\nContent-Length: #{path.size + body.size}\r\n\r\n#{path + body unless line.start_with?("HEAD")}"
        end
      end
    rescue IOError, SystemCallError
    end
  end
end
base = "http://127.0.0.1:#{port}"
p Net::HTTP.get(URI("#{base}/hello?x=1")), Net::HTTP.get("127.0.0.1", "/p", port)
r = Net::HTTP.get_response(URI("#{base}/none"))
p r.code, r.message, r.class, r["X-A"], r.get_fields("x-a"), r.body, r.is_a?(Net::HTTPClientError)
begin; r.value; rescue => e; p e.message.size.positive?; end
Net::HTTP.start("127.0.0.1", port) do |http|
  p http.get("/chunk").then { |x| [x.body, x.content_type, x.type_params["charset"], x.chunked?] }
  p http.get("/gz").body, http.get("/nc").then { |x| [x.class, x.body] }
  p http.post("/post", "a=1").body, http.head("/h").then { |x| [x.code, x.body, x.content_length] }
  q = Net::HTTP::Put.new("/put", "X-Y" => "z"); q.body = "data"; q.content_type = "text/plain"
  p http.request(q).body, http.get("/close").body, http.get("/again").body
  q = Net::HTTP::Get.new("/auth"); q.basic_auth("u", "p"); p http.request(q).body
  http.request_get("/chunk") { |res| parts = []; res.read_body { |s| parts << s }; p parts.join }
  p http.delete("/d").code, http.patch("/pa", "x").body, http.started?
end
p Net::HTTP.post_form(URI("#{base}/form"), "a" => "1 2", "b" => "ü").body
p Net::HTTP.post(URI("#{base}/pp"), "body", "Content-Type" => "text/plain").body
p Net::HTTP.get_response(URI("#{base}/redir")).then { |x| [x.class, x["location"]] }
http = Net::HTTP.new("127.0.0.1", port); http.read_timeout = 0.2
begin; http.get("/slow"); rescue => e; p e.class; end
begin; Net::HTTP.get(URI("http://127.0.0.1:1/")); rescue => e; p e.class; end
p log.uniq.size
px = Net::HTTP.new("example.test", 8080, "127.0.0.1", port, "u", "p")
p px.proxy?, px.proxy_address, px.get("/via").body
p Net::HTTP.new("h", 1, nil).proxy?
h = Net::HTTP::Get.new("/"); h.set_range(0, 5); p h["Range"], h.range; h.range = -5; p h["range"]
