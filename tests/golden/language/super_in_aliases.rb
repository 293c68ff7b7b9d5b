# `super` in a module's method goes on from where the class that aliases the method found it.
module Terminus
  def foo = :Terminus
end

module SecondTerminus
  def foo = :SecondTerminus
end

module Forward
  def foo = [:Forward, super]
  define_method(:block) { [:Forward, super()] }
  def nested = [1].map { |x| [x, super()] }
end

module Last
  def block = :last_block
  def nested = :last_nested
end

class B
  include Last
  include SecondTerminus
end

class A < B
  include Terminus
  include Forward
end

p A.new.foo, A.new.block, A.new.nested

class B
  include Forward
  alias bar foo
  alias_method :baz, :bar
  alias block_too block
  alias nested_too nested
end

class C < A
  alias qux bar
  alias quux foo
end

p A.ancestors.take(6)
2.times do
  p A.new.bar, A.new.foo, A.new.baz, B.new.bar, B.new.foo
  p C.new.bar, C.new.qux, C.new.quux, C.new.foo
  p A.new.block_too, B.new.block_too, A.new.nested_too, B.new.nested_too
end
p A.new.method(:bar).call, A.new.method(:bar).unbind.bind_call(A.new), A.instance_method(:bar).owner, A.instance_method(:bar).name
p A.new.method(:bar).super_method&.owner, B.instance_method(:bar) == B.instance_method(:foo)

# A class that is prepended to.
module Before
  def foo = [:Before, super]
end

class P
  def foo = :P
  prepend Before
  alias bar foo
end

class Q < P
  prepend Before
end

p P.new.bar, Q.new.bar, Q.new.foo

# A module's alias.
module M
  include Forward
  alias bar foo
end

class D < B
  include M
end

p D.new.bar
