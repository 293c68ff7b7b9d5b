# The parser of JSON: what it reads, what it refuses and how it says so.
require "json"

def try
  result = yield
  puts "#{result.inspect}#{" #{result.encoding}" if result.is_a?(String)}"
rescue StandardError => error
  details = " #{error.line.inspect}:#{error.column.inspect}" if error.is_a?(JSON::ParserError)
  details = " #{error.invalid_object.inspect}" if error.is_a?(JSON::GeneratorError)
  puts "#{error.class}: #{error.message}#{details}#{" <- #{error.cause.class}" if error.cause}"
end

['', ' ', '[', '[1', '[1,', '[1,]', '[1 2]', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{a:1}', '{"a" 1}', '{"a":1,b}', '{"a":1 "b"}','{"a":1,"b" 2}', '{"a":1,"b"', 'nul', 'tru', 'fals', 'NaN', 'Infinity', '-Infinity', '-', '-a', '01', '-01', '1.', '1.e1', '1e', '1e+', '.5', '+1', '1 2', '"abc', '"a\\', '"a\\x"', '"a\\u12"', '"a\\u12zz"', '"\\ud800"', '"\\ud800\\u0041"', '"\\ud800x"', "\"a\nb\"", "\"a\tb\"", "\"a\\\nb\"", "\"a\\\tb\"", "\"a\u0000b\"", "\u0000", "[1]\u0000", "// c\n1", "/* x */1", "/* x", "/x", "1 // c", "[1,\n2,\n  x]", "[1,\n2\n  3]", "\n\n x", "é", "[ééééééééééééééééééééééééééééééééé]", "[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]", "[\"a\" \"b\"]", "\xEF\xBB\xBF1", "nullx", "truefalse", "[1]]", "{\"a\":1}}", "\"\\udc00\"", "\"\\u0000\"", "\"\\ud83d\\ude00\"", "1e5", "1E5", "-0", "-0.0", "1.5", "123456789012345678", "1234567890123456789", "12345678901234567890123", "1e400", "-1e400", "1e-400", "0.1e1", "0e1","00", "[\f1]"].each { |s| try { JSON.parse(s) } }
try { JSON.parse("\"\xff\"") }
try { JSON.parse("\"\xff\"".b) }
try { JSON.parse("\"é\"".encode("UTF-16LE")) }
try { JSON.parse("\"\xe9\"".dup.force_encoding("ISO-8859-1")) }
try { JSON.parse("\"é\"".b).encoding }
try { JSON.parse(nil) }
try { JSON.parse(12) }
try { JSON.parse(:a) }
try { o=Object.new; def o.to_str = "[1]"; JSON.parse(o) }
try { JSON.parse('[[1]]', max_nesting: 1) }
try { JSON.parse('[NaN,Infinity,-Infinity]', allow_nan: true) }
try { JSON.parse('[1,2,]', allow_trailing_comma: true) }
try { JSON.parse('{"a":1,}', allow_trailing_comma: true) }
try { JSON.parse('[,]', allow_trailing_comma: true) }
try { JSON.parse('{"a":1,"a":2}', allow_duplicate_key: true) }
try { JSON.parse('{"a":1,"a":2}', allow_duplicate_key: false) }
try { JSON.parse('[{"a":1,"a":2}]', allow_duplicate_key: false, symbolize_names: true) }
try { JSON.parse('{"a":{"b":[1,"x"]}}', freeze: true).then{[_1.frozen?, _1["a"].frozen?, _1["a"]["b"].frozen?, _1["a"]["b"][1].frozen?]} }
try { a=[]; JSON.parse('{"a":{"b":[1,"x",null]}}', on_load: ->(x){a << x.inspect; x}); a }
try { JSON.parse('{"a":1}', symbolize_names: true) }
try { JSON.parse('{"a":1}', symbolize_names: true, create_additions: true) }
try { JSON.parse('[1.5, 2e3, 3]', decimal_class: Rational) }
try { JSON.parse('[1.5, 2e3, 3]', decimal_class: Float) }
try { JSON.parse('[1.5]', decimal_class: Class.new{def self.try_convert(x)="T#{x}"}) }
try { JSON.parse('{"json_class":"String"}', create_additions: true) }
try { JSON.parse('{"json_class":"Nope"}', create_additions: true) }
try { JSON.parse('{"a":[{"b":1}]}', object_class: Struct.new(:h){def []=(k,v); (self.h||={})[k]=v;end}, array_class: Class.new(Array)) }
try { JSON.load('') }
try { JSON.load(nil) }
try { JSON.load('[1,2]', ->(x){p x}) }
try { JSON.parse!('[NaN]') }
try { JSON.parse('{"a":1}', 12) }
try { JSON::Parser.new('[1]').parse }
try { JSON::Parser.new('[1]').source }
try { JSON::Parser.parse('[1]', nil) }
try { JSON::Ext::Parser::Config }
try { JSON::Ext::ParserConfig.new({}).parse('[2]') }
try { JSON::Ext::ParserConfig.new({max_nesting: 1}).parse('[[2]]') }
try { JSON['[1]'] }
try { JSON[[1]] }
try { JSON('[1]') }
try { JSON.parse("[1e1000000000000]") }
try { JSON.parse('{"a":1}', max_nesting: nil) }
try { JSON.parse('{"a":1,"a":2}', allow_duplicate_key: false) }
try { JSON.parse('[{"a":1,"a":2}]', allow_duplicate_key: false, symbolize_names: true) }
require "json/add/range"
try { JSON.unsafe_load('{"json_class":"Range","a":[1,2,false]}') }
