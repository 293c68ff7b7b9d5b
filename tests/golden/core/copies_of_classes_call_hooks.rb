# The hooks of copies are looked up in the copy of a class, which has its superclass and singleton methods by then.
seen = nil
base = Class.new
base.define_singleton_method(:initialize_dup) do |original|
  seen = [ancestors.take(2), singleton_class.ancestors.take(2).map(&:singleton_class?)]
  super(original)
end
derived = Class.new(base) do
  def self.own = :own
  def foo = :foo
end
copy = derived.dup
p seen[0] == [copy, base], seen[1], copy.own, copy.new.foo, copy.superclass == base

seen = nil
original = Class.new { def bar = :bar }
original.define_singleton_method(:initialize_clone) { |other, **options| seen = [ancestors.first == self, options]; super(other, **options) }
copy = original.clone
p seen, copy.new.bar
original.clone(freeze: true).then { |frozen| p seen, frozen.frozen? }

silent = Class.new { def self.initialize_copy(*) = nil }
p silent.dup.superclass, silent.dup.new.class.superclass

mixin = Module.new { def baz = :baz }
mixin.define_singleton_method(:initialize_copy) { |other| seen = :module; super(other) }
p Object.new.extend(mixin.dup).baz, seen
p((BasicObject.dup rescue $!.class), (Object.new.singleton_class.dup rescue $!.class))
p copy.instance_variables, Class.new.dup.instance_variables

allocate = Class.instance_method(:allocate)
p allocate.bind(Rational).call, allocate.bind_call(Complex), (Rational.allocate rescue $!.class)
p Range.allocate.instance_eval { initialize(1, 2) }
p((/a/.instance_eval { initialize_copy(/b/) } rescue $!))

labelled = Class.new { def self.inspect = "Label" and def foo(arg = nil) = arg }
p labelled.instance_method(:foo).inspect[/\S+#foo\S*/]
