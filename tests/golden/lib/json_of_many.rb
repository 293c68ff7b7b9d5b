# oracle: native
# Texts with many values and names, wide and deep, whose names come again or are alike.
require "json"

def round(value, **options)
  text = JSON.generate(value)
  JSON.parse(text, **options) == (options[:symbolize_names] ? JSON.parse(text).then { |v| symbolized(v) } : value)
end

def symbolized(value)
  case value
  when Hash then value.to_h { |k, v| [k.to_sym, symbolized(v)] }
  when Array then value.map { |v| symbolized(v) }
  else value
  end
end

[0, 1, 47, 48, 49, 95, 96, 97, 144, 145, 1000].each do |count|
  flat = (0...count).to_a
  nested = (0...count).map { |i| [i, [i.to_s, { "k#{i % 40}" => i, "list" => flat.first(i % 7) }], nil, true, 1.5] }
  within = [flat, [flat, [flat, flat.map { |i| [i] }], flat], { "a" => flat, "b" => { "c" => flat } }]
  wide = flat.to_h { |i| ["name#{i}", i] }
  p [count, round(flat), round(nested), round(within), round(wide), round(nested, symbolize_names: true), round([wide, flat, wide])]
end
deep = 90.times.inject([]) { |inner, i| i.even? ? [1, 2, inner, 3] : { "x" => 1, "inner" => inner, "y" => [inner.size] } }
p JSON.parse(JSON.generate(deep)) == deep

# Names that lie in one place of a small table, and such as are no plain text.
names = %w[ab bb cb db a b aa ba ca é è ée \u0001 "] + ["", " ", "a" * 100, "a" * 101, "key\n", "tab\t", "\u{1F600}"]
objects = 20.times.map { |i| names.rotate(i).first(8).each_with_index.to_h { |name, n| [name, n + i] } }
p JSON.parse(JSON.generate(objects)) == objects
p JSON.parse(JSON.generate(objects), symbolize_names: true) == symbolized(objects)
p JSON.parse('{"\u0061":1,"b":2}'), JSON.parse('[{"a":1},{"\u0061":2},{"a":3}]').map(&:keys).uniq
parsed = JSON.parse('[{"ab":1,"bb":2},{"ab":3,"bb":4},{"cb":5,"ab":6}]')
p parsed.map { |o| o.keys.map { |k| [k, k.frozen?, k.encoding.to_s] } }
p parsed[0].keys[0].equal?(parsed[1].keys[0]), parsed[0].keys[0].equal?("ab".freeze)
p parsed[0].merge!("cb" => 9, "ab" => 0), parsed[1].delete("ab"), parsed[1], parsed[2].to_a

# The same name twice: the first place, the last value.
same = '{"a":1,"b":2,"a":3,"c":4,"b":5}'
p JSON.parse(same, allow_duplicate_key: true), JSON.parse(same, allow_duplicate_key: true, symbolize_names: true)
many = "{" + (0..11).map { |i| "\"k#{i % 10}\":#{i}" }.join(",") + "}"
p JSON.parse(many, allow_duplicate_key: true)
p((JSON.parse(same, allow_duplicate_key: false) rescue [$!.class, $!.message]))

# Frozen, and what a proc makes of the values.
p JSON.parse('[{"a":["b"]}]', freeze: true).then { |v| [v.frozen?, v[0].frozen?, v[0]["a"][0].frozen?] }
p JSON.parse('{"a":1,"b":[2,"c"]}', on_load: ->(v) { v.is_a?(Integer) ? v * 10 : v })

# Written: keys of one kind and of several, short texts and long ones.
p JSON.generate({ "a" => 1, :b => 2, 3 => 4, nil => 5, 1.5 => 6 }), JSON.generate({ a: { b: { c: :d } } }), JSON.generate({})
(0..40).each { |n| text = "x" * n; p JSON.generate([text, text + "\"", "\n" + text, text + "é", "\\" + text]) if n % 5 < 2 }
p JSON.generate(["a\x7f", "</script>", "\u2028", "a\u0000b"]), JSON.generate(["</script>\u2028é"], script_safe: true), JSON.generate(["é", "x" * 33], ascii_only: true)
p JSON.generate({ "x" * 31 => "y" * 32, "x" * 33 => "y" * 40, "q\"q" * 9 => "\t" * 9 })
deleted = { "a" => 1, "b" => 2, "c" => 3 }
deleted.delete("a")
p JSON.generate(deleted), JSON.generate([deleted.compare_by_identity]), JSON.pretty_generate({ "a" => [], "b" => {}, "c" => [1, { "d" => "e" }] })
