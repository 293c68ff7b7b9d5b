# Objects as YAML says them, scalars that are no texts, tags of one's own, JSON.
require "yaml"

class F
  def initialize(_, &block)
    @block = block
  end

  def encode_with(coder) = @block.call(coder)
end

def t
  puts yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

t { Psych.dump(F.new(1) { |c| c.style=Psych::Nodes::Mapping::FLOW; c.map={a: 1, "b"=>[1,{}]} }) }
t { Psych.dump(F.new(1) { |c| c.tag=nil; c.style=Psych::Nodes::Mapping::FLOW; c.map={a: 1, "b"=>[1,{}]} }) }
t { Psych.dump(F.new(1) { |c| c.tag=nil; c.style=Psych::Nodes::Sequence::FLOW; c.seq=[1,"a",[]] }) }
(1..5).each { |s| t { Psych.dump(F.new(1) { |c| c.tag=nil; c.style=s; c.scalar="some scalar" }) } }
t { Psych.dump([1], version: [1,1]) }
t { Psych.dump([1], version: "1.1") }
t { Psych.dump([1], version: true) }
t { Psych.dump([1], header: true) }
t { Psych.dump_stream([1], [2]) }
t { Psych.dump([1], line_width: -2) }
t { Psych.to_json({"a"=>[1,nil,"x",:y, 1.5, true]}) }
t { Psych.to_json([]) }
t { Psych.dump(Psych::Omap["a",1,"b",2]) }
t { x = Psych::Set.new; x["a"] = 1; Psych.dump(x) }
t { Psych.load("--- !omap\n- a: 1\n- b: 2", permitted_classes: ["Psych::Omap"]).class }
t { Psych.unsafe_load("--- !!omap\na: 1\nb: 2").class }
t { Psych.unsafe_load("--- !set\na: 1\nb: 2").class }
t { Psych.load("--- !set\na: 1\nb: 2").class }
D = Data.define(:a) do
  def initialize(a:)
    @x = 1
    super
  end
end
t { Psych.dump(D.new(a: 1)) }
E2 = Data.define(:a)
t { Psych.dump(E2.new(a: 1)) }
t { Psych.unsafe_load("--- !ruby/data-with-ivars:D\nmembers:\n  a: 5\nivars:\n  \"@x\": 7\n").then { |d| [d, d.instance_variable_get(:@x)].inspect } }
t { Psych.unsafe_load("--- !ruby/array:String\n- a") }
t { Psych.unsafe_load("--- !ruby/hash:String\na: b") }
t { Psych.unsafe_load("--- !seq:String\n- a") }
t { Psych.unsafe_load("--- !map:String\na: b") }
t { Psych.unsafe_load("--- !ruby/hash-with-ivars:String\nelements: {}\nivars: {}") }
t { Psych.unsafe_load("--- !ruby/struct:NopeStruct\na: 1").inspect }
t { Psych.load("---\n&A foo\n") }
t { Psych.load("---\n!!str 1\n").inspect }
t { Psych.load("---\n&A [1, 2]\n").inspect }
t { Psych.load("---\n&A {a: 1}\n").inspect }
t { Psych.load("a: &x !!str 1\nb:\n  &y\n  c: 1\n").inspect }
l = []
Psych.add_domain_type("example.com,2002","foo") { |t,v| l << [t,v]; 9 }
Psych.add_builtin_type("bar") { |t,v| l << [t,v]; 8 }
t { Psych.load("- !foo a\n- !!bar c\n- !<tag:example.com,2002:foo> {d: 1}\n- !foo\n  - 1").inspect }
p l
Psych.remove_type("foo")
%w[0x_ 1_000 1,000 0o17 017 09 1e3 1.5e+3 .5 1. +1 -.5 12:30 12:30:45 1:60 0b_ - . .. 2001-13-01 2001-1-1 1__0 _1 1e 0.1_0 685_230.15 -0x1f +.inf .Inf 1.0e+2 1e-2 12e03 -2E+05 .e 0. 1,2.3 +0b1 ~ nULL Yes ON].each { |s| t { "#{s} #{Psych.load(s, permitted_classes: [Date, Symbol]).inspect}" rescue "#{s} #{$!.class}" } }
"0 true 1.0 ~ a:b a:\\ b #a a#b a\\ #b - -a !x &x *x %x @x `x {x} [x [x] ,x ?x ?\\ x :x x: null Null y n no NO 12:30 2001-01-01 0x1 = << a\\nb x".split(" ").each { |s| t { Psych.dump(s) } }; ["a: b","a #b","? x","- x","a\nb","\na","a\n"," a","a ","é","\t","\u0001","日本","","'","\"","it's","a\"b","a\n\nb","  a\nb","a\tb"].each { |s| t { Psych.dump(s) } }
t { Psych.safe_dump({a: 1}, stringify_names: true) }
t { Psych.safe_dump({a: :b}, stringify_names: true) }
t { Psych.safe_dump({a: :b}, permitted_symbols: [:b], permitted_classes: [Symbol], stringify_names: true) }
