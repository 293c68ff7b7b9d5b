# Parts of URIs: what is refused, what schemes' classes take apart, who may be asked without a proxy; each file by itself.
require "uri/https"
p URI.parse("https://a/b").class, URI.scheme_list.keys.sort
require "uri/wss"
p URI.parse("wss://a/b?c").request_uri
require "uri"

def t
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

t { URI.parse('https://www.example.com/search?q=%XX').query }
t { URI.parse('/search?q=%XX').query }
t { URI.parse('/search?q=[]{}| <>').query }
t { URI.parse('http:/search?q=[]{}').query }
t { URI.parse('http:/search?q=[]{}').query }
u = URI::MailTo.build(['joe@example.com', 'subject=Ruby'])
['#1@mail.com', '@invalid.email', 'a@.b', 'a;b@c', 'foo @example.com', "a@b,c@d", "a@b, c@d", "a@b;c@d", "a%20b@c", "%40@c", 'a..a@valid.com', "a@b.", "javascript:alert()", "a/b@c", "a?b@c", "a%3Fb@c", "a=b@c", "a%@c"].each { |x| t { u.to = x; u.to_s } ; t {URI.parse("mailto:"+x).to_s}; t { URI::MailTo.build([x,nil]).to_s} }
t { URI::MailTo.build(["foo@example.jp?subject=1+1=2",[]]).to_s}
t { URI::MailTo.build([["a@b", "foo @example.com"],nil]).to_s}
t { URI::MailTo.build({to: ["a@b"], headers: {"a"=>"b c"}}).to_s}
u = URI.parse('http://user:pass@example.com:8080')
t { u1 = u.merge('//new.example.org/path'); [u1.port, u1.user, u1.to_s] }
t { u1 = u.merge('//other@example.net'); [u1.port, u1.user, u1.to_s] }
t { (u + "//x:1").then { |a| [a.port, a.userinfo] } }
t { URI::FTP.build(['user:password', 'ftp.example.com', nil, '/path/file.zip', 'i']).to_s }
t { URI::FTP.build(['user:password', 'ftp.example.com', nil, 'path/file.zip', 'i']).to_s }
t { URI::FTP.build(['user:password', 'ftp.example.com', nil, '//path/file.zip', 'i']).path }
t { URI("ftp://a//b").to_s }
t { URI("ftp://a/%2Fb").to_s }
t { x = URI("ftp://a/b"); x.path="/c"; x.to_s }
t { x = URI("ftp://a/b"); x.path="c"; [x.to_s, x.path] }
u = URI('ldap://host.com:6666/o=University%20of%20Michigan,c=US??sub?(cn=Babs%20Jensen)')
t { [u.dn,u.attributes,u.scope,u.filter,u.extensions] }
t { URI('ldap:///??sub??bindname=cn=Manager%2co=Foo').select(*URI::LDAP.component) }
t { URI('ldap:///??sub??bindname=cn=Manager%2co=Foo').to_s }
t { URI('ldap://h/dn').select(*URI::LDAP.component) }
t { URI('ldap://h/dn?a,b??').select(*URI::LDAP.component) }
t { x=URI('ldap://h/dn?a'); x.scope="sub"; x.to_s }
t { x=URI('ldap://h/dn?a'); x.extensions="e"; [x.to_s,x.query, x.hierarchical?] }
c = Class.new(URI::Generic)
t { URI::HTTP.build(nil) }
t { URI::HTTP.build([1]) }
t { URI.decode_www_form("") }
t { URI.decode_www_form("a=1&&b&=") }
t { URI.decode_www_form("a=1&%82%A0=%8A%BF", "x-sjis") }
t { URI.decode_www_form("a=1&b=%82%A0&_charset_=sjis&c=%82%A1=%8A%C0", use__charset_: true) }
t { URI.decode_www_form("isindex&a=1", isindex: true) }
t { URI.decode_www_form("a=%&b=%8&%E3%81%8=%E6%BC") }
t { URI::Generic.use_proxy?('x.c', nil, 80, '*') }
t { URI::Generic.use_proxy?('a', nil, 80, 'A:80, b:81,*.c')}
t { URI::Generic.use_proxy?('x.c', nil, 80, 'A:80, b:81,*.c')}
u = URI::RFC2396_Parser.new(:ESCAPED => "(?:%[a-fA-F0-9]{2}|%u[a-fA-F0-9]{4})").parse('http://a/b/%uABCD')
t { u.path='/%uDCBA'; u.path }
t { URI.const_get(:Schemes).escape("ms-a.b+c").inspect }
t { [URI.register_scheme("coaps+ws", c) == c, URI.parse("coaps+ws://h").class == c, URI.scheme_list.keys.sort] }
t { URI.register_scheme("1b", c) }
t { ["", "//", "?q", "http:", "http://", "/a"].map { |text| URI.split(text) } }
t { [URI::PARSER.class, URI::Parser, defined?(URI::REGEXP), defined?(URI::PATTERN)] }
URI.parser = URI::RFC2396_PARSER
t { [URI::PARSER.class, URI::Parser, URI::REGEXP, URI::PATTERN, URI::REGEXP::PATTERN::HEX, URI::DEFAULT_PARSER.class] }
URI.parser = URI::RFC3986_PARSER
t { [URI::PARSER.class, URI::Parser, defined?(URI::REGEXP), defined?(URI::PATTERN)] }
t { URI::RFC2396_REGEXP::PATTERN.constants.sort }
t { [URI::PATTERN, URI::REGEXP, URI::ESCAPED, URI::UNSAFE] }
t { Class.new { include URI::REGEXP::PATTERN }::IPV4ADDR }
