# Constant lookup: lexical scope, ancestors, autoload, const_missing, private constants, reopening.
TOP = :top
module Outer
  TOP = :outer
  INNER_ONLY = :inner
  class Klass
    def top = TOP
    def explicit = ::TOP
    def inner = INNER_ONLY
  end
end
class Outer::Klass
  def reopened = TOP
  def reopened_inner = INNER_ONLY
end
object = Outer::Klass.new
p object.top, object.explicit, object.inner, object.reopened
begin
  object.reopened_inner
rescue NameError => error
  puts error.message
  p error.name, error.receiver
end

class Parent
  VALUE = :parent
  def self.value = self::VALUE
  def lexical = VALUE
end
class Child < Parent
  VALUE = :child
end
p Parent.value, Child.value, Child.new.lexical, Child::VALUE, Child.const_get(:VALUE)
p Child.constants.sort, Parent.const_defined?(:VALUE), Child.const_source_location(:VALUE).last
p Object.const_get("Outer::Klass"), Outer.const_get(:TOP), Outer.const_get("TOP", false)

module Lazy
  def self.const_missing(name) = const_set(name, "made #{name}")
end
p Lazy::Thing, Lazy.constants, Lazy::Thing.equal?(Lazy::Thing)

class Secret
  HIDDEN = 1
  private_constant :HIDDEN
  def self.reveal = HIDDEN
  OLD = 2
  deprecate_constant :OLD
end
p Secret.reveal
begin
  Secret::HIDDEN
rescue NameError => error
  puts error.message
end
p Secret::OLD

X = 1
X = 2
p X
Object.send(:remove_const, :X)
p defined?(X), defined?(Outer), defined?(Outer::Nope), defined?(::TOP)

module Mixin
  MIXED = :mixed
end
class Uses
  include Mixin
  def mixed = MIXED
  class << self
    def singleton_const = (MIXED rescue $!.message)
    SINGLE = :single
    def single = SINGLE
  end
end
p Uses.new.mixed, Uses.singleton_const, Uses.single, Uses::MIXED
p Module.nesting
module A
  module B
    p Module.nesting
    C = Module.new
    D = Class.new(StandardError)
  end
end
p A::B::C, A::B::D, A::B::D.name, A::B::D.new.message
anonymous = Class.new
p anonymous.name
NAMED = anonymous
p anonymous.name, anonymous
temporary = Module.new.set_temporary_name("fake<name>")
p temporary
begin
  5::FOO
rescue TypeError => error
  puts error.message
end
begin
  Object.const_get(:lower)
rescue NameError => error
  puts error.message
end
A::B::ASSIGNED ||= 1
A::B::ASSIGNED ||= 2
p A::B::ASSIGNED
def define_dynamic = Object.const_set(:DYNAMIC, 5)
define_dynamic
p DYNAMIC
autoload :AutoLoaded, File.join(__dir__, "fixtures/auto_loaded.rb")
p autoload?(:AutoLoaded).end_with?("auto_loaded.rb"), Object.const_defined?(:AutoLoaded), defined?(AutoLoaded)
p AutoLoaded::VALUE, autoload?(:AutoLoaded)
case :x
when Symbol then p :symbol
end
p Outer::Klass.instance_method(:top).owner, Outer.name, Comparable.class, Outer.frozen?
