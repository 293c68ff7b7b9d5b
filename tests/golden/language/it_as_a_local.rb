# `it` is a local where one was assigned, for `eval` and bindings too; the implicit parameter is none.
p(proc { binding.local_variables.include?(:it).tap { it } }.call(5))
p(proc { it; binding.implicit_parameters }.call(5))
p(proc { it; binding.implicit_parameter_get(:it) }.call(5))
p(proc { it; binding.local_variable_defined?(:it) }.call(5))
p(proc { it; eval("it") rescue $!.message }.call(5))
p(proc { it; binding.local_variable_get(:it) rescue $!.message[/.*for/] }.call(5))
p(proc { it; b = binding; b.local_variable_set(:it, 1); [it, b.local_variable_get(:it), b.eval("it")] }.call(5))
p(proc { it; eval("it = 3; [it, binding.local_variables.include?(:it)]") + [it] }.call(8))

def assigned
  it = 3
  [eval("it"), binding.eval("it + 1"), binding.local_variables, proc { it }.call(9)]
end
p assigned

def parameter(it) = [eval("it"), eval("proc { it }").call(1), [4].map { it }, binding.implicit_parameters]
p parameter(7)

def set_by_eval
  b = binding
  b.eval("it = 1")
  [b.eval("it"), b.local_variables, b.local_variable_get(:it), b.eval("proc { it }.call(2)")]
end
p set_by_eval
p eval("proc { it }").call(3), eval("proc { eval('it = 4; it') + it }").call(3)

def of_block(it:) = binding.eval("it.to_s")
p of_block(it: :key)
p binding.eval("[1, 2].map { it * 2 }")
begin
  eval("it")
rescue NameError
  puts $!.message
end
