# The generator of JSON: core classes, objects with to_json, options and errors.
require "json"

def try
  result = yield
  puts "#{result.inspect}#{" #{result.encoding}" if result.is_a?(String)}"
rescue StandardError => error
  details = " #{error.line.inspect}:#{error.column.inspect}" if error.is_a?(JSON::ParserError)
  details = " #{error.invalid_object.inspect}" if error.is_a?(JSON::GeneratorError)
  puts "#{error.class}: #{error.message}#{details}#{" <- #{error.cause.class}" if error.cause}"
end

try { JSON.generate(nil) }
try { JSON.generate([1,2.5,"a\"\\/\b\f\n\r\t\u0001\u007f\u2028é😀",nil,true,false,:sym,{a: 1,"b"=>2,3=>4,nil=>5,1.5=>6}]) }
try { JSON.generate("a/b\u2028\u2029</script>", script_safe: true) }
try { JSON.generate("a/b\u2028é😀", ascii_only: true) }
try { JSON.generate("a/b\u2028é😀", ascii_only: true, script_safe: true) }
try { JSON.generate("\xff") }
try { JSON.generate(["\xff"]) }
try { JSON.generate({"\xff"=>1}) }
try { JSON.generate("\xff".b) }
try { JSON.generate("abc".b) }
try { JSON.generate("é".encode("UTF-16LE")) }
try { JSON.generate("é".encode("ISO-8859-1")) }
try { JSON.generate("\xd8\x00".dup.force_encoding("UTF-16BE")) }
try { JSON.generate(Float::NAN) }
try { JSON.generate([Float::INFINITY]) }
try { JSON.generate(-Float::INFINITY) }
try { JSON.generate([Float::NAN,Float::INFINITY,-Float::INFINITY], allow_nan: true) }
try { JSON.generate(2**100) }
try { JSON.generate(1r) }
try { JSON.generate(Object) }
try { JSON.generate(Time.at(0).utc) }
try { JSON.generate({1=>{2=>[]}, "e"=>{}, "f"=>[]}) }
try { JSON.pretty_generate({1=>{2=>[]}, "e"=>{}, "f"=>[1,[2,[3]],{"a"=>1}]}) }
try { JSON.pretty_generate([]) }
try { JSON.pretty_generate({}) }
try { JSON.pretty_generate([1], indent: "\t", space: "  ", space_before: "_", object_nl: "\r\n", array_nl: "N") }
try { JSON.pretty_generate({a: [1,2]}, indent: "\t", space: "  ", space_before: "_", object_nl: "\r\n", array_nl: "N") }
try { JSON.dump([1,Float::NAN]) }
try { JSON.dump([[1]], 1) }
try { JSON.dump(nil) }
try { JSON.generate(Struct.new(:a).new(1)) =~ /struct/ }
class Foo; def to_json(*a) = {"foo"=>1}.to_json(*a); end
class Bar; def to_s = "bar\"x"; end
class Baz; def to_json(s=nil) = "RAW#{s.class}#{s&.depth}"; end
class Qux; def to_json(*) = 12; end
class Quy; def to_s = 12; end
try { JSON.generate([Foo.new, Bar.new, [Baz.new,{a: Baz.new}]]) }
try { JSON.pretty_generate([Foo.new, Bar.new, [Baz.new,{a: Foo.new}]]) }
try { JSON.generate([Qux.new]) }
try { JSON.generate([Quy.new]) }
class SS < String; def to_json(*)="SS"; end
class SA < Array; def to_json(*)="SA"; end
class SH < Hash; def to_json(*)="SH"; end
try { JSON.generate([SS.new("x"), SA.new, SH.new, {SS.new("k")=>1}]) }
class TS < String; end
class TA < Array; end
class TH < Hash; end
try { JSON.generate([TS.new("x"), TA[1], TH[1,2], {TS.new("k")=>1}]) }
class KK; def to_s = "kk"; end
try { JSON.generate({KK.new=>1}) }
try { JSON.generate({Quy.new=>1}) }
try { JSON.generate({a: 1, "b"=>2}) }
try { JSON.generate({a: 1, "a"=>2}, allow_duplicate_key: true) }
try { JSON.generate({a: 1, "a"=>2}, allow_duplicate_key: false) }
try { JSON.generate({1=>1, "1"=>2}, allow_duplicate_key: false) }
try { JSON.generate([:a, 1r], strict: true) }
try { JSON.generate([:a], strict: true) }
try { JSON.generate({1=>2}, strict: true) }
try { JSON.generate({:a=>2, "b"=>:c}, strict: true) }
try { JSON.generate({nil=>2}, strict: true) }
try { JSON::Coder.new{|o,k| [o.class.name, k]}.dump([1r, {2r=>3r}, Float::NAN, "\xff"]) }
try { JSON::Coder.new{|o,k| o}.dump([1r]) }
try { JSON::Coder.new.dump([1r]) }
try { JSON::Coder.new(indent: " ", array_nl: "\n").dump([1,[2]]) }
try { JSON::Coder.new(symbolize_names: true).load('{"a":1}') }
try { JSON::Fragment.new("[1,  2]").to_json }
try { JSON.generate([JSON::Fragment.new("[1,  2]")]) }
try { JSON::Coder.new.dump([JSON::Fragment.new("[1,  2]")]) }
try { JSON::Fragment.new(1) }
try { [1,"a",nil,true,false,1.5,2**70,:a,{a: 1},Object].map(&:to_json) }
try { [1].to_json(space: " ", array_nl: "\n") }
try { {a: 1}.to_json(space: " ") }
try { "a".to_json(1) }
try { [].to_json(1,2) }
try { 1.to_json(1,2) }
try { nil.to_json(1,2) }
try { Object.new.to_json(1,2) }
try { [1].to_json(nil) }
try { JSON::State.new.to_h }
try { JSON::State.new(indent: "  ", max_nesting: 3, allow_duplicate_key: true).to_h }
try { JSON::State.new(indent: 1) }
try { JSON::State.new(foo: 1).to_h }
try { JSON::State.new(1) }
try { JSON.state }
try { JSON::State.from_state(nil).class }
try { JSON::State.from_state({indent: "x"}).indent }
try { s=JSON::State.new; s.indent="ab"; s.indent }
try { s=JSON::State.new; s.indent.frozen? }
try { JSON::State.generate([1], {indent: " ", array_nl: "\n"}, nil) }
try { JSON::State.new.generate([1]) }
try { JSON.generate([1], nil) }
try { JSON.generate([1], JSON::State.new(array_nl: "\n")) }
try { JSON.generate([1], 1) }
try { JSON.pretty_generate([1], 1) }
try { JSON::Ext::Generator::GeneratorMethods.constants.sort }
try { JSON::Ext::Generator::GeneratorMethods::String.instance_methods.sort }
try { JSON::GeneratorError.new("a", 1).detailed_message }
try { String.json_create({"raw"=>[97]}) }
try { JSON::State.new.dup.to_h.size }
try { JSON.create_id }
try { JSON.generate("a", escape_slash: true) }
try { JSON.generate("a/", escape_slash: true) }
try { JSON::State.new.allow_duplicate_key? }
try { Integer.instance_method(:to_json).owner }
try { JSON.generate({"a\u2028"=>1}, script_safe: true) }
try { JSON.generate(1.0.to_c) }
try { JSON.generate(1..2) }
try { JSON.generate([0.0, -0.0, 1e20, 1e-5, 100.0, 1e14, 1e15, 1e21, 1e-9, 1e-10, 1.5e-9, 5e-324, 1.5e16, 12345678901.5, 1111111111111111.1, -4503599627370495.5, 123456789012345.67]) }
try { JSON::Coder.new { |object, _is_key| object.to_s }.dump([1r, {2r => 3r}, Float::NAN, "\xff", :a]) }
