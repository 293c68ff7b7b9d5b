class S < Set
  def add(x) = super(x.to_s)
end
p S.new([1, 2])
p S[1, 2]
s = S.new; s.merge([3]); p s
p s.to_set.class
p s.flatten
p S.ancestors.map(&:to_s)
p Set.constants.sort
class D < Set; def each; yield 1; end; end
p D.new([5]).superset?(Set[1])
p D.new([5]) <=> Set[5]
p (S[1] | [2])
p (S[1] & ["1"]), (S[1] ^ [2]), S[1]-[1]
p S[Set[1]].flatten
p S[1].map! { |x| x.to_i + 1 }
p S[1].classify { |x| x.class }
p S[1].partition { |x| x }
p S[1].replace([7])
p S[1].inspect, S[1].to_s
p S[1].delete?(1), S[1].add?(1), S[2].add?(1)
p S[1].select! { true }
p S[3].add(9)
p (S[3] << 9)
p S[1].collect!{3}
p S[1].subtract([1])
p S[1].disjoint?([1]), S[1].intersect?(["1"])
p S[1].divide { |x| x }
p S[1] == Set["1"], S[1].eql?(Set["1"]), S[1].hash == Set["1"].hash
p S[1].join("-")
class R < Set; def include?(x) = true; end
p R.new.add?(3)
p R[1].subset?(Set[2])
class C < Set::CoreSet; def add(x) = super(x.to_s); end
p C.new([1,2]), C.ancestors.map(&:to_s), C[3]
class W < Set
  def delete(x) = (print "d#{x} "; super)
  def include?(x) = (print "i#{x} "; super)
end
w = W[1,2,3,4]
p w.delete_if(&:even?), w.reject! { false }, w.keep_if { |x| x > 1 }, w.select! { true }, w.filter! { false }
p w.map!.size, W[1,2].collect!(&:to_s), W[1,2] ^ [2,3], W[1,2] & Set[2,3], W[1,2] & [2,5], W[1,2] - [1]
p W[1, 2] <=> Set[1, 2], W[1] < Set[1, 2], W[1] <= W[1], W[1, 2] > Set[1], W[1] >= W[1,2], W[1] == Set[1], Set[1] == W[1]
p W[1].eql?(Set[1]), W[1].eql?(W[1]), {W[1] => 2}[W[1]]
p W[1, W[2]].flatten, W[1].flatten!, W[W[2]].flatten!
begin; W[1].subset?([1]); rescue => e; p e; end
begin; W[1].intersect?(1); rescue => e; p e; end
begin; W.new(3); rescue => e; p e; end
begin; W.new([1]).merge(3); rescue => e; p e; end
x = W[1]; x << x
begin; p x.flatten; rescue => e; p e; end
p x
p W[3].classify(&:odd?), W[1].partition(&:odd?), W[1, 2].to_set, W[1, 2].delete?(5), W[1, 2].add?(5), W[2].subtract([2]), W[1].replace([2]), W[1].join("-")
p W[1].freeze.frozen?, W[1].dup, W.new([1], &:to_s), W.new(nil), Class.new(W)[1].size
p W.instance_method(:select!).owner.to_s, Class.new(Set::CoreSet).instance_method(:select!).owner
p Set.const_defined?(:SubclassCompatible)
begin; Set::SubclassCompatible; rescue NameError => e; puts e.message; end
class Deep < W; end
p Deep.ancestors.first(4).map(&:to_s)
p Marshal.load(Marshal.dump(Deep[1, 2]))
require "pp"; pp Deep[1]
