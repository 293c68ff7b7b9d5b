# The locals that evaluated text defines are its binding's from the beginning: the text itself may evaluate in the binding,
# raise, or be thrown out of.
class Kept
  class << self
    attr_accessor :binding, :seen
  end
  self.seen = []
end

def empty = binding

Kept.binding = empty
Kept.seen << eval(%q{
  Kept.seen << eval("late", Kept.binding)
  late = 1
}, Kept.binding)
p Kept.seen

Kept.binding = empty
p eval(%q{ [eval("a", Kept.binding), eval("a = 2", Kept.binding), a = 3, eval("a", Kept.binding)] }, Kept.binding)
p Kept.binding.local_variables, Kept.binding.local_variable_get(:a)

# What the inner text defines stays, too.
eval(%q{ outer = 1; eval("inner = outer + 1", Kept.binding) }, Kept.binding)
p Kept.binding.local_variables.sort, Kept.binding.local_variable_get(:inner)

b = empty
begin
  eval("before = 5; raise 'out'; after = 6", b)
rescue => error
  p error.message
end
p b.local_variable_get(:before), b.local_variable_get(:after)

c = empty
catch(:away) { eval("thrown = 9; throw :away", c) }
p c.local_variable_get(:thrown)

d = empty
3.times { eval("count = (defined?(count) && count || 0) + 1", d) }
p d.local_variable_get(:count)
d.local_variable_set(:fresh, 7)
d.local_variable_set(:fresh, d.local_variable_get(:fresh) + 1)
p eval("fresh", d), d.local_variable_defined?(:fresh), d.local_variable_defined?(:never)

# A syntax error leaves the binding as it was.
e = empty
begin
  eval("half = 1; (", e)
rescue SyntaxError
  p e.local_variables
end

# Refinements that the text activates stay as well, with and without locals.
module Loud
  refine(String) { def loud = upcase + "!" }
end
f = TOPLEVEL_BINDING.dup
eval("using Loud", f)
p eval("'a'.loud", f)
