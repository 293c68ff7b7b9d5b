# The singleton class of a class is shown by the class's own inspect.
class Named
  def self.inspect = "shown"
end

class Plain
end

p Named.singleton_class, Named.singleton_class.singleton_class, Plain.singleton_class, Plain.singleton_class.singleton_class
puts Named.singleton_class.to_s, Class.new(Named).singleton_class.to_s
p Named.singleton_class.name
module Loud
  def self.inspect = raise("loud")
end
begin
  p Loud.singleton_class
rescue => error
  p error.message
end
p Object.new.singleton_class.inspect.sub(/0x\h+/, "0x"), "text".singleton_class.inspect.sub(/0x\h+/, "0x")
