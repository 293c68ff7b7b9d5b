module M; def hi = "hi from #{self.class}"; end
class Foo
  include M
  private
  def priv = 1
  attr_reader :ar
  public
  def pub = priv
  protected def prot = 2
  class << self
    def meta = :meta
    private
    def pmeta = :pmeta
  end
  define_method(:dm) { |x = 1, *r, k: 2| [x, r, k] }
end
f = Foo.new
p f.hi, f.pub, Foo.meta, (f.prot rescue :no), (f.ar rescue :no), (Foo.pmeta rescue :no), f.dm(3, 4, k: 5)
module Fn; module_function; def a = :a; end
p Fn.a, Fn.respond_to?(:a), Class.new { include Fn }.new.respond_to?(:a)
module Refs; refine String do; def shout = upcase + "!"; end; end
using Refs
p "x".shout
p f.instance_eval { @z = 1; self.class }, f.instance_exec(4) { |x| @z + x }
f.instance_eval { def sing = :s }
p f.singleton_methods, f.sing
Foo.class_eval { def added = :added }
p f.added
c = f.clone; p c.sing, f.dup.respond_to?(:sing)
o = Object.new.freeze; p o.clone.frozen?, o.clone(freeze: false).frozen?, o.dup.frozen?
d = Foo.dup; p d.new.pub, d.name
s = Struct.new(:a) rescue nil
class Counter; @@c = 0; def self.inc = @@c += 1; end
Counter.inc; p Counter.class_variable_get(:@@c), Counter.class_variables
p Class.new(StandardError) { def message = "m" }.new.message
class Base; def self.inherited(k); (@subs ||= []) << k.name; super; end; def self.subs = @subs; end
class D1 < Base; end; D2 = Class.new(Base); p Base.subs, Base.subclasses.size
class Tracer; def self.method_added(n); (@l ||= []) << n; end; def a; end; attr_accessor :b; alias c a; define_method(:d) {}; p @l; end
class MM; def method_missing(n, *a, &b) = n == :foo ? [n, a] : super; def respond_to_missing?(n, p = false) = n == :foo || super; end
p MM.new.foo(1), MM.new.respond_to?(:foo), MM.new.method(:foo).call(2), (MM.new.bar rescue $!.message), (MM.new.instance_eval { zip } rescue $!.message)
p [1, 2].map(&5.method(:+)), (method(:Integer) >> ->(x) { x + 1 }).call("3")
def blk(&b) = b
p blk { |a, (b, c), *d, e: 1| }.parameters, proc { |x| x }.call([1, 2]), lambda { |x| x }.(3), proc { |a, b| [a, b] }.call([1, 2])
x = Class.new { def initialize(a, k: 1) = (@a, @k = a, k); attr_reader :a, :k }
p x.new(1, k: 3).k, (x.new rescue $!.message)
p Comparable.instance_of?(Module), Foo.instance_method(:pub).bind_call(f), Foo.public_method_defined?(:pub), Foo.private_instance_methods(false).sort
p Object.const_get("File::SEPARATOR") rescue p $!.class
Foo.const_set(:Q, 9); p Foo::Q, Foo.constants, Foo.const_defined?("Q")
Foo.send(:remove_const, :Q); p Foo.const_defined?(:Q)
class Foo; PRIV = 1; private_constant :PRIV; end
p (Foo::PRIV rescue $!.message), Foo.class_eval { self }.const_get(:PRIV)
class P1; prepend(Module.new { def x = "p" + super }); def x = "x"; end
p P1.new.x, P1.ancestors.size
p f.public_send(:pub), (Foo.new.public_send(:priv) rescue $!.message), f.send(:priv), f.__send__(:priv)
def ret; [1].each { |v| return v }; end
p ret
pr = proc { next 5 }; p pr.call, pr.(), pr[], pr.yield, (pr === 1)
p f.then { 4 }, f.itself.equal?(f), f.hash == f.hash, (f <=> 1)
p f.instance_variable_set(:@q, 1), f.instance_variables, f.remove_instance_variable(:@q), f.instance_variable_defined?(:@q)
p Foo.new.singleton_class.instance_methods(false), Foo.singleton_class?, Foo.singleton_class.singleton_class?
p (class Foo; self; end).instance_methods(false).sort
class Delegate < BasicObject; def initialize(o) = @o = o; def method_missing(n, ...) = @o.__send__(n, ...); end
p Delegate.new([1, 2, 3]).map { |x| x * 2 }
def r2k(*a) = tgt(*a)
def tgt(*a, **k) = [a, k]
send(:ruby2_keywords, :r2k)
p r2k(1, a: 2)
fib = Fiber.new { Foo.new.instance_eval { Fiber.yield 1; 2 } } rescue nil
p fib.resume, fib.resume if fib
class InitFib; def initialize; Fiber.yield :in; end; end
fb = Fiber.new { InitFib.new; :done }; p fb.resume, fb.resume
class Outer; def x; end; private :x; end
class Inner < Outer; public :x; end
p Inner.instance_method(:x).owner, (Outer.const_get("RUBY_VERSION::Outer") rescue $!.message)
class Outer; autoload :Zork, "zork"; end
p Outer.autoload?(:Zork), Outer.const_defined?(:Zork), Outer.constants
p (Outer.autoload(:Zork2, "") rescue $!.message), (Outer.autoload("a", "b") rescue $!.message)

# An alias of a method that only became public here.
module Private
  def answer = 42
  module_function :answer
end

module Public
  include Private
  public :answer
  alias reply answer
  module_function :reply
end
p Public.reply, Object.new.extend(Public).answer

# `print` calls `write`, whatever else the stream has.
stream = +""
def stream.write(*texts) = concat(*texts.map(&:to_s))
before = $stdout
$stdout = stream
print "a", 1, nil
$stdout = before
p stream
