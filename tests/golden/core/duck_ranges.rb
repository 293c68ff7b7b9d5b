# Objects that answer as ranges, names of classes in messages, steps that are no numbers, and Rational() of objects.
def t; puts yield.inspect.b.gsub("\n","~"); rescue Exception => e; puts "#{e.class}: #{e.message.gsub(/0x\h+/,"XX")}".b.inspect; end
t { (1..).step(1i).take(3) }
t { (1..).step(1.0i).take(3) }
t { (0.0..).step(1.0i).take(3) }
t { (0.0i..).step(1.0i).take(3) }
t { (0.0i..).step(1.0i).first(3) }
t { (1..).step(1i).first(2) }
t { (1..3).step(1i) }
t { 1.step(by: 1i).first(2) }
t { 12345[2..] }
t { e = Class.new { def self.to_s = "Eエ"; def self.inspect = to_s; def self.name = to_s }; 1.0 < e.new }
t { e = Class.new { def self.to_s = "Eエ"; def self.inspect = to_s; def self.name = to_s }; 1 < e.new }
t { e = Class.new { def self.to_s = "Eエ"; def self.inspect = to_s; def self.name = to_s }; "a" < e.new }
t { e = Class.new { def self.to_s = "Eエ"; def self.inspect = to_s; def self.name = to_s }; [3, e.new].max }
t { e = Class.new { def self.to_s = "Eエ"; def self.inspect = to_s; def self.name = to_s }; Integer(e.new) }
t { e = Class.new { def self.to_s = "Eエ"; def self.inspect = to_s; def self.name = to_s }; [1].first(e.new) }
t { e = Class.new { def self.to_s = "Eエ"; def self.inspect = to_s; def self.name = to_s }; "a" + (e.new) }
t { e = Class.new { def self.to_s = "Eエ"; def self.inspect = to_s; def self.name = to_s }; 1 + (e.new) }
t { e = Class.new { def self.to_s = "Eエ"; def self.inspect = to_s; def self.name = to_s }; e.new.clamp(1,2) }
t { e = Class.new { def self.to_s = "Eエ"; def self.inspect = to_s; def self.name = to_s }; e.new.foo }
t { 1.step(10, "1") { } }
t { 1.step(10, "1").size }
t { 1.step(10, nil) { } }
t { e = 1.step(10, {by: "1"}); [(e.next rescue $!), (e.size rescue $!)] }
t { 1.step(10, {by: "1"}) {} }
t { 1.step(10, Object.new) {} }
t { 1.step(10, :a).size }
t { 1.step(10, []).first }
t { 1.step(10, []).to_a }
t { 1.step(by: [], to: 3).to_a }
t { 1.0.step(10, []) {} }
t { e = 1.step(to: "10"); [(e.next rescue $!), (e.size rescue $!)] }
t { (..10).step(2) {} }
t { (..10).step(2).to_a }
t { (..10r).step(2r).to_a }
t { (0..10).step("1") {} }
t { (0..10).step(nil) {} }
t { (0..10).step(Object.new) {} }
t { (0..10).step([]) {} }
t { (0r..10).step(Object.new) {} }
t { (0.0..10).step(Object.new) {} }
t { (0..10).step(0) {} }
o = Object.new
class << o; attr_accessor :begin end
o.begin = -10
t { [][o] }
class << o; attr_accessor :end end
o.end = 0
t { [][o] }
def o.exclude_end=(v); @exclude_end = v; end
def o.exclude_end? = @exclude_end
o.exclude_end = false
t { [0][o] }
t { [0][o] = 1 }
t { [0].slice!(o) }
t { [0].fill(1, o) }
t { [0].values_at(o) }
t { "abc"[o] }
t { "abc".byteslice(o) }
t { "abc"[o] = "x" }
t { 5[o] }
t { "abcdef".slice!(o) }
o.begin = 0; o.end = 1
t { [0,1,2][o] }
t { [0,1,2].values_at(o) }
t { [0,1,2].fill(5, o) }
t { [0,1,2].sum(o) }
t { x=[0,1,2]; x[o]=9; x }
t { "abcd"[o] }
t { "abcd".byteslice(o) }
t { "abcd".bytesplice(o, "x") }
t { x=+"abcd"; x[o]="z"; x }
t { "abcd".slice!(o) }
t { $~ = nil; "abc"=~/(.)(.)/; $~[o] }
t { "abc"=~/(.)(.)/; $~.values_at(o) }
t { 6[o] }
class << o; private :begin, :end; end
t { [0,1,2][o] }
t { sprintf("%*c", 0, 33) }
t { q = Object.new; def q.to_r; nil; end; Rational(q) }
t { q = Object.new; def q.to_int; 1; end; [Rational(q, 1), Rational(1, q), Rational(q, q)] }
t { q = Object.new; def q.to_r; 1/42r; end; [Rational(q), Rational(q, 2), Rational(1, q), Rational(q, q)] }
t { q = Object.new; def q.to_r; nil; end; Rational(1, q) }
t { q = Object.new; def q.to_r; nil; end; Rational(q, 2) }
t { q = Object.new; def q.coerce(x); [x.to_r, 42r]; end; def q.to_i; 1;end; [(Rational(q, 1) rescue $!), (Rational(1, q) rescue $!)] }
t { q = Object.new; def q.to_int; raise "x"; end; Rational(q) }
t { class Range; remove_method :each; def each(&b) = [1,2,3,4,5].each(&b); end; (1..10).last(3) }
t { (1..10).to_a }
t { (1..10).map { _1 } }
t { (1..10).first(2) }
t { (1..10).include?(7) }
t { (1..10).count }
t { (1..10).min(2) }
t { (1..10).inject(:+) }
t { (1..10).sum }
t { k = Class.new(Numeric) { def /(y) = 42; def to_r = 1r; def to_int = 1 }; [Rational(k.new, 2), Rational(2, k.new), Rational(k.new), (Rational(k.new,k.new) rescue $!)] }
t { k = Class.new(Numeric) { def /(y) = 42 }; [(Rational(k.new, 2) rescue $!.class), (Rational(2, k.new) rescue $!.class)] }
