# super in methods that define_method took from elsewhere, and block_given? in blocks that are methods.
class B; def foo = :B; def bar = :Bbar; end
class A < B; def foo = [:A, super()]; end
class E < A; define_method(:bar, A.instance_method(:foo)); end
p E.new.bar, E.instance_method(:bar).super_method

module M; def hello(*a) = [:M, *a, (super rescue $!.message)]; end
class F; def hello(*a) = [:F, *a]; def other = :other; end
class G < F; define_method(:other, M.instance_method(:hello)); end
p G.new.other(1), G.new.other

o = F.new
o.define_singleton_method(:other, M.instance_method(:hello).bind(o)) rescue p $!.class
o.singleton_class.define_method(:third, M.instance_method(:hello))
p o.third(2)
class H < G; alias fourth other; public :fourth; end
p H.new.fourth(3)
class I < F
  define_method(:hello) { |*a| [:I, super(*a)] }
  define_method(:fifth, instance_method(:hello))
  alias sixth fifth
end
class J < I; def hello(*) = :J; end
p I.new.fifth(5), J.new.fifth(6), J.new.sixth(7), J.new.hello
begin
  Class.new { define_method(:x, M.instance_method(:hello)) }.new.x
  class K; def lone = super(); end
  class L < K; define_method(:renamed, K.instance_method(:lone)); end
  L.new.renamed
rescue NoMethodError
  puts $!.message
end

class Given
  define_method(:in_class) { block_given? }
  def self.make = define_method(:in_method) { [block_given?, defined?(yield)] }
  def nested = [1].map { block_given? }
  define_method(:own) { |&b| [block_given?, b && b.call] }
end
p Given.new.in_class { }, Given.new.in_class
Given.make { }
p Given.new.in_method, Given.new.in_method { }
Given.make
p Given.new.in_method, Given.new.in_method { }
p Given.new.nested, Given.new.nested { }, Given.new.own { 3 }, Given.new.own
def outer = define_singleton_method(:inner) { block_given? }
outer { }
p inner
outer
p inner { }
p Given.new.instance_exec { block_given? }
def through = instance_eval { block_given? }
p through { }, through
