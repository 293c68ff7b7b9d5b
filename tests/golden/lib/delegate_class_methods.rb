# Methods that DelegateClass gives its classes: what they take and tell of themselves, and whose visibility counts.
require "delegate"

class Machine
  def run(speed, unit: :rpm, &block) = [speed, unit, block&.call]
  def on? = true
  def speed=(speed)
    @speed = speed
  end
  def [](*keys) = keys
  def +(other) = [:plus, other]
  def -@ = :negative
  def self = :self
  def Capital(*all) = all
  def _hidden(*all, **options) = [all, options]
  define_method("with a space") { |*all, **options| [all, options] }
  protected def inner(*all, **options) = [:inner, all, options]
  protected def <(other) = [:less, other]
end

class SilentMachine < Machine
  private :run
end

Handle = DelegateClass(Machine)
class Handle
  def asked_inside(...) = inner(...)
  def less = self < 1
end
class LoudHandle < Handle
  def run(...) = [:loud, super]
end

handle = Handle.new(Machine.new)
p handle.run(1), handle.run(1, unit: :hz), handle.run(1) { 2 }, handle.on?, handle.speed = 3
p handle[1, 2], handle + 4, -handle, handle.self, handle.Capital(1, *[2]), handle._hidden(1, a: 2), handle._hidden({a: 2})
p handle.send("with a space", 1, b: 2), handle.send("with a space", {b: 2}), handle.asked_inside(1, c: 3), handle.less
p LoudHandle.new(Machine.new).run(5, unit: :hz)
%i[run on? self Capital].each { |name| p Handle.instance_method(name).parameters, Handle.instance_method(name).arity }
%i[inner <].each { |name| p Handle.protected_method_defined?(name) }

def errors_of
  yield
rescue NameError, ArgumentError => error
  puts error.class, error.message, error.backtrace.first(2).map { |line| line[/in .*/] }
end
errors_of { handle.run }
errors_of { handle.run(1, speed: 2) }
errors_of { handle.inner }
errors_of { Handle.new(SilentMachine.new).run(1) }
p Delegator.delegating_block(:run).lambda?
