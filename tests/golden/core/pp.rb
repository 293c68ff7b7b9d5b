# pp: layouts of nested collections, structs, objects and cycles, and objects that print themselves.
pp({a: [1,2]}, "s")
pp (1..60).to_a
pp({name: "x"*30, "list"=>(1..30).to_a, nested: {deep: {deeper: "y"*40, other: [1,2,{z: "q"*50}]}}})
S=Struct.new(:a,:b); pp S.new(1,2), S.new("a"*50, "b"*50)
D=Data.define(:x,:y); pp D.new(1,2), D.new(x: "a"*50, y: "b"*50)
class Foo; def initialize; @a=1; @b="z"*40; @c=[1]*40; end; end
puts Foo.new.pretty_inspect.gsub(/0x\h+/,"0x")
a=[1]; a<<a; pp a
h={}; h[:h]=h; pp h
pp Set[1,2,3], Set.new((1..50))
pp 1..2, nil, :a, 1.5, "x\ny\n"*1
puts "a\nb\nc".pretty_inspect
class Bar; def pretty_print(q) = q.object_group(self) { q.breakable; q.text "hi"; q.comma_breakable; q.pp [1]*50 }; end
pp Bar.new
pp /(?<y>\d)(\d)?/.match("12")
pp({"a b": 1, "k=": 2, 1=>2, nil=>3})
p pp, pp(1), pp(1,2)
pp [["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"],["c"]]
pp [[1,2,3]*10,[4,5,6]*10, {k: [7]*40}]
