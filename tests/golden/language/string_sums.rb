# Sums, formats and joins that are made in one step, and what else they must be: string literals that a method only looks at.
a="abc"; b="dé"; c=:x
p a+"x"+b, "q"+a+"r"+b+"s", a+b+a+b
p((a+"x"+b).encoding, (a+"x"+b).valid_encoding?)
def t; yield; rescue => e; p e.class, e.message; end
t { a + "x" + 1 + b }
t { a + 1 + "x" }
t { "x" + nil }
t { "\xff".b + "é" + a }
t { a + "\xff".b + "é" }
class Sub < String; def +(o) = "sub:#{o}"; end
s = Sub.new("s")
p s + "x" + a, a + s + "x", (a + s + "x").class
p [1.5 + 2 + 3.25, 1 + 2 + 3, 2**62 + 2**62 + 1]
x = 1; p x + 2.5 + x
r = [] ; r << "a"; r[0] << "b"; p r
def lit = "abc"
p lit.equal?(lit), lit.frozen?
z = +"" ; z << "q" << "w"; p z
p "a" == "a", "a" != "a", a == "abc", "abc" == a
class Foo; def ==(o); $seen = o; true; end; end
p Foo.new == "lit", $seen, $seen.frozen?
def cmp(o) = (o == "lit" ? 1 : 2)
p cmp(Foo.new), $seen.frozen?, cmp("lit"), cmp(3)
$seen << "x"; p $seen
p cmp(Foo.new), $seen
class Bar; def split(x, *r); x << "!"; x; end; def join(x) = x; def index(x)=x; end
3.times { v = Bar.new.split("zz"); p v, v.frozen?; w = Bar.new.join("jj"); w << "k"; p w }
def poly(o) = o.index("b")
p poly("abc"), poly("abc"), poly("abc"), (q = poly(Bar.new); q << "t"; q), poly("abc"), poly(Bar.new)
p "%d-%s" % [1, "x"], format("%s %s %p", 1, nil, "q"), "%s" % nil, "%s" % [[1,2]], "%05.1f|%s" % [1.5, 2.5]
p [1,[2,[3]],:a,"b",nil].join("-"), [1,2].join, ["a",:b,1.5,true].join(", ")
p [1,:a,"b",nil,true,2.5,[1],{a: 1, "b"=>:c, :"x y"=>"é"}]
class Integer; alias old_inspect inspect; def inspect = "I#{old_inspect}"; end
