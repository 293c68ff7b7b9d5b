# `eval` without a binding: the caller's locals and place, with the object that it is called on as self.
class Other
  def initialize = @own = 1
  def inspect = "other"
  private def hidden = :hidden
end

x = 5
other = Other.new
p Kernel.eval("self"), other.send(:eval, "[self, x, @own, hidden]"), other.__send__(:eval, "@new = 2; self")
p other.instance_variables
p other.method(:eval).call("self"), other.send(:eval, "self", binding), eval("self")

class Caller
  def through(other) = other.send(:eval, "[self, @own, __method__, block_given?]")
  p Kernel.eval("self"), Kernel.eval("Module.nesting"), Other.send(:eval, "self")
end
p Caller.new.through(other)
p Caller.send(:eval, "def defined_here; end"), Caller.method_defined?(:defined_here), Object.private_method_defined?(:defined_here)
p other.send(:eval, "[1].map { self }"), other.send(:eval, "proc { @own }").call
