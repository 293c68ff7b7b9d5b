# Refinements of a class come before what is prepended to it; super in them finds further ones.
def try(name)
  puts "#{name}: #{yield.inspect}"
rescue Exception => e
  puts "#{name}: #{e.class}: #{e.message.gsub(/0x\h+/, "0x")}"
end

module Mixin
  def foo = super << :mixin
  def only = "mixin"
end

class Base
  prepend Mixin
  def foo = [:base]
end

module M1
  refine(Base) do
    def foo = super << :refined
    def only = "refined"
  end
end

using M1
try(1) { Base.new.foo }
try(2) { Base.new.only }
try(3) { Base.new.then(&:foo) }

class Derived < Base
end

module M2
  refine(Derived) { def foo = super << :derived }
end

using M2
try(4) { Derived.new.foo }

class Twice
  def b = "A"
end

module M
  refine(Twice) { def b = "M" + super }
end

using M

module N
  refine(Twice) { def b = "N" + super }
end

using N
try(5) { Twice.new.b }

class Below < Twice
  define_method(:b) { "B" + super() }
end

try(6) { Below.new.b }
try(7) { Below.new.method(:b).super_method.owner.inspect }

class Plain
end

module Seen
  refine(Plain) do
    def pub = 1
    private def priv = 1
  end
  using self
  def self.pub(x = Plain.new) = defined?(x.pub)
  def self.priv(x = Plain.new) = x.instance_eval { defined?(priv) }
end

try(8) { [Seen.pub, Seen.priv] }
try(9) { Module.new { refine(String, &proc {}) } }
try(10) { Module.new { refine(Integer) { import_methods(Enumerable) } } rescue $!.class }
refinement = Module.new { break refine(Plain) { def foo = super } }
try(11) { refinement.instance_method(:foo).bind(Object.new) }
try(12) { module Other; Module.new.send(:using, M1); end }
