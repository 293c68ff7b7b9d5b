# Whose methods they are, and which classes make no objects by themselves.
p [:a, 1, 2**70, nil, true].map { |value| value.method(:hash).owner }
p [2**70, -2**70].map { |value| [value.hash == (value + 1 - 1).hash, { value => 1 }.key?(value + 1 - 1)] }
p 1.hash == 1.0.hash, :a.hash == "a".to_sym.hash, :a.hash.class
class Symbol
  def hash = raise("not asked")
end
p({ a: 1, "b".to_sym => 2 }[:b])

p Module.respond_to?(:allocate), Class.respond_to?(:allocate), Class.allocate.class
[Module, Class.new(Module), Refinement].each do |mod|
  p mod.allocate
rescue NoMethodError => error
  puts error.message.sub(/#<Class:.*>/, "a subclass")
end
p Module.singleton_class.undefined_instance_methods
begin
  Enumerator::ArithmeticSequence.allocate
rescue TypeError => error
  puts error.message
end
