s = Set[1]; p s, s.add(2), s.include?(2), s.size; 20.times { |i| s << i }; p s, s.delete(3).size
p Set.new([1,2]) { |x| x * 2 }, Set[3,1] | [2], Set[1,2] & [2], Set[1,2] ^ [2,3], Set[1,2] - [1], Set[1] == Set[1.0], Set[[1]] == Set[[1]]
i = Set[].compare_by_identity; a = "x"; i << a << a.dup; p i.size, i.compare_by_identity?, i.include?(a), i.include?("x")
p i.map! { |x| x }.compare_by_identity?
t = Set[1,2].freeze; p t.frozen?, ((t << 3) rescue $!.class), t.dup.frozen?, t.clone.frozen?, t.each { }.size
p Marshal.load(Marshal.dump(Set[1, "a", [2]])), Set[1,2].hash == Set[2,1].hash, {Set[1] => 2}[Set[1]]
class MySet < Set; def initialize(*a); super; @z = 1; end; attr_reader :z; end
m = MySet.new([1,2]); p m, m.z, m.dup.z, m.map { |x| x + 1 }.class, (m | [3]).class, Marshal.load(Marshal.dump(m))
x = Set[[1]]; e = x.first; e << 2; p x.include?([1,2]); x.reset; p x.include?([1,2])
begin; y = Set[1,2]; y.each { |v| y << v + 10 }; rescue => er; p er.class; end
z = Set[1,2,3,4]; z.each { |v| z.delete(v) if v.even? }; p z, z.replace([7,8]), z.clear, z.empty?, z.to_a
p Set[1,[2]].flatten, Set[Set[1],2].flatten, Set[1,2,3].classify(&:odd?), Set[1,2,4].divide { |a, b| (a-b).abs == 1 }
q = Set["a", "b"]; b = "c".dup; q << b; b << "d"; p q, q.include?("c"), q.include?("cd")
p Set.new([1,nil,:a, 2.5, 2**70]).to_a, Set.allocate, (Hash.new.merge(Set[1]) rescue $!.class), Set[1].respond_to?(:to_hash), (def kw(**k) = k; kw(**Set[1]) rescue $!.class)
p Set[3,1,2].sort, Set[1,2].min, Set[1,2].instance_variables, Set[1].inspect, Set[1,2].first, Set[1,2].join("-"), Set[1,2] <=> Set[1], Set[1].superset?(Set[]), Set[1,2].group_by(&:odd?)
w = Set[1]; w << w; p w
