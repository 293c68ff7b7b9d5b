# What Array#sample asks of its source of random numbers, and what it makes of the answers.
[[0,1],[1,1],[5,11],[10,10],[10,11],[11,10],[11,11],[11,12],[12,11],[50,12],[50,49],[50,50],[50,60],[127,11],[1000,3],[2000,5],[2815,11],[2816,11],[2816,12],[2559,11],[2560,20],[2560,21],[5119,40],[5120,80],[5120,81],[10240,320],[10240,321],[100000,11],[100000,3125],[100000,3126],[100000,9],[30000,30000]].each do |len, n|
  a = [*0...len]
  srand(len*7+n)
  s = a.sample(n)
  r = Random.new(len + n)
  t = a.sample(n, random: r)
  puts "#{len} #{n} #{s.size} #{s.first(20).inspect} #{s.hash == s.dup.hash} #{s.inject(0) { |h, v| (h * 31 + v) % 1000003 }} #{t.inject(0) { |h, v| (h * 31 + v) % 1000003 }} #{rand(1000)} #{r.rand(1000)} #{s.uniq.size}"
  log = []
  o = Object.new
  o.define_singleton_method(:rand) { |l| log << l; (l * 7 + log.size * 13) % l }
  u = a.sample(n, random: o)
  puts "#{u.first(8)} #{u.inject(0) { |h, v| (h * 31 + v) % 1000003 }} #{log.size} #{log.first(3)} #{log.last}"
end
class Sub < Array; end
p Sub.new([*1..40]).sample(20, random: Random.new(1)).class
p [*1..40].freeze.sample(20, random: Random.new(1)).frozen?
# The source shortens the array meanwhile.
[[3000, 11], [3000, 15], [100, 50], [100000, 11], [100, 5], [100, 2], [100, 1]].each do |len, n|
  [0, 5, 20, len - 1].each do |left|
    a = [*0...len]
    o = Object.new
    o.define_singleton_method(:rand) { |l| a.slice!(left..) if a.size > left; l / 3 }
    p [len, n, left, a.sample(n, random: o)]
    a = [*0...len]
    o.define_singleton_method(:rand) { |l| a.slice!(left..) if a.size > left; 0 }
    p [len, n, left, a.sample(n, random: o)]
    a = [*0...len]
    o.define_singleton_method(:rand) { |l| a.push(1); 1 }
    p [len, n, left, a.sample(n, random: o).size]
  end
end
[[100000, 20], [50, 20], [50, 5]].each do |len, n|
  o = Object.new
  def o.rand(l) = l
  begin; [*1..len].sample(n, random: o); rescue => e; p e; end
  def o.rand(l) = -1
  begin; [*1..len].sample(n, random: o); rescue => e; p e; end
  def o.rand(l) = nil
  begin; [*1..len].sample(n, random: o); rescue => e; p e; end
  def o.rand(l) = 1.9
  p [*1..len].sample(n, random: o).first(3)
end
begin; [1].sample(-1); rescue => e; p e; end
begin; [1].sample("x"); rescue => e; p e; end
begin; [*1..30].sample(20, random: 5); rescue => e; p e; end
p [1].sample(nil) rescue p $!
