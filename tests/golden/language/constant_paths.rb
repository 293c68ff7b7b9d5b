# Paths of constants, looked up again and again at one place, while what they mean changes.
module Outer
  def self.const_missing(name) = "#{name} #{@asked = (@asked || 0) + 1}"
  module Inner
    VALUE = 1
    def self.const_missing(name) = "inner #{name} #{@asked = (@asked || 0) + 1}"
  end
end
def absolute = ::Outer::Inner::VALUE
def relative = Outer::Inner::VALUE
def missing = [Outer::NONE, ::Outer::NONE, Outer::Inner::NONE]
def short = ::Outer::SHORT
def of(scope) = scope::VALUE
def attempt
  yield.inspect
rescue NameError, TypeError, LoadError => e
  e.message
end

puts "missing ones are asked for each time"
3.times { p missing }

puts "other values"
3.times { p [absolute, relative, of(Outer::Inner)] }
Outer::Inner.send(:remove_const, :VALUE)
p [absolute, relative, of(Outer::Inner)]
Outer::Inner::VALUE = 2
p [absolute, relative, of(Outer::Inner)]
saved = Outer::Inner
Outer.send(:remove_const, :Inner)
p attempt { absolute }
Outer::Inner = Module.new { const_set :VALUE, 3 }
p [absolute, relative, of(Outer::Inner), of(saved)]
p short
Outer::SHORT = 4
2.times { p short }

puts "private ones"
Outer::Inner.private_constant :VALUE
puts attempt { absolute }, attempt { relative }, attempt { of(Outer::Inner) }
Outer::Inner.public_constant :VALUE
p [absolute, relative, of(Outer::Inner)]

puts "inherited ones"
class Base; end
class Derived < Base; end
def inherited = ::Derived::WHERE
2.times { puts attempt { inherited } }
Base::WHERE = :base
2.times { p inherited, of(Class.new { const_set :VALUE, 5 }) }
module Mixed; WHERE = :mixed; end
Derived.include Mixed
2.times { p inherited }
Derived::WHERE = :derived
2.times { p inherited }
puts attempt { ::Derived::String }, attempt { of(Derived) }, attempt { of(1) }

puts "autoloaded and deprecated ones"
Outer.autoload :Later, "no/such/file"
puts attempt { ::Outer::Later }
Outer::OLD = 6
Outer.deprecate_constant :OLD
$stderr = $stdout
Warning[:deprecated] = true
def old = ::Outer::OLD
p old
