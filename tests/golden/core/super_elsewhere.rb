# `super` where the receiver does not have the method's owner among its ancestors.
module Loud; def say(*words) = [:loud, *super]; end
class Calm; def say(*words) = [:calm, *words]; end
class Calmer < Calm; def say(*words) = [:calmer, *super]; end
unbound = Loud.instance_method(:say)
p unbound.bind(Calmer.new).call(1), unbound.bind_call(Calm.new, 2)
object = Calm.new
def object.say(*words) = [:own, *super]
p unbound.bind_call(object, 3)
p((unbound.bind_call(Object.new) rescue [$!.class, $!.message.sub(/0x\h+/, "")]))

class Outer
  def say(*words) = [:outer, *words]
end
class Inner < Outer
  def say(other) = other.instance_exec { super(4) }
  def inside = [1].map { |word| say_all(word) { super() rescue $!.class } }
  def say_all(word) = yield
end
p Inner.new.say(Inner.new), Inner.new.inside
[Object.new, 5, "text"].each do |other|
  p Inner.new.say(other)
rescue TypeError => error
  puts error.message.sub(/0x\h+/, "")
end

# `defined?` sees the constants that are seen.
class Bare < BasicObject
  FOUND = [defined?(Kernel), defined?(::Kernel), defined?(FOUND)]
  def seen = [defined?(String), defined?(FOUND)]
end
module Mixed; FOUND = defined?(Kernel); end
p Bare::FOUND, Bare.new.seen, Mixed::FOUND, Bare.new.instance_eval { defined?(Kernel) }
class << Bare; $found = defined?(Kernel); end
p $found
