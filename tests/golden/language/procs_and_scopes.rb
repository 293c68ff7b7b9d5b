# What bindings of procs show of locals that no block uses, whose visibility `private` changes, and what core procs tell.
def bindings
  x = 1
  made = proc { 7 }
  x = 2
  seen = [made.binding.local_variable_get(:x)]
  scope = made.binding
  x = 3
  seen << scope.local_variable_get(:x) << scope.eval("x")
  scope.local_variable_set(:x, 9)
  seen << x
  scope.eval("x = 10; y = 5")
  seen << x << scope.local_variables.include?(:y)
  begin
    made.binding.eval("x = 4; raise 'no'")
  rescue RuntimeError
    seen << x
  end
end
p bindings

def of_block(&block) = block.binding.local_variable_get(:v)
def blocks
  v = 1
  first = of_block {}
  v += 1
  [first, of_block {}]
end
p blocks

def parameters(a, b = 2, *c, k: 3, **o, &given)
  made = proc {}
  a, b, c, k, o = 7, 8, 9, 10, 11
  %i[a b c k o given].map { |name| made.binding.local_variable_get(name) }
end
p parameters(1)

def inner
  [1].each do |e|
    k = e
    made = proc {}
    k = 5
    return made.binding.local_variable_get(:k)
  end
end
p inner

in_closure = Module.new do
  1.times { private }
  def a; end
end
in_eval = Module.new do
  private
  eval "public; def b; end"
  def a; end
end
around_eval = Module.new do
  private
  eval "def a; end"
end
p [in_closure, in_eval, around_eval].map { |m| [m.instance_methods, m.private_instance_methods.sort] }

p ->(a, b) { }.curry.parameters, (:upcase.to_proc >> :reverse.to_proc).parameters
begin
  ->(a, b) { }.curry.binding
rescue ArgumentError => e
  puts e.message
end
p (1.method(:+) << proc { 2 }).lambda?, (1.method(:+) << 2.method(:*)).lambda?

begin
  (-"a string").singleton_class
rescue TypeError => e
  puts e.message
end

object = Object.new
object.singleton_class.prepend(Module.new { def foo = :foo })
p object.singleton_method(:foo).call, object.singleton_methods

def object.respond_to_missing?(name, all) = [name, all] == [:puts, false]
p object.respond_to?(:puts), object.respond_to?(:print), object.respond_to?(:puts, true)

aliased = Class.new { class << self; alias_method :make, :new; end }
p aliased.method(:new) == aliased.method(:make)

named = Class.new { def self.name = "Named" }
begin
  named.foo
rescue NoMethodError => e
  puts e.message
end
begin
  named.new.foo
rescue NoMethodError => e
  puts e.message
end

given = "no name"
begin
  object.instance_variable_get(given)
rescue NameError => e
  p e.name.equal?(given)
end
p BasicObject.constants, BasicObject::BasicObject
class BasicObject
  def self.own = BasicObject
end
p BasicObject.own
