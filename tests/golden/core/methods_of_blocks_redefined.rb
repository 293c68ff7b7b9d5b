# Methods of define_method that are redefined, removed and collected while compiled callers run.
class K
  def call_it(n) = value(n) + plain(n, 2) + plain(n)
  def plain(a, b = a * 2, &blk) = a + b
end
srand(7)
total = 0
60.times do |round|
  captured = Array.new(3) { |i| round * 10 + i }
  K.define_method(:value) { |n| captured[n % 3] + n }
  k = K.new
  s = 0
  300.times { |i| s += k.call_it(i) }
  total += s
  case round % 6
  when 0 then K.send(:remove_method, :value); K.define_method(:value) { |n| round }; s2 = 0; 50.times { |i| s2 += k.call_it(i) }; total += s2
  when 1 then K.define_method(:plain) { |a, b = (a + round)| a * b }
  when 2 then K.class_eval { def plain(a, b = 1, &blk) = a - b }
  when 3 then GC.start
  when 4
    o = k.clone
    o.define_singleton_method(:value) { |n| captured.sum + n }
    30.times { |i| total += o.call_it(i) }
  when 5
    sub = Class.new(K) { define_method(:value) { |n| super(n) + captured.size } }
    x = sub.new
    40.times { |i| total += x.call_it(i) }
  end
end
p total
# Self-redefinition while it runs.
class R
  define_method(:go) { |n| n.zero? ? (R.define_method(:go) { |m| m * 3 }; 1) : go(n - 1) + n }
end
r = R.new
p r.go(50), r.go(50), 100.times.sum { |i| r.go(i) }
# Environments that only the method holds.
def make(n) = Class.new { data = "x" * n; count = 0; define_method(:get) { count += 1; data.size + count } }.new
list = 200.times.map { |i| make(i) }
GC.start
p list.sum { |o| o.get + o.get }
def blk(a, b = 3, &block) = block ? a + b + block.call(a) : block_given? ? 1 : a * b
p 200.times.sum { |i| blk(i) { |x| x - 1 } + blk(i, 1) + (i.even? ? blk(i, 2, &:abs) : 0) }
def keep(a, b = 2, &block) = block
procs = 50.times.map { |i| keep(i) { i * 2 } }
p procs.sum(&:call), procs.map(&:object_id).uniq.size
[1, nil, "a", [1], {a: 1}, Object.new, BasicObject].each { |v| print 60.times.count { v.nil? }, " ", 60.times.count { !v }, " " }
puts
class BO < BasicObject; def method_missing(n, *a) = n == :nil? ? :mm : super; end
b = BO.new
p 100.times.map { b.nil? }.tally
class NilLike; def nil? = true; def ! = :bang; end
nl = NilLike.new
p 100.times.map { nl.nil? }.tally, 100.times.map { !nl }.tally, 100.times.map { [].nil? }.tally, 100.times.map { !"" }.tally
class RespA; def respond_to_missing?(n, p) = n == :zork; end
ra = RespA.new
p 100.times.count { ra.respond_to?(:zork) }, 100.times.count { ra.respond_to?(:zark) }, 100.times.count { ra.respond_to?("to_s") }
class RespA; def zark = 1; private def hid = 2; end
p 100.times.count { ra.respond_to?(:zark) }, 100.times.count { ra.respond_to?(:hid) }, 100.times.count { ra.respond_to?(:hid, true) }
p 100.times.count { [1, :a, "s", nil].include?("s") }, 100.times.count { [1, :a, 2.0].include?(2) }, 100.times.count { [nl].include?(nl) }
module Refi; refine(String) { def shout = upcase; def respond_to?(x) = :refined }; end
using Refi
p 60.times.map { "a".respond_to?(:shout) }.tally
