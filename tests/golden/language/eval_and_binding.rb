# eval, binding, instance_eval, class_eval, instance_exec, local variables seen from outside.
x = 10
p eval("x + 1"), eval("x = 20; x"), x
eval("fresh = 5")
p (fresh rescue "not visible"), binding.local_variables.include?(:x)
b = binding
b.local_variable_set(:x, 30)
b.local_variable_set(:made, 1)
p x, b.local_variable_get(:made), b.local_variable_defined?(:made), b.local_variable_defined?(:nope), b.eval("made + x"), b.receiver
def scope
  hidden = 42
  binding
end
p scope.local_variables, scope.local_variable_get(:hidden), scope.eval("self.class")
p eval("[__FILE__, __LINE__]", binding, "given.rb", 77), eval("__LINE__")
counter = 0
adder = eval("->(n) { counter += n }")
adder.(3)
p counter

class Target
  def initialize = @value = 7
  private def hidden = :private_called
end
target = Target.new
p target.instance_eval { @value }, target.instance_eval("@value + 1"), target.instance_eval { hidden }
p target.instance_exec(3) { |n| @value * n }
target.instance_eval do
  def singleton = :single
end
p target.singleton, Target.method_defined?(:singleton)
Target.class_eval do
  def added = [:added, @value]
  attr_accessor :extra
end
Target.class_eval("def from_string = __LINE__", "file.rb", 100)
p target.added, target.from_string, Target.class_exec(1) { |n| [self, n] }
String.class_eval { def vowels = count("aeiou") }
p "education".vowels
Target.instance_eval { def class_level = :class_level }
p Target.class_level
Target.singleton_class.class_eval { def meta = :meta }
p Target.meta
module Dsl
  def self.build(&block) = Class.new { attr_reader :items; def initialize = @items = []; def item(x, &b) = @items << [x, b&.call] }.new.tap { _1.instance_eval(&block) }.items
end
p Dsl.build { item 1; item(2) { :nested } }
p TOPLEVEL_BINDING.receiver, TOPLEVEL_BINDING.eval("self").to_s
proc_binding = proc { |a| inner = a; binding }.call(5)
p proc_binding.local_variables.first(2), proc_binding.local_variable_get(:inner)
def method_binding(a, b = 2, *c, d: 4, &e) = binding.local_variables
p method_binding(1)
p binding.source_location.last == __LINE__
5.times.map { |i| -> { i } }.each { |l| print l.call }
puts
blocks = []
for i in 1..3 do blocks << -> { i } end
p blocks.map(&:call)
p eval("if true then :yes end"), eval(""), eval("# comment"), eval("def evaled = :e; evaled")
p eval("begin; raise 'in eval'; rescue => e; e.message; end")
def run_block = yield
p run_block { eval("x") }
p [1, 2].instance_eval { size }, 5.instance_eval { self + 1 }, nil.instance_eval { inspect }
p Object.new.instance_eval { self.class }, Class.new.class_eval { self.class }
begin
  eval("raise ArgumentError, 'evaluated'", binding, "evil.rb", 5)
rescue => error
  p error.backtrace.first, error.backtrace_locations.first.lineno, error.backtrace_locations.first.path
end
p eval("__method__").inspect, (def named = eval("__method__"); named)
p self.to_s, self.inspect, self.class
