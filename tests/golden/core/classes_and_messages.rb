# Messages name a class by its own to_s; copies, singleton classes and class variables of singletons.
def try(name)
  puts "#{name}: #{yield.inspect}"
rescue Exception => e
  puts "#{name}: #{e.class}: #{e.message.gsub(/0x\h+/, "0x")}"
end

named = Class.new
def named.to_s = "Named"
def named.inspect = "inspected"
try("frozen") { named.new.freeze.instance_variable_set(:@a, 1) }
try("freeze:") { Object.new.clone(freeze: named.new) }
sub = Class.new(named) { def foo = Object.new.instance_eval { super() } }
def sub.to_s = "Sub"
sub.class_eval { def foo = proc { super() } }
try("super") { Object.new.instance_exec(&sub.new.foo) }
other = Class.new { define_method(:foo) { Object.new.instance_eval { super() } } }
def other.to_s = "Other"
try("define_method") { other.new.foo }
try("proc") { Class.new(Proc) { def self.to_s = "MyProc" }.new {}.inspect[0, 10] }

class Exception
  alias original_backtrace backtrace
end

odd = Class.new(StandardError) { def backtrace = :odd }
try("$@") { begin; raise odd; rescue odd; $@; end }
try("full_message") { begin; raise odd; rescue odd => e; e.full_message; end }
own = Class.new(StandardError) { def backtrace = ["mine"] }
try("own backtrace") { begin; raise own; rescue own => e; [e.backtrace, e.backtrace_locations]; end }
bad = Class.new(StandardError) { def backtrace(a) = nil }
try("bad backtrace") { begin; raise bad, "b"; rescue bad => e; e.message; end }

class Counted; @@count = 3; end
class Around
  @@count = 5
  class << self; def count = @@count; end
  class << Counted; def count = @@count; end
  def immediates = [true.instance_eval("@@count"), nil.instance_eval("@@count"), 1.instance_eval("@@count")]
  def class_text = String.instance_eval("@@count")
end
try("around") { [Around.count, Counted.count, Around.new.immediates, Around.new.class_text] }
try("toplevel") { class << Counted; @@count; end }

class_frozen = Class.new
singleton = class_frozen.singleton_class
class_frozen.freeze
try("frozen singleton") { [singleton.frozen?, class_frozen.singleton_class.singleton_class.frozen?] }
object = Object.new
object.singleton_class.singleton_class.define_method(:deep) { :deep }
try("clone") { object.clone.singleton_class.deep }

lonely = Object.new
lonely_class = lonely.singleton_class
lonely.freeze
try("constants") { lonely_class.const_set(:A, 1) }
try("assigned") { lonely_class::B = 1 }
try("removed") { lonely_class.send(:remove_const, :A) }
try("class variables") { lonely_class.class_variable_set(:@@a, 1) }
try("autoload") { lonely_class.autoload(:Q, "q") }

above = Class.new { def t = :t }
klass = Class.new(above) { singleton_class.prepend(Module.new { def bar = :bar }); extend(Module.new { def quux = :quux }); def self.baz = :baz }
try("singleton_method") { %i[bar baz quux].map { klass.singleton_method(_1).call } }
below = Class.new(klass)
%i[bar baz quux].each { |name| try(name) { below.singleton_method(name) } }

try("method equality") { o = Object.new; def o.foo = 1; m = o.method(:foo); def m.x = 1; [o.method(:foo) == o.method(:foo), m == o.method(:foo)] }
try("binding of a method") { def added(a) = 1; b = method(:added).to_proc.binding; [b.class, b.receiver.inspect, b.local_variables] }
try("binding of a native method") { 1.method(:+).to_proc.binding.receiver }
try("clone of a binding") { b = binding; class << b; attr_accessor :foo; end; c = b.clone; c.foo = 1; c.foo }
try("dup") { Thread::Queue.new.dup }
try("undefined method_missing") { o = Object.new; class << o; undef_method :method_missing; end; o.method_missing }
class Short; def respond_to?(a, b, c) = true; end
try("respond_to?") { [Short.new].flatten }
try("defined") { [(defined? (;nothing)), (defined? (nothing;)), (defined? (nothing))] }
def hidden = 1
private :hidden
try("defined private") { [(defined? self.hidden), (defined? hidden)] }
try("parameters") { Struct.new(:a).instance_method(:a=).parameters }
try("caller") { [caller(100, 0), caller(0, 0)] }
try("keywords") { e = Enumerator.new { |y| y.yield(1, a: 2) }; r = nil; e.each { |*a, **k| r = [a, k] }; r }
try("generator") { Enumerator::Generator.new { |y, *a, **k| [a, k] }.each(1, a: 2) }
try("dig") { o = Object.new; def o.method_missing(*a) = a; [o].dig(0, :a) }
try("warn") { Warning.singleton_class }

$stderr = $stdout
$VERBOSE = true
class Warned
  def foo = 1
  def bar = 2
  alias foo bar
  private_constant
  def self.inside = private
end
Warned.inside
Module.new { def self.inside = module_function }.inside
proc { |*a, b| }.ruby2_keywords
method(:puts).to_proc.ruby2_keywords
:a.to_proc.ruby2_keywords
def unused = nil
block = proc {}
unused(&block)
unused(&block)
unused {}
