# needs: ruby-crass ruby-css-parser ruby-json-schema ruby-jsonpath ruby-jmespath ruby-hana ruby-addressable
require "json"
require "crass"
require "json-schema"
require "jsonpath"
require "jmespath"
require "hana"
css = +"@import url('x.css');\n"
60.times { |i| css << "a.b#{i} > c:hover, #id#{i}[x='y'] { color: #ff00#{i % 90 + 10}; margin: #{i}px auto !important; background: url(a#{i}.png) no-repeat }\n@media (min-width: #{i}px) { p { content: \"\\201C\" } }\n" }
tree = nil
3.times { tree = Crass.parse(css, preserve_comments: true) }
p tree.size, Crass::Parser.stringify(tree).size, tree[2][:selector][:value]
schema = { "type" => "object", "required" => %w[id name], "properties" => { "id" => { "type" => "integer", "minimum" => 1 }, "name" => { "type" => "string", "pattern" => "^[A-Z]" }, "tags" => { "type" => "array", "items" => { "enum" => %w[a b c] }, "uniqueItems" => true }, "child" => { "$ref" => "#" }, "mail" => { "type" => %w[string null], "maxLength" => 20 } }, "additionalProperties" => false }
bad = 0
60.times do |i|
  data = { "id" => i, "name" => i.odd? ? "Bob" : "bob", "tags" => %w[a b], "child" => { "id" => 5, "name" => "Xyz", "mail" => nil } }
  bad += JSON::Validator.fully_validate(schema, data).size
end
p bad
puts JSON::Validator.fully_validate(schema, { "id" => 0, "name" => 5, "tags" => %w[x x], "zzz" => 1 }).map { |m| m.sub(/in schema.*/, "") }
store = { "store" => { "book" => Array.new(40) { |i| { "title" => "Book #{i}", "price" => i * 1.5, "category" => i.odd? ? "fiction" : "fact" } }, "bicycle" => { "price" => 19.95 } } }
n = 0
8.times { n += JsonPath.new("$..price").on(store).size + JsonPath.new("$.store.book[?(@.price > 20)].title").on(store).size + JsonPath.new("$.store.book[1:9:2].title").on(store).size }
p n
80.times { |i| n += JMESPath.search("store.book[?price > `#{i}`] | [?category == 'fiction'].{t: title, p: price} | sort_by(@, &p)[].t", store).size }
p n, JMESPath.search("store.book[?contains(title, '3')].title | join(', ', @)", store), JMESPath.search("length(store.book[*].price) ", store), JMESPath.search("max_by(store.book, &price).title", store)
80.times { |i| doc = { "a" => [1, 2, 3], "b" => { "c" => "d" } }; Hana::Patch.new([{ "op" => "add", "path" => "/a/1", "value" => i }, { "op" => "move", "from" => "/b/c", "path" => "/e" }, { "op" => "remove", "path" => "/a/0" }, { "op" => "test", "path" => "/e", "value" => "d" }]).apply(doc).then { |d| n += d["a"].sum } }
p n
begin; Hana::Patch.new([{ "op" => "remove", "path" => "/x/y" }]).apply({}); rescue Hana::Patch::Exception => e; puts e.class, e.message; end
