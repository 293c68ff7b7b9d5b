# Calls of refined names again and again from one site, while what they find changes.

class Thing
  def plain = "plain"
  def later = "own"
end
module Mixin; end

module Shouting
  refine String do
    def shout = upcase + "!"
    def size = 99
  end
  refine Thing do
    def plain = "refined #{super}"
  end
  refine Mixin do
    def later = "from the mixin"
  end
end

def without = "abc".size
using Shouting

def with(x) = x.shout
def size_of(x) = x.size
def plain(x) = x.plain
def later(x) = x.later
2.times do
  puts with("a"), size_of("abc"), size_of([1]), size_of({}), size_of("d"), plain(Thing.new), without
end

puts "-- a refinement changes"
module Shouting
  refine String do
    def shout = upcase + "?"
  end
end
puts with("a")
class Sub < Thing
  def plain = "sub"
end
puts plain(Sub.new), plain(Thing.new)
class Sub
  remove_method :plain
end
puts plain(Sub.new)

puts "-- a refined module is included"
thing = Sub.new
2.times { puts later(thing) }
class Sub
  include Mixin
end
puts later(thing)

puts "-- one block in several scopes"
block = -> (x) { x.size }
counter = proc { [self.class, "abc".size] }
puts [Thing.new, 1, "a"].map { |o| o.instance_exec(&counter).inspect }
puts [Thing, Sub].map { |c| c.class_exec("zz", &block).inspect }
module Other
  refine Integer do
    def double = self * 2
  end
end
using Other
late = proc { |x| x.double }
puts late.call(2), [1, 2].map(&:double).inspect
puts Thing.new.instance_exec(4, &late), Thing.class_exec(5, &late)
3.times { |i| puts i.double < 3 }
