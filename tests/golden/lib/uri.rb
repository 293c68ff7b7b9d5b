# URIs: taken apart, checked, joined and put together.
require "uri"

def show
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

["http://user:pa%20ss@example.com:8080/a/b;c?d=e&f#g", "https://example.com", "HTTP://EXAMPLE.com:80/", "mailto:a@b.c?subject=x%20y&body=z",
 "ftp://ftp.example.com/%2Fetc/passwd;type=a", "ldap://ldap.example.com/dc=a?user?sub?(x=1)", "file:///etc/fstab", "file://localhost/x",
 "ws://h/p?q", "urn:isbn:0451450523", "//host/path", "/abs/path?x", "rel/path#f", "", "?q", "#f", "http://[::1]:8000/", "http://[v1.a]/",
 "http:///x", "tel:+1-201", "a b", "http://exa mple/", "http://a_b/", "http://h:x/", "é", "http:", "http:a/b", "1a:b", "http://h/?a=[b]", "http://h/ ",
 "jdbc:mysql://h/d", "postgres://h/d", "http://h//x", "http://1.2.3.4:/", "mailto:", "mailto:x", "ftp://h", "http://h/%zz"].each do |text|
  show { [URI.split(text), URI(text).class, URI(text).to_s] }
end
u = URI("http://a/b/c/d;p?q")
["g:h", "g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s", "g#s", ";x", "", ".", "./", "..", "../", "../g", "../..", "../../g", "../../../g", "/./g",
 "/../g", "g.", "..g", "./../g", "./g/.", "g/./h", "g/../h", "http:g", "g;x=1/../y"].each { |text| show { (u + text).to_s } }
[["http://a/b/c", "http://a/b/d"], ["http://a/b/", "http://a/b/c/d"], ["http://a/b/c/d", "http://a/e"], ["http://a/", "http://b/x"],
 ["http://a/b", "https://a/b"], ["http://a/b", "http://a/b?c"], ["http://a/b/c", "http://a/b/"], ["http://a/b/c", "http://a/b/x:y"]].each do |from, to|
  show { [URI(from).route_to(to).to_s, URI(to).route_from(from).to_s] }
end
show { URI.join("http://a/b/", "c/", "d?e").to_s }
show { URI.join("a", "b") }
show { URI::HTTP.build(host: "h", path: "/p", query: "a=b") }
show { URI::HTTP.build(["u:p", "h", 8080, "/p", "q", "f"]).to_s }
show { URI::HTTP.build(["x"]) }
show { URI::HTTP.build(host: "a b") }
show { URI::HTTP.build(host: "h", path: "p") }
show { URI::HTTP.build(host: "") }
show { URI::MailTo.build(to: "a@b.c", headers: {"subject" => "s"}).to_s }
show { URI::MailTo.build(["a@b.c", ["subject=x", "cc=y"]]).to_s }
show { URI("mailto:a@b.c?subject=Hi&body=there&to=d@e.f").to_mailtext }
show { URI::FTP.build(host: "h", path: "a/b", typecode: "i").to_s }
show { URI("ftp://h/a/b").path + URI("ftp://h/%2Fa").path }
show { u = URI("ftp://h/a"); u.path = " " }
show { u = URI("rel"); u.path = " " }
show { u = URI("file:///x"); u.user = "a" }
show { URI::LDAP.build(host: "h", dn: "/dc=x", filter: "(a=b)").to_s }
show { URI::File.build(path: "/x").to_s }
show { URI::Generic.build(scheme: "x", path: "/y") }
u = URI("http://user:pw@h/p?q#f")
show { [u.userinfo, u.user, u.password, u.authority, u.request_uri, u.origin, u.hostname, u.default_port, u.component, u.opaque] }
[[:scheme, "1x"], [:host, "x y"], [:host, "new"], [:port, "8x"], [:port, 99], [:user, "me"], [:password, "secret"], [:userinfo, "a:b"], [:path, "no"], [:path, "/p q"],
 [:query, "a b\né"], [:fragment, "x y"], [:opaque, "z"], [:registry, "r"], [:query, nil], [:hostname, "::1"], [:scheme, "HTTPS"]].each do |name, value|
  show { u.__send__(:"#{name}=", value); u.to_s }
end
show { URI("HTTP://EXAMPLE.com").normalize.to_s }
show { [URI("http://h") == URI("http://h/"), URI("http://h").eql?(URI("http://h/")), URI("http://h").hash == URI("http://h").hash] }
show { u.select(:scheme, :host) }
show { u.select(:nothing) }
show { [u.absolute?, u.relative?, u.hierarchical?, URI("x:y").hierarchical?] }
show { URI.encode_www_form([["a b", "c&d"], ["e", nil], ["f", ["1", "2"]], [:g, 3], ["é", "ü"]]) }
show { URI.encode_www_form("a" => "b") }
show { URI.decode_www_form("a+b=c%26d&e&f=1&f=2&%C3%A9=%FC") }
show { URI.decode_www_form("a=1;b=2", separator: ";") }
show { URI.decode_www_form("é") }
show { [URI.encode_www_form_component("a b/é*"), URI.encode_uri_component("a b/é*"), URI.decode_www_form_component("a+b%2F%c3%A9"), URI.decode_uri_component("a+b%2F")] }
show { URI.decode_www_form_component("%zz") }
show { URI.encode_www_form_component("\u3042", Encoding::EUC_JP) }
show { URI.get_encoding("sjis") }
show { URI::DEFAULT_PARSER.escape("a b/é?") + URI::RFC2396_PARSER.unescape("a%20b%C3%A9") }
show { URI.extract("see http://a.b/c and mailto:x@y.z, ok? ftp://h", ["http", "ftp"]) }
show { URI.extract("see http://a.b/c and mailto:x@y.z.") }
show { "x http://h/p y"[URI.regexp(["http"])] }
show { URI::DEFAULT_PARSER.make_regexp.match?("nothing here") }
show { URI::RFC2396_PARSER.split("http://u@h:1/p?q#f") }
show { URI::RFC2396_PARSER.parse("http://exa_mple/") }
show { URI::RFC2396_PARSER.split("a/b?c") }
show { URI(3) }
show { URI(nil) }
show { URI.parse(nil) }
show { URI(URI("http://h")).class }
module URI
  class RSYNC < Generic
    DEFAULT_PORT = 873
  end
  register_scheme "RSYNC", RSYNC
end
show { [URI("rsync://h/x"), URI("rsync://h/x").port, URI.scheme_list.keys.sort] }
show { URI("http://h/x").merge!("y") }
show { URI("http://h/a/b").merge("c").to_s + URI("http://h").merge("c").to_s }
show { "#{URI("http://h")}/x" + URI("http://h") }
show { URI("http://u%40:p@h/").decoded_user }
show { URI("http://h/a?b").tap { |x| x.path = "/z" }.to_s }
