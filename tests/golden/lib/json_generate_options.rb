# Options of JSON.generate: which are known, which of two names counts, what they may be.
require "json"

def show
  p(yield)
rescue TypeError, ArgumentError, JSON::JSONError => error
  puts "#{error.class}: #{error.message}"
end

data = {"a" => [1, {"b" => "/é"}], "c" => {}}
[{indent: "\t"}, {"indent" => "\t"}, {space: " ", space_before: "  "}, {object_nl: "\n", array_nl: "|"}, {ascii_only: true},
 {escape_slash: true}, {script_safe: true}, {script_safe: true, escape_slash: false}, {escape_slash: false, script_safe: true},
 {max_nesting: 1}, {max_nesting: nil}, {max_nesting: 0, depth: 3}, {unknown: 1}, {indent: nil}, {indent: 1, space: :a}, {space: :a, indent: 1}, {array_nl: false}, {indent: ""}, {indent: "ab".freeze}, {}, nil].each do |options|
  show { JSON.generate(data, options) }
  show { JSON.pretty_generate(data, options) }
  show { JSON::State.new(options || {}).to_h.slice(:indent, :space, :object_nl, :script_safe, :max_nesting, :depth) }
end
show { JSON.generate([Float::NAN], allow_nan: true) }
show { JSON.generate([Float::NAN], allow_nan: false) }
show { JSON.generate([Object], as_json: ->(object, *) { object.to_s }, strict: true) }
changing = {indent: " "}
limit = Object.new
limit.define_singleton_method(:to_int) { changing.delete(:indent); 3 }
changing[:max_nesting] = limit
show { JSON.generate([[1]], changing) }
