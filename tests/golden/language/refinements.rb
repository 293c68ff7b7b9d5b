# Refinements: activation, scope, super, refined modules, import_methods, send and to_proc.
module Shout
  refine String do
    def shout = upcase + "!"
    def size = super + 100
    def to_s = "refined"
  end
  refine Integer do
    def double = self * 2
    def +(other) = "plus(#{other})"
  end
  refine Enumerable do
    def my_total = inject(0) { |sum, value| sum - -value }
  end
end

begin
  "a".shout
rescue NoMethodError => error
  puts error.message
end

using Shout
p "a".shout, "abc".size, 4.double, 1 + 2, [1, 2, 3].my_total
p %w[a b].map(&:shout), "x".send(:shout), "x".public_send(:shout), "a".respond_to?(:shout)
p "interpolated #{"x"}", "abc".then { |s| s.size }
p ("a".method(:shout).call rescue :no_method), ("a".__send__(:shout))

module Helpers
  def helper = "helped #{self.class}"
end
module Imports
  refine Symbol do
    import_methods Helpers
  end
end
using Imports
p :a.helper

class Plain
  def call_size(text) = text.size
end
p Plain.new.call_size("abc")

module Scoped
  module Inner
    refine Array do
      def second = self[1]
    end
  end
  using Inner
  def self.try = [1, 2].second
end
p Scoped.try
p Shout.refinements.map(&:target), Shout.refinements.first.class, Module.used_modules.first(2)
refinement = Shout.refinements.first
p refinement.inspect
class Sub < String
  def shout = "sub:" + super
end
p Sub.new("q").shout
begin
  Class.new { using Shout }
rescue RuntimeError, NoMethodError => error
  puts error.class
end
p 1.then { _1 + 1 }, [3, 4].inject(:+), [3, 4].sum
