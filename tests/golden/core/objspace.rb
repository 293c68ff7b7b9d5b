# ObjectSpace with objspace: what holds for every implementation.
require "objspace"

p ObjectSpace.memsize_of(nil), ObjectSpace.memsize_of(1), ObjectSpace.memsize_of(:a)
p ObjectSpace.memsize_of("a" * 10_000) > 10_000
p ObjectSpace.memsize_of_all(String) > 1000
p ObjectSpace.memsize_of_all > ObjectSpace.memsize_of_all(Class)
p ObjectSpace.count_objects_size.key?(:T_STRING), ObjectSpace.count_objects_size[:TOTAL] > 10_000
p ObjectSpace.count_symbols.keys
p ObjectSpace.count_nodes.class
begin
  ObjectSpace.count_objects_size(1)
rescue TypeError => e
  p e.class
end

# dump
p ObjectSpace.dump(nil), ObjectSpace.dump(true), ObjectSpace.dump(12), ObjectSpace.dump(:sym)
line = ObjectSpace.dump("a text")
p line.end_with?("}\n"), line.include?('"type":"STRING"'), line.include?('"value":"a text"')
keys = ObjectSpace.dump("a text").scan(/"(\w+)":/).flatten
order = %w[address type shape_id slot_size class embedded bytesize value encoding coderange memsize flags]
p keys & order == order
begin
  ObjectSpace.dump(1, output: :nowhere)
rescue ArgumentError => e
  puts e.message
end

# where objects were made
class Maker
  def make = "#{self.class} made this"
  def self.make_one = new
end
p ObjectSpace.allocation_sourcefile("x")
string = maker = nil
ObjectSpace.trace_object_allocations do
  maker = Maker.make_one
  string = maker.make
end
p File.basename(ObjectSpace.allocation_sourcefile(string)), ObjectSpace.allocation_sourceline(string)
p ObjectSpace.allocation_class_path(string), ObjectSpace.allocation_method_id(string)
p ObjectSpace.allocation_generation(string).class
p ObjectSpace.allocation_sourceline(maker)
p ObjectSpace.dump(string)[/"line":\d+, "method":"make", "generation":/]
p ObjectSpace.allocation_sourcefile(1)
ObjectSpace.trace_object_allocations_clear
p ObjectSpace.allocation_sourceline(string)

# references
object = Object.new
inner = "inside"
object.instance_variable_set(:@inner, inner)
p ObjectSpace.reachable_objects_from(object).any? { |o| o.equal?(inner) }
p ObjectSpace.reachable_objects_from([1, :a, inner]).include?(inner)
p ObjectSpace.reachable_objects_from(1)
p ObjectSpace.reachable_objects_from_root.class
p ObjectSpace.internal_class_of(inner) == String
p ObjectSpace.internal_super_of(Class.new(Array)).class

# clones of classes have the class methods of their ancestors
class Base
  def self.inherited_one = 1
end
module Extension
  def extended_one = 2
end
class Derived < Base
  extend Extension
end
p Derived.clone.inherited_one, Derived.clone.extended_one, Class.new(Derived).clone.extended_one
