# Hashes of every size and kind of key against arrays of pairs, in random order from a fixed seed; and the borders of small ones.
class K; attr_reader :v; def initialize(v)=@v=v; def hash = @v.hash % 4; def eql?(o) = o.is_a?(K) && o.v == @v; def inspect = "K#{@v}"; end
rng = Random.new(42)
keys = lambda { |kind|
  case kind
  when 0 then rng.rand(14)
  when 1 then %i[a b c d e f g h i j k l m].sample(random: rng)
  when 2 then %w[aa bb cc dd ee ff gg hh ii jj kk].sample(random: rng).dup
  when 3 then [1.5, -0.0, 0.0, 1e300, 2e-300, 3.0].sample(random: rng)
  when 4 then K.new(rng.rand(12))
  when 5 then [rng.rand(4), "x"]
  when 6 then 2**70 + rng.rand(4)
  end }
400.times do |round|
  h = {}; m = []
  mixed = rng.rand(3)
  n = rng.rand(60)
  n.times do
    kind = mixed == 0 ? 1 : mixed == 1 ? rng.rand(3) : rng.rand(7)
    k = keys.(kind)
    case rng.rand(12)
    when 0..5
      v = rng.rand(100)
      h[k] = v
      if (p = m.find { |a, _| a.eql?(k) }) then p[1] = v else m << [k, v] end
    when 6, 7
      a = h.delete(k); i = m.index { |x, _| x.eql?(k) }; b = i ? m.delete_at(i)[1] : nil
      raise "delete #{k.inspect} #{a} #{b}" unless a == b
    when 8
      raise "get" unless h[k] == (m.find { |x, _| x.eql?(k) } || [])[1]
    when 9
      a = h.shift; b = m.shift
      raise "shift #{a} #{b}" unless a == b || a && b && a[1] == b[1]
    when 10 then h = h.dup
    when 11
      if rng.rand(6) == 0 then h.clear; m.clear
      else
        h.each { |kk, vv| h.delete(kk) if vv.even? && rng.rand(2) == 0 && m.reject! { |x, _| x.eql?(kk) } }
        begin h.each { h[Object.new] = 1 }; raise "no error" if m.any?; rescue RuntimeError => e; raise unless e.message =~ /iteration/; end
      end
    end
    raise "size #{h.size} #{m.size}" unless h.size == m.size
    raise "order #{h} #{m}" unless h.to_a == m
  end
end
def nest(h, d) = d == 0 ? h.size : h.each { |k, v| return nest(h, d - 1) }
h = {a: 1, b: 2}
p nest(h, 20)
h[:c] = 3
deep = ->(d) { h.each { deep.(d - 1) if d > 0; h.delete(:b); break } }
deep.(12); h[:z] = 1; p h
s = {}; 9.times { |i| s["k#{i}"] = i }; p s, s["k8"], s["zz"]
i = {}.compare_by_identity; a = "x"; b = "x"; i[a] = 1; i[b.dup] = 2; p i.size, i[a], i["x"]; 20.times { |j| i[j.to_s] = j }; p i[a], i.size
p({1 => 2, 1.0 => 3, "a" => 4}); big = {}; 1000.times { |j| big[j * 7] = j }; p big.size, big[6993], big[3]; 990.times { |j| big.delete(j * 7) }; p big; 100.times { |j| big[-j - 1] = j }; p big.size
f = {0.0 => 1}; p f[-0.0], f[0]; f[Float::NAN] = 2; p f.size, f[Float::NAN]
e = {}; p e[K.new(1)]; x = {K.new(1) => 1}; p x[K.new(1)], x[K.new(5)]; y = {a: 1, K.new(2) => 3}; p y[:a], y[K.new(2)], y[K.new(6)]
k = [1]; z = {k => 1}; k << 2; p z[k], z[[1]]; z.rehash; p z[k]
hh = Hash.new { |h, k| h[k] = k.to_s * 2 }; p hh[:ab], hh
