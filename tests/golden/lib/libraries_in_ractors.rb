# oracle: native
# What libraries do in other Ractors than the main one.
Warning[:experimental] = false
require "yaml"
require "json"
require "uri"
require "time"
require "date"
require "digest"
require "securerandom"
require "shellwords"
require "cgi/escape"
require "stringio"
require "strscan"
require "zlib"
require "pp"
require "delegate"
require "ipaddr"
require "open3"
require "tempfile"
require "tmpdir"
require "pathname"
require "io/console"

def report(name, &block)
  p [name, Ractor.new(&block).value]
rescue Ractor::RemoteError => error
  p [name, error.cause.class, error.cause.message]
end

report(:yaml) { YAML.load(YAML.dump({ "a" => [1, 2.5, nil, true, "text", { "b" => "c: d" }] })) }
report(:yaml_objects) { YAML.unsafe_load(YAML.dump({ a: 1..2, b: :c, d: 3r, e: /f/, g: Time.at(0).utc })) }
report(:yaml_error) { YAML.load("a: [") rescue $!.class }
report(:json) { JSON.parse(JSON.generate({ "a" => [1, nil, "\u00e4"] }), symbolize_names: true) }
report(:pretty_json) { JSON.pretty_generate([1, { "a" => {} }]) }
report(:uri) { u = URI.parse("http://a:80/b?c=d#e"); [u.host, u.query, URI.join("http://a/b/c", "../d").to_s] }
report(:uri_form) { [URI.encode_www_form([["a b", "ä"], ["c", nil]]), URI.decode_www_form("a=b+c&d=%C3%A4"), URI.encode_www_form_component("a b/"), URI.encode_uri_component("a b")] }
report(:uri_extract) { URI::DEFAULT_PARSER.escape("a b") }
report(:mail) { URI.parse("mailto:a@b.c").to }
report(:time) { [Time.parse("2020-01-02 03:04:05 UTC").to_i, Time.iso8601("2020-01-02T03:04:05Z").httpdate, Time.strptime("2020", "%Y").year] }
report(:date) { [Date.parse("3 Feb 2001").to_s, (Date.new(2001, 1, 31) >> 1).to_s, DateTime.new(2001, 2, 3, 4).iso8601, Date.valid_date?(2001, 2, 30), Date.strptime("2001-05", "%Y-%m").to_s] }
report(:digest) { [Digest::SHA256.hexdigest("a")[0, 8], Digest::MD5.base64digest("a")] }
report(:random) { [SecureRandom.hex(4).size, SecureRandom.uuid.size, SecureRandom.random_number(1)] }
report(:shell) { ["a b".shellescape, Shellwords.split("a 'b c'")] }
report(:cgi) { [CGI.escapeHTML("<&>"), CGI.unescape("a+b%20c")] }
report(:stringio) { s = StringIO.new("a\nb"); [s.gets, s.read] }
report(:scanner) { s = StringScanner.new("ab 12"); [s.scan(/\w+/), s.skip(/ /), s.scan(/\d+/)] }
report(:zlib) { Zlib.inflate(Zlib.deflate("abc" * 9)).size }
report(:gzip) { Zlib.gunzip(Zlib.gzip("abc")) }
report(:pp) { PP.pp({ a: [1] * 3 }, +"") }
report(:delegate) { SimpleDelegator.new([1, 2]).size }
report(:ipaddr) { [IPAddr.new("10.0.0.0/8").include?("10.1.2.3"), IPAddr.new("::1").ipv6?] }
report(:tempfile) { Tempfile.create { |f| f.write("a"); f.flush; File.size(f.path) } }
report(:tmpdir) { Dir.mktmpdir { |d| File.directory?(d) } }
report(:pathname) { (Pathname("a") / "../b").cleanpath.to_s }
report(:set) { Set[1, 2] | [3] }
