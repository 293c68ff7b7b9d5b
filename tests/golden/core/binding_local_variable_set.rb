# oracle: native
# Locals that a binding sets: what is there already, near and further out, and what it makes.

x = 1
outer = [:outer]
inner = nil
[2].each { |y| inner = binding }
here = binding

3.times do |i|
  here.local_variable_set(:x, i)
  inner.local_variable_set(:outer, [i])
  inner.local_variable_set(:y, i * 10)
  inner.local_variable_set(:made, i * 100)
  p x, outer, inner.local_variable_get(:y), inner.local_variable_get(:made), inner.eval("made + y")
  p here.local_variable_defined?(:made), inner.local_variable_defined?(:made)
end

inner.local_variable_set("made_too", 5)
inner.local_variable_set(:made, 6)
p inner.local_variable_get(:made_too), inner.local_variable_get(:made), inner.local_variables.first(3)
copy = inner.dup
copy.local_variable_set(:made, 7)
copy.local_variable_set(:own, 8)
p inner.local_variable_get(:made), inner.local_variable_defined?(:own), copy.local_variable_get(:own)
%i[Constant @field _1 a?].each { |name| inner.local_variable_set(name, 1) rescue puts $!.class }
