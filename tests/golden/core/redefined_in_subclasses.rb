# Operators that subclasses of core classes redefine, wherever core methods use them.
class MyString < String; def ==(b) = "#{self}_" == b; end; p MyString.new("a") != "a_"
p MyString.new("a") == "a_"
p (MyString.new("a") != "a_") ? 1 : 2
class MA < Array; def ==(o) = true; end
p MA.new != [1], MA.new == [1], MA.new.eql?([1])
class MH < Hash; def ==(o) = true; def [](k) = 4; def []=(k, v); super(k, 8); end; def length = 9; def empty? = false; def size = 7; end
h = MH.new; h[1] = 2; p h, h[1], h != {}, h.length, h.empty?, h.size
class MS < String; def +(o) = 1; def %(o) = 2; def *(o) = 3; def <<(o) = 4; def [](*) = 5; def length = 6; def empty? = 7; def =~(o) = 8; def ===(o) = true; def !~(o) = 11; def to_s = "zz"; def succ = 9; def <=>(o) = 0; def freeze = 10; def hash = 3; def eql?(o) = true; def !; 12; end; def nil? = 13; def to_str = "yy"; def to_sym = :gg; def inspect = "ii"; end
s = MS.new("a")
p s + "x", s % 1, s * 2, s << "x", s[0], s.length, s.empty?, s =~ /a/, s !~ /a/, "#{s}", s.succ, s <=> "b", s > "z", s.freeze, !s, s.nil?, s
case "b" when s then p :eqq else p :no end
case s when "b" then p :eqq else p :no end
case "zzz" when s, "q" then p :eqq else p :no end
p [s].include?("q"), ["q"].include?(s), {s => 1}[MS.new("other")], [s, MS.new("b")].uniq.size, [s].index("q"), ["q", s].index { _1 == "a"}
p "a" + s, "%s" % s, ["x", s].join("-"), ["x"].join(s), [s, "b"].max, [s, "b"].min, [s, "b"].sort.size
p (if s =~ /q/ then 1 else 2 end)
p s.sum { 1 } rescue p $!.class
class MI < Array; def [](i) = 3; def length = 5; def empty? = 9; def <<(x) = 8; def first = 4; def max = 6; def each = 7; def +(x) = 11; def -(x) = 12; def &(x) = 13; def |(x) = 14; def hash = 99; def include?(x) = 15; def min = 16; def last = 17; def pop = 18; def size = 19; def at(i)= 20; def dig(*) = 21; end
a = MI.new([0])
p a[0], a.length, a.empty?, a << 1, a.first, a.max, a.each { }, a + [], a - [], a & [], a | [], a.hash, a.include?(0), a.min, a.last, a.pop, a.size, [a].dig(0, 0)
x, y = *a, 1; p x, y
x, y = a; p x, y
for z in a do p z end rescue p $!
class MR < Regexp; def =~(x) = 42; def ===(x) = 43; def match?(x)= 44; end
r = MR.new("a"); p r =~ "b", r.match?("b"), "b" =~ r, "b".match?(r); case "b" when r then p 1 else p 2 end
class MRng < Range; def ===(x) = true; def each = 5; def include?(x) = 6; def to_a = [7]; def first = 8; end
g = MRng.new(1, 2); case 9 when g then p 1 else p 2 end; p g.include?(9), [*g], g.first, g.each { }
class MP < Proc; def call(*) = 5; def ===(x) = true; def [](x) = 6; def yield(*) = 8; end
q = MP.new { nil }; p q.call, q.(), q[1], q.yield; case 9 when q then p 1 else p 2 end
class MyM < Module; def ===(x) = true; end
MM = MyM.new; case 9 when MM then p 1 else p 2 end
class MC; def self.===(x) = true; def self.new = 5; end; case 9 when MC then p 1 else p 2 end; p MC.new
begin; raise "x"; rescue MC; p :r; end
class ME < StandardError; def self.===(x) = true; end
begin; raise "x"; rescue ME; p :r; end
x = Object.new; def x.==(o) = false
p x != x, x == x, x === x, [x] == [x], [x].include?(x), [x].index(x)
class Backwards < String; def <=>(o) = -super; def ==(o) = false; end
a = %w[b a c].map { Backwards.new(_1) }
p a.sort, a.min, a.max, a.minmax, a.sort_by { _1 }, a.min_by { _1 }, a.each_slice(1).to_a.sort, a.sort { |x, y| x <=> y }
p a.max(2), a.min(2), a.sort.reverse, a.each_with_index.max, a.to_set.sort, ("a".."b").minmax, a.max_by { _1 }
p a.include?("a"), a.index("a"), a.count("a"), a.delete("a"), a - ["b"], a == %w[b c], a.first == "b", a.first != "b", a.first.eql?("b"), a.assoc("b"), [a].assoc("b"), [a].rassoc("c")
p "b" == a.first, {1 => a.first} == {1 => "b"}, {1 => a.first}.value?("b"), {1 => a.first}.key("b"), a.each.include?("b"), a.each.find_index("b")
p [a.first, 1] <=> ["b", 1], (a.first..a.last).include?("b"), (a.first..a.last).cover?("d"), a.first.between?("a", "b"), a.first.clamp("a", "b")
S = Struct.new(:v); p S.new(a.first) == S.new("b"), S.new(a.first) != S.new("b")
p a.first.casecmp("B"), a.uniq, a.tally, a.first === "b"
p a.bsearch { |x| x <=> "b" }
p ["b", Backwards.new("a"), "c"].sort.size, [Backwards.new("a"), "b"].sort, [Backwards.new("a"), Backwards.new("b")].sort
