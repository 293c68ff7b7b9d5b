# oracle: native
# The same block runs in the scope of the same class many times, and of others in between.

class One; end
class Two; end

def visibility(of, name)
  %w[public private protected].find { |v| of.send("#{v}_method_defined?", name) }
end

# What a run makes private is so in that run alone.
shy = proc { |name = nil| private; def hidden = 1 }
open = proc { def shown = 1 }
3.times { One.class_eval(&shy); One.class_eval(&open) }
p visibility(One, :hidden), visibility(One, :shown)

$private = false
either = proc do
  private if $private
  def sometimes = __method__
end
seen = 6.times.map { |i| $private = i.odd?; Two.class_eval(&either); visibility(Two, :sometimes) }
p seen

# Within itself: the inner run begins anew, the outer goes on as it was.
$depth = 0
nested = proc do
  private if $depth == 0
  $depth += 1
  One.class_eval(&nested) if $depth < 3
  def deep = 1
  $seen << [$depth, One.private_method_defined?(:deep)]
end
2.times { $depth = 0; $seen = []; One.class_eval(&nested); p $seen }

$depth = 0
inner_private = proc do
  $depth += 1
  One.class_eval(&inner_private) if $depth == 1
  private if $depth == 2 && !$left
  def inner = 1
end
2.times { $depth = 0; One.class_eval(&inner_private); p visibility(One, :inner) }

# module_function, attr_accessor, define_method, constants and class variables.
module Functions; end
functional = proc { module_function; def help = :help }
plain = proc { def no_help = :help }
2.times { Functions.module_eval(&functional); Functions.module_eval(&plain) }
p Functions.respond_to?(:help), Functions.respond_to?(:no_help), Functions.help
2.times { One.class_eval { attr_accessor :field } }
p One.instance_methods(false).sort
p 3.times.map { |i| One.class_exec(i) { |n| [self, n, Module.nesting] } }
p 3.times.map { |i| [One, Two][i % 2].class_exec(i) { |n| def last = 1; [self, n, method_defined?(:last, false)] } }

# A run that raises, throws, breaks or leaves.
leaving = proc do
  private
  raise "no" if $how == :raise
  throw :out if $how == :throw
  next 5 if $how == :next
  def left = 1
end
def leave(block)
  catch(:out) { One.class_eval(&block) }
rescue => e
  e.message
end
p %i[raise throw next none raise none].map { |how| $how = how; [leave(leaving), visibility(One, :left)] }
p 3.times.map { [One.class_eval { break 7 }, [1].each { |x| One.class_eval { break } }] }

# What a run leaves behind: procs, bindings, methods, methods of other scopes.
procs = 3.times.map { |i| One.class_exec(i) { |n| proc { [self, n] } } }
p procs.map(&:call)
bindings = 3.times.map { |i| One.class_exec(i) { |n| m = n * 2; binding } }
p bindings.map { |b| [b.local_variable_get(:n), b.local_variable_get(:m), b.receiver] }
hidden = 3.times.map { |i| One.class_exec(i) { |n| m = n * 2; private if n == 1; send(:binding) } }
p hidden.map(&:receiver)
hidden.each_with_index { |b, i| b.eval("def by_binding#{i} = 1") }
p 3.times.map { |i| visibility(One, :"by_binding#{i}") }
3.times { |i| Class.new { class_eval { def made = 1 }; $made = instance_method(:made) } }
p $made.name, $made.owner.name
with_method = proc { |n| define_method(:"m#{n}") { [n, self.class] } }
3.times { |i| Two.class_exec(i, &with_method) }
p Two.new.m0, Two.new.m2

# In threads and fibers at the same time.
waiting = proc { |queue| def early = 1; queue&.call; def late = 1; self }
fiber = Fiber.new { One.class_exec(-> { Fiber.yield }, &waiting) }
fiber.resume
p One.class_exec(nil, &waiting), One.class_exec(-> { One.class_exec(nil, &waiting) }, &waiting), fiber.resume, fiber.alive?
p 4.times.map { |t| Thread.new { 50.times.map { One.class_exec(nil, &waiting) }.uniq } }.flat_map(&:value).uniq

# Classes die, and others come to their places.
asked = proc { [self, instance_methods(false)] }
p 300.times.all? { |i|
  c = Class.new { define_method(:"own#{i}") {} }
  GC.start if i % 100 == 50
  2.times.map { c.class_eval(&asked) }.uniq == [[c, [:"own#{i}"]]]
}

# Refinements of the scope around, and of a block of refine.
module Shout
  refine String do
    def shout = upcase + "!"
    2.times { class_eval { def whisper = downcase } }
  end
end
using Shout
p 3.times.map { One.class_eval { "a".shout } }, 2.times.map { Two.class_eval { "A".whisper } }
