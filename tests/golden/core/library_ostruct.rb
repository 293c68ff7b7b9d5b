# OpenStruct, which CRuby 4.0 has as a gem.
# oracle: native
require "ostruct"

point = OpenStruct.new(x: 1, "y" => 2)
point.z = 3
point[:w] = 4
p point.inspect, point.x, point.missing, point.to_h.to_a, point.respond_to?(:z), point.dig(:x), point == OpenStruct.new(x: 1, y: 2, z: 3, w: 4)
p point.delete_field(:x), point.x, point.each_pair.to_a
begin
  point.delete_field(:nothing)
rescue NameError => e
  puts e.message[/no field/]
end
begin
  point.freeze.z = 1
rescue FrozenError => e
  puts e.class
end
p OpenStruct.new(class: 1).class, OpenStruct.new(class: 1)[:class], OpenStruct.new(method: 2).method
