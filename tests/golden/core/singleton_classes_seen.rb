# What is defined in the singleton class of a class's singleton class is found from those of the classes below, however a program came
# to see them.
class A
  class << self
    class << self
      def deep = "deep of #{inspect}"
    end
  end
end

class B < A; end
class C < A
  def self.x; end
end
D = Class.new(A) { extend Comparable }
E = Class.new(A)
E.define_singleton_method(:x) { }
F = Class.new(A) { private_class_method :new }
G = Class.new(A)
G.extend(Module.new { def y; end })
class H < C; end
J = Class.new(B) { class << self; def z; end; end }

[B, C, D, E, F, G, H, J].each { |c| puts "#{c} #{c.singleton_class.deep}" }
puts C.method(:x).owner.deep, E.method(:x).owner.deep, C.method(:x).unbind.owner.deep, H.method(:x).owner.deep
puts H.singleton_class.ancestors.take(3).map(&:deep)
puts J.singleton_class.superclass.deep
puts C.singleton_class.instance_method(:x).owner.deep
trace = []
TracePoint.new(:call) { |t| trace << t.defined_class.deep }.enable { C.x; H.x }
puts trace

# It is found in those that were seen before, too.
class K; def self.k; end; end
class L < K; end
seen = L.singleton_class
class << K.singleton_class
  def late = :late
end
p seen.late, L.singleton_class.late, Class.new(L).singleton_class.late
M = Class.new(L)
M.extend(Comparable)
p M.singleton_class.late, M.singleton_class.singleton_class.singleton_class?
