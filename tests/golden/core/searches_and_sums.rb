# What native searches, sums and comparisons must not change: order of tests, recursion, conversions, traces of globals.
S = Struct.new(:a, :b); D = Data.define(:x)
p S.new(1,2) == S.new(1,2.0), S.new(1,2).eql?(S.new(1,2.0)), S.new(1,2).hash == S.new(1,2).hash, S.new(1,2).to_a, S.new(1,2).deconstruct, S.new(1,2).values
p D.new(1) == D.new(1.0), D.new(1).eql?(D.new(1.0)), D.new(1).hash == D.new(1).hash
r = S.new(1); r.b = r; p r == r.dup, r.hash == r.hash
q = S.new(1); q.b = q; p((q == r))
p [1,2,3].include?(2.0), [1,2].index(2), [1,1,2].count(1), [3,1,2].min, %w[b a].max, [1.5,0.2].min, [1, 2.5].max, [1,nil].max rescue p $!
p [0.1]*3, ([0.1]*3).sum, [1, 2.5, 3r].sum, [3.0, 5].sum, [1e100, 1.0, -1e100].sum, [Float::INFINITY, -Float::INFINITY].sum, [0.1, 0.2, 0.3].sum(0.0), [1,2].sum(0.0), [].sum(0.0), [2**62, 2**62, 1.5].sum
p [[1,2],[3,4]].transpose, ([[1],[2,3]].transpose rescue $!), [1,2,3].fill(7), ([1].freeze.fill(1) rescue $!), [].transpose, ([1].transpose rescue $!)
p (10**30).to_s, (10**2000).to_s.size, (-(10**400)).to_s.size, (7**5000).to_s(7).size
p "hello".tr('a-y', 'b-z'), "hello".delete("l-m"), "hello".count("^l"), "héllo".tr('é','e'), "hello".squeeze, "aAbB".tr("^a-z","*"), "hello".tr("el", "ip")
$x = 1; trace_var(:$x, proc { |v| puts "x=#{v}" }); $x = 5; untrace_var(:$x); $x = 6
alias $y $x; p $y; $y = 3; p $x
def f(a, b = 2) = yield(a, b)
f(1) { |a, b| p [a, b] }
f(1, 3) { |a, b| p [a, b] }
class Foo; def bar; end; private def baz; end; def respond_to_missing?(n, p) = n == :qux; end
o = Foo.new; p o.respond_to?(:bar), o.respond_to?(:baz), o.respond_to?(:baz, true), o.respond_to?(:qux), o.respond_to?(:nope)
def o.nope; end; p o.respond_to?(:nope)
class Foo; undef bar; end; p o.respond_to?(:bar)
p "a b".chomp, "ab\r\n".chomp
p [0.1,0.2,0.3].sum(0.0), [0.1,0.2,0.3].sum, [0.1,0.2,0.3].each.sum(0.0), [0.1,0.2,0.3].each.sum, [0.1,0.2,0.3].sum(0.0) { _1 }, [3,0.1,0.2,0.3].sum(0.0), {a: 0.1, b: 0.2, c: 0.3}.sum(0.0) { |k,v| v }
p [0.1,0.2,0.3].sum(0r), [0.1,0.2,0.3,1r].sum, [1r, 0.1,0.2,0.3].sum, [2**70, 0.1].sum, [0.1, 2**70].sum
p [0.1, Float::NAN].sum, [Float::INFINITY, 1.0].sum, [Float::INFINITY, -Float::INFINITY, 1].sum, [Float::NAN, Float::INFINITY].sum
p (1..3).sum(1r), (1..3).sum(0.5), (3..1).sum("a"), (-1..1).sum(1r), (1..3).sum(2**70), (1...1).sum(nil)
[false, nil, "a", [], 1i].each do |init|
  p (1..3).sum(init)
rescue TypeError, ArgumentError, RangeError
  p $!.class, $!.message
end
