# Merging, copying and making hashes of pairs: entries, defaults, classes, and what is refused.
h3={a: 1, b: 2, c: 3}; h8=(0..7).to_h { |i| [:"k#{i}", i] }
p h3.merge(h8), h3.merge({}), {}.merge(h3), h3.merge(h3, h8){|k,a,b| [a,b]}
p [[1,2],[3,4]].to_h, [[1,2],[3,4]].to_h { |a,b| [b,a] }
begin; [[1,2],3].to_h; rescue => e; p e; end
begin; [[1,2],[3]].to_h; rescue => e; p e; end
begin; [1].each_entry.to_h; rescue => e; p e; end
begin; [1].each_entry.to_h{ [1,2,3]}; rescue => e; p e; end
begin; [1,nil].to_h{|x| x ? [x,1] : x}; rescue => e; p e; end
class H < Hash; def initialize_copy(o); puts "ic"; super; end; end
x=H.new(5); x[1]=2; x.instance_variable_set(:@a, 7)
y=x.merge({3=>4}); p y, y.class, y.default, y.instance_variable_get(:@a)
z=x.dup; p z, z.class, z.default, z.instance_variable_get(:@a)
a=Hash.new { |h,k| h[k]=k*2 }; b=a.dup; p b[4], a; b=a.clone; p b[3]
i={}.compare_by_identity; i["a"]=1; i["a".dup]=2; p i.dup.size, i.merge({}).compare_by_identity?, {}.merge(i).size, {b: 1}.merge(i), Hash[i].compare_by_identity?
h={}; 20.times { |n| h[n]=n }; h.delete(3); p h.dup.size, h.merge(h8).size
l={a: 1,b: 2,c: 3}; l.delete(:a); d=l.dup; d[:z]=1;d[:y]=2; p d, l
begin; h={a: 1}; h.each { h.merge!({b: 2}) }; rescue => e; p e; end
h={a: 1}; h.each { h.merge!({a: 2}) }; p h
class K; attr_reader :v; def initialize(v)=@v=v; def hash = @v.hash; def eql?(o) = ($o[K.new(9)]=1; @v==o.v); end
$o={K.new(1)=>1}
begin; t={K.new(1)=>3}; t.merge!($o); rescue => e; p e; end
h=Hash.new(1).freeze; m=h.merge({a: 1}); p m, m.frozen?, m[:q]
begin; {}.freeze.merge!({}); rescue => e; p e; end
begin; {}.merge(3); rescue => e; p e; end
