# Tables that do not own what they refer to, and finalizers.
map = ObjectSpace::WeakMap.new
key, value = Object.new, "value"
map[key] = value
p map[key], map.key?(key), map.size, map.keys == [key], map.values, map.include?(Object.new)
other = "value".dup
map[other] = key
p map["value"], map[other].equal?(key), map.length
p map.delete(other).equal?(key), map.delete(other), map.delete(other) { |k| "no #{k}" }, map.size
map.each { |k, v| p k.equal?(key), v }
map[1] = :one
p map[1], map.each_value.to_a.size rescue p $!.class

keys = ObjectSpace::WeakKeyMap.new
name = +"name"
keys[name] = 1
p keys["name"], keys.getkey("name").equal?(name), keys.key?("other"), keys.inspect[/size=\d+/]
keys[second = +"name"] = 2
p keys[name], keys.getkey("name").equal?(name), keys.getkey("name").equal?(second)
[1, 1.5, :a, nil, true].each do |bad|
  keys[bad] = 1
rescue ArgumentError => error
  puts error.message
end
p keys.delete("name"), keys.delete("name"), keys.delete("name") { |k| k.upcase }
keys[name] = 3
keys.clear
p keys["name"]

object = Object.new
p ObjectSpace.define_finalizer(object, finalizer = proc { puts "never" }) == [0, finalizer]
ObjectSpace.undefine_finalizer(object)
begin
  ObjectSpace.define_finalizer(object, 1)
rescue ArgumentError => error
  puts error.message
end
begin
  ObjectSpace.define_finalizer(1) { }
rescue ArgumentError => error
  puts error.message
end
