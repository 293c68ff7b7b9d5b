# Object model hooks and reflection: method objects, source locations, ObjectSpace-free introspection, TracePoint-free.
module Hook
  LOG = []
  def self.included(base) = LOG << [:included, base.name]
  def self.extended(base) = LOG << [:extended, base.class]
  def self.prepended(base) = LOG << [:prepended, base.name]
  def self.const_added(name) = (LOG << [:const_added, name]; super)
  NEW_CONST = 1
end
class Observed
  def self.inherited(klass) = (Hook::LOG << [:inherited, klass.superclass.name]; super)
  def self.method_added(name) = Hook::LOG << [:method_added, name]
  def self.method_removed(name) = Hook::LOG << [:method_removed, name]
  def self.method_undefined(name) = Hook::LOG << [:method_undefined, name]
  include Hook
  prepend Hook
  def one = 1
  def two = 2
  remove_method :one
  undef_method :two
  attr_reader :three
  alias_method :four, :three
  define_method(:five) {}
end
class Heir < Observed; end
Object.new.extend(Hook)
Hook::LOG.each { p _1 }
def signature(a, b = 1, *c, d, e:, f: 2, **g, &h); end
p method(:signature).parameters, method(:signature).arity, method(:signature).source_location.last
p method(:puts).owner, method(:puts).name, method(:signature).owner, method(:signature).inspect.sub(/\(.*/, "")
p "x".method(:upcase).unbind.class, [].method(:map).arity, "".method(:sub).arity, {}.method(:fetch).parameters
p Class.instance_methods(false).sort, Comparable.instance_methods.sort, Kernel.singleton_methods.include?(:puts)
p Object.new.methods.size > 40, BasicObject.instance_methods.sort
class Shape
  attr_accessor :w
  def initialize = @w = @h = 1
  def area = @w * @h
  CONST = 1
  @class_ivar = 2
  @@cvar = 3
end
s = Shape.new
p s.instance_variables, s.instance_variable_get(:@h), Shape.instance_variables, Shape.class_variables, Shape.constants, s.public_methods(false).sort
p s.instance_of?(Shape), s.kind_of?(Object), Shape.instance_methods(false).sort, Shape.method_defined?(:area), Shape.name, Shape.to_s
p s.singleton_class.instance_methods(false), s.frozen?, s.itself.equal?(s), s.object_id == s.object_id, s.hash == s.hash, s.equal?(s.dup)
p s.inspect.gsub(/0x\h+/, "XX"), s.to_s.sub(/0x\h+/, "XX")
s.instance_variable_set(:@self, s)
p s.inspect.gsub(/0x\h+/, "XX")
class Hidden
  def initialize = (@shown, @secret = 1, 2)
  private def instance_variables_to_inspect = [:@shown]
end
p Hidden.new.inspect.sub(/0x\h+/, "XX")
class Copied
  attr_accessor :list
  def initialize_copy(other) = @list = other.list.dup
  def initialize_dup(other) = (super; Hook::LOG << :dup)
  def initialize_clone(other, freeze: nil) = (super; Hook::LOG << [:clone, freeze])
end
c = Copied.new
c.list = [1]
d = c.dup
d.list << 2
c.clone(freeze: true)
c.clone
p c.list, d.list, Hook::LOG.last(3)
p 5.respond_to?(:+), nil.respond_to?(:foo), s.respond_to?(:initialize), s.respond_to?(:initialize, true)
p Shape.allocate.instance_variables, Shape.instance_method(:area).bind(s).call, Shape.public_instance_method(:area).name
p ObjectSpace.each_object(Class).include?(Shape), Shape.class, Shape.singleton_class?, Shape.singleton_class.singleton_class?
p (Module.new.instance_eval { name }), Class.new(Shape).superclass, Shape.const_source_location(:CONST).class
begin
  Shape.new.area(1)
rescue ArgumentError => e
  p e.message, e.backtrace.first[/in .*/]
end
p __method__.inspect, self.class, singleton_class.inspect.sub(/0x\h+/, "XX"), method(:p).unbind.class
p Shape.instance_method(:area) == Shape.instance_method(:area), s.method(:w=).parameters, s.method(:w).arity
warn "to standard error"
warn "one", "two", uplevel: 0
p Shape.undef_method(:area), (s.area rescue $!.message.sub(/0x\h+/, "XX"))
