# Classes and modules: inheritance, visibility, hooks, singleton classes, class variables, ancestors.
class Base
  class << self
    attr_accessor :registry
    def inherited(child)
      super
      (self.registry ||= []) << child.name
    end
    def build(...) = new(...)
    private def hidden_factory = :hidden
  end
  @@count = 0
  def self.count = @@count
  attr_reader :name
  attr_writer :title
  attr_accessor :tags
  def initialize(name)
    @name = name
    @@count += 1
  end
  def <=>(other) = name <=> other.name
  include Comparable
  def to_s = "#{self.class.name.downcase}:#{name}"
  def inspect = "#<#{self}>"
  def ==(other) = other.is_a?(Base) && name == other.name
  protected def secret = "secret of #{name}"
  private
  def internal = :internal
  public
  def compare_secrets(other) = [secret, other.secret]
  def call_internal = [internal, self.internal]
end
class Derived < Base
  def initialize(name, extra: nil)
    super(name)
    @extra = extra
  end
  def to_s = "#{super}(#{@extra})"
end
class Other < Base; end

a = Derived.build("a", extra: 1)
b = Other.new("b")
p a, b, Base.registry, Base.count, [b, a].min, a < b, a.between?(a, b), a.clamp(b, b)
p a.compare_secrets(b), a.call_internal
[-> { a.secret }, -> { a.internal }, -> { Base.hidden_factory }, -> { a.undefined_thing(1) }, -> { a.name = 1 }].each do |call|
  call.call
rescue NoMethodError => error
  puts error.message
end
p Derived.ancestors.take(4), Derived.superclass, Derived.instance_methods(false), Base.private_instance_methods(false)
p a.respond_to?(:internal), a.respond_to?(:internal, true), a.send(:internal), (a.public_send(:internal) rescue $!.class)
p a.instance_variables, a.instance_variable_get(:@extra), a.is_a?(Comparable), Derived <= Base, Base <=> Derived, Base < Derived, Other <=> Derived
p Derived.instance_method(:to_s).owner, a.method(:name).owner, a.method(:to_s).super_method.owner

module Greets
  def self.included(base)
    base.extend(ClassMethods)
    puts "included in #{base}"
  end
  def self.extended(object) = puts("extended #{object.class}")
  def self.prepended(base) = puts("prepended to #{base}")
  module ClassMethods
    def greeting = "hello from #{name}"
  end
  def greet = "hi, #{self}"
end
class Derived
  include Greets
end
p Derived.greeting, a.greet
single = Object.new
single.extend(Greets)
def single.to_s = "single"
p single.greet, single.singleton_methods.sort, single.singleton_class.include?(Greets)

module Loud
  def to_s = super.upcase + "!"
end
class Other
  prepend Loud
end
p b.to_s, Other.ancestors.first(2)

class Hooks
  def self.method_added(name) = (@added ||= []) << name
  def self.singleton_method_added(name) = (@singleton ||= []) << name
  def one; end
  def two; end
  def self.three; end
  class << self; attr_reader :added, :singleton; end
  alias uno one
  alias_method :dos, :two
  undef_method :two
end
p Hooks.added, Hooks.singleton.include?(:three), Hooks.new.respond_to?(:two), Hooks.instance_method(:uno).name
Hooks.remove_method(:one)
p Hooks.method_defined?(:one), Hooks.method_defined?(:uno)
p (class Hooks; self; end), (def m = 1), (class Hooks; 5; end), Class.new(Base) { def x = 1 }.new("q").x
begin
  class Base < String; end
rescue TypeError => error
  puts error.message
end
begin
  Hooks = 1 if false
  module Base; end
rescue TypeError => error
  puts error.message
end
begin
  Class.new(5)
rescue TypeError => error
  puts error.message
end
p Base.class_variable_get(:@@count), Base.class_variables, Derived.class_variable_defined?(:@@count)
p Comparable.instance_of?(Module), Class.superclass, Module.superclass, BasicObject.superclass
p Object.new.singleton_class.inspect.sub(/0x\h+/, "XX"), Base.singleton_class, Base.singleton_class.singleton_class
copy = a.clone
copy.instance_variable_set(:@name, "copy")
p a.name, copy.name, copy.frozen?, a.dup.class, a.freeze.clone.frozen?, a.dup.frozen?, a.clone(freeze: false).frozen?
begin
  a.tags = 1
rescue FrozenError => error
  puts error.message
end
p Base.instance_methods(false).sort.first(3), Derived.subclasses, Base.subclasses.map(&:name).compact.sort, Derived.attached_object rescue p $!.class
p a.singleton_methods, Base.public_method_defined?(:secret), Base.protected_method_defined?(:secret)
class Base
  private attr_reader :hidden
  public attr_accessor(:shown)
  private_class_method :build
end
p (Base.build("z") rescue $!.message), Base.private_method_defined?(:hidden)
module Functions
  module_function
  def helper = :helped
end
p Functions.helper, Functions.instance_method(:helper).owner, (Object.new.extend(Functions).helper rescue $!.class)
