# The innermost frames of what core methods raise: those written in Ruby look as those of CRuby in C do.
def t(n)
  yield
rescue Exception => e
  puts "#{n}: #{e.class} #{e.message[0, 60]} | #{e.backtrace.first(2).map { _1[/in .*/] }.join(' < ')}"
end
a = [1]; h = {}; s = +"x"; f = 1.5; i = 3; st = Struct.new(:a).new(1); r = 1..2
fa = [1].freeze; fh = {}.freeze; fs = "x".freeze
t("a[]nil") { a[nil] }
t("a[]=neg") { a[-5] = 1 }
t("fa[]=") { fa[0] = 1 }
t("fa<<") { fa << 1 }
t("fs<<") { fs << "a" }
t("s<<") { s << nil }
t("fh[]=") { fh[1] = 1 }
t("fh[]=s") { fh["a"] = 1 }
t("i+nil") { i + nil }
t("i+s") { i + "a" }
t("s+i") { s + 1 }
t("f*nil") { f * nil }
t("a+1") { a + 1 }
t("i<nil") { i < nil }
t("f>s") { f > "s" }
t("i/0") { i / 0 }
t("i%0") { i % 0 }
t("i&f") { i & 1.5 }
t("i|nil") { i | nil }
t("i<<s") { i << "s" }
t("i[]s") { i["s"] }
t("s[]=") { s[10] = "a" }
t("s[]") { s[nil] }
t("st[]") { st[:zz] }
t("st[]=") { st[5] = 1 }
t("i**s") { i ** "s" }
t("i<=>") { (1 <=> "a").foo }
t("s=~") { s =~ "a" }
t("!nil.x") { nil.foo }
t("-s") { -(nil) }
t("-sym") { -:a }
t("~f") { ~1.5 }
t("s%") { "%d" % "x" }
t("s*") { s * -1 }
t("a*") { a * -1 }
t("a-") { a - 1 }
t("a&") { a & 1 }
t("a|") { a | 1 }
t("a<=>") { a.first(-1) }
t("h.fetch") { h.fetch(1) }
t("len") { nil.length }
t("size") { 5.5.size }
t("empty") { 5.empty? }
t("succ") { 1.5.succ }
t("times") { 1.5.times {} }
t("==") { BasicObject.new.foo }
t("r===") { (1..) === nil; Range.new(1, nil).to_a }
t("a[]2") { a[1, 2, 3] }
t("h[]") { h[] }
t("a[f]") { a["1"..] }
t("a[big]") { a[2**70] }
t("dig") { a.dig }
t("interp") { "#{BasicObject.new}" }
t("include") { [1,2].include? }
t("each") { [1].each { raise "x" } }
t("map") { [1].map { |x| x + nil } }
t("sort") { [1, "a"].sort }
t("sortb") { [1, 2].sort { nil } }
t("minb") { [1, 2].min { nil } }
t("hsh") { {1=>2}.each { |k, v| v + nil } }
t("loop") { loop { raise "x" } }
t("Int") { Integer("x") }
t("send") { 1.send(:+, nil) }
t("call") { ->(x) {}.call }
t("yield") { [1].each_slice(0) {} }
t("new") { Object.new(1) }
t("cls") { Class.new { def initialize(a) = nil }.new }
t("stnew") { Struct.new(:a).new(1, 2) }
t("frz") { "a".freeze.upcase! }
t("sym") { :a + :b }
t("cmp") { 1.clamp(2, 1) }
t("rng") { (1.."a") }
t("rng2") { Range.new(1, "a") }
t("cvar") { Class.new { def x = @@a }.new.x }
t("const") { Foo }
t("const2") { Math::Foo }
t("splat") { o = Object.new; def o.to_a = 1; [*o] }
t("masgn") { o = Object.new; def o.to_ary = 1; a, b = o }
t("blk") { [1].each(&1) }
t("kw") { {a: 1}.then { |**o| o.fetch(:b) } }
t("hash") { o = Object.new; def o.to_hash = 1; p(**o) }
t("xx") { catch(:a) { throw :b } }
t("pm") { case 1; in 2 then 1; end }
t("pm2") { 1 => 2 }
