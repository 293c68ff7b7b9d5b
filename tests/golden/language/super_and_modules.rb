# super in all its forms: implicit and explicit arguments, through modules, in blocks, in define_method, in singletons.
class Top
  def show(a, b = 2, *rest, k: 0, **others, &block)
    [a, b, rest, k, others, block&.call]
  end
  def self.create(*args) = [:top, args]
  def method_missing(name, *args) = name.start_with?("dyn_") ? [:dynamic, name, args] : super
  def respond_to_missing?(name, include_private = false) = name.start_with?("dyn_") || super
end
module Middle
  def show(a, *) = super.unshift(:middle)
end
class Bottom < Top
  include Middle
  def show(a, b = 5, *rest, k: 1, **others, &block)
    a += 1
    super
  end
  def self.create(*args) = super(*args, :bottom) << :after
end
p Bottom.new.show(1), Bottom.new.show(1, 2, 3, k: 4, z: 5) { :block }
p Bottom.create(1)
class Explicit < Top
  def show(...) = super(...)
end
class None < Top
  def show(*) = (super() rescue $!.message)
end
class InBlock < Top
  def show(a, *)
    [1].map { |x| super }.first
  end
end
p Explicit.new.show(1, k: 3), None.new.show(1), InBlock.new.show(:in_block, 9)
object = Top.new
def object.show(a) = super(a, :singleton)
p object.show(1)
class Defined < Top
  define_method(:show) { |a, b| super(a, b) }
end
p Defined.new.show(1, 2)
class ImplicitDefined < Top
  define_method(:show) { |a| super }
end
begin
  ImplicitDefined.new.show(1)
rescue RuntimeError => error
  puts error.message
end
p object.dyn_one(1), object.respond_to?(:dyn_x), object.respond_to?(:other), object.method(:dyn_m).call(2)
begin
  object.unknown
rescue NoMethodError => error
  puts error.message.sub(/0x\h+/, "XX")
end
class NoSuper
  def go = super
end
begin
  NoSuper.new.go
rescue NoMethodError => error
  puts error.message
end
module Counted
  def initialize(*)
    super()
    @count = 1
  end
  attr_reader :count
end
class WithInit
  include Counted
  def initialize(x) = (super; @x = x)
end
p WithInit.new(5).count
p Bottom.ancestors.first(3), Bottom.instance_method(:show).super_method.owner
module P1; def who = [:p1, *super]; end
module P2; def who = [:p2, *super]; end
module I1; def who = [:i1, *super]; end
class Who0; def who = [:base]; end
class Who < Who0
  prepend P1, P2
  include I1
  def who = [:self, *super]
end
p Who.new.who, Who.ancestors.first(6)
class Reopened < Who
  def who = defined?(super) ? [:has_super, *super] : [:none]
  def other = defined?(super).inspect
end
p Reopened.new.who, Reopened.new.other
class ChangesArgs < Top
  def show(a, b = 1, k: 0)
    b = :changed
    k = :kchanged
    super
  end
end
p ChangesArgs.new.show(1)
class Alias0; def orig = [:orig, __method__]; alias renamed orig; end
class Alias1 < Alias0; def renamed = [:sub, *super]; end
p Alias1.new.renamed, Alias1.new.orig
class Comparing
  def ==(o) = super || :not_same
  def to_s = super.sub(/0x\h+/, "XX")
end
p Comparing.new == 1, Comparing.new.to_s
