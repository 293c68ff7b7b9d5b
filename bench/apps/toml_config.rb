# needs: ruby-tomlrb
require "tomlrb"
text = +<<~T
  title = "TOML \\u00e9xample"
  [owner]
  name = "Somebody"
  born = 1979-05-27T07:32:00Z
  [database]
  server = "192.168.1.1"
  ports = [ 8001, 8001, 8002 ]
  connection_max = 5_000
  ratio = 6.626e-34
  enabled = true
  point = { x = 1, y = -2.5 }
T
50.times do |i|
  text << <<~T
    [[products]]
    name = "Product #{i}"
    sku = #{738594937 + i}
    tags = ["one", 'two', """three
    lines"""]
    [products.size]
    width = #{i}.25
    "quoted key" = 'c:\\dir#{i}'
  T
end
data = nil
60.times { data = Tomlrb.parse(text) }
p data.keys, data["products"].size, data["products"].last.to_a.flatten.size, data["database"].keys, data["database"]["ratio"], data["owner"]["born"].to_i
p Tomlrb.parse("a = 1\n[b.c]\nd = 2", symbolize_keys: true).to_a.flatten.size
