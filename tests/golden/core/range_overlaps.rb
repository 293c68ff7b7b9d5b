# Ranges that overlap, for all pairs of limits, and in which order limits are compared.
vals = [nil, 1, 2, 3, 2.5, -Float::INFINITY, Float::INFINITY, "a", "", "c", []]
rs = []
vals.each { |a| vals.each { |b| [true, false].each { |x| rs << (Range.new(a, b, x) rescue next) } } }
out = +""
rs.each { |a| rs.each { |b| out << ((a.overlap?(b) rescue $!.class) ? "1" : "0") } ; out << "\n" }
puts out
class N
  include Comparable
  attr_reader :v
  def initialize(v) = @v = v
  def <=>(o) = (($l << [v, o.v]); v == 99 || o.v == 99 ? ($strange || nil) : v <=> o.v)
end
n = ->(v) { N.new(v) }
[[1,2,3,4],[1,3,3,4],[1,1,1,1],[1,4,2,3],[3,4,1,2],[5,6,5,6],[2,1,0,3],[0,3,2,1]].each do |a,b,c,d|
  [true,false].each { |x| [true,false].each { |y| $l = []; r = Range.new(n[a],n[b],x); s = Range.new(n[c],n[d],y); $l.clear; p [r.overlap?(s), $l] } }
end
begin; (1..2).overlap?(3); rescue => e; p e; end
begin; (1..2).overlap?(nil); rescue => e; p e; end
class Sub < Range; end
p Sub.new(1,2).overlap?(2..3)
