# oracle: native
# Which proxy the environment names for an URI.
require "uri"

["192.0.2.0/24", "10.0.0.1", "x.invalid:80", ".x.invalid", "*", "1.2.3.4/x"].each do |list|
  found = %w[192.0.2.1 192.0.3.1 10.0.0.1 x.invalid www.x.invalid 127.0.0.1].map do |host|
    URI("http://#{host}/").find_proxy({"http_proxy" => "http://p:1", "no_proxy" => list})&.to_s
  end
  p [list, found]
end
[{}, {"http_proxy" => "http://a"}, {"HTTP_PROXY" => "http://b"}, {"http_proxy" => "http://a", "HTTP_PROXY" => "http://b"},
 {"CGI_HTTP_PROXY" => "http://c"}, {"http_proxy" => ""}].each do |env|
  p [URI("http://192.0.2.1/").find_proxy(env)&.to_s, URI("http://192.0.2.1/").find_proxy(env.merge("REQUEST_METHOD" => "GET"))&.to_s]
end
p URI("ftp://192.0.2.1/").find_proxy({"ftp_proxy" => "http://f"}).to_s, URI("https://192.0.2.1/").find_proxy({"HTTPS_PROXY" => "http://s"}).to_s
URI("a").find_proxy({}) rescue p $!.class
