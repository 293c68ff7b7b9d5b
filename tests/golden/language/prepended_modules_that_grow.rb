# What a module is given after it was prepended, where the class has it behind already; copies into modules.
def fresh
  parent = Class.new { def foo = [:parent] }
  child = Class.new(parent) { def foo = [:child] + super }
  modules = %i[m1 m2 m3].map { |name| Module.new { define_method(:foo) { [name] + super() } } }
  [*modules, child, child.new]
end

m1, m2, m3, child, object = fresh
child.include m2
child.prepend m1
p object.foo
m1.include m2
p object.foo
m1.include m3
p object.foo

m1, m2, m3, child, object = fresh
child.include m3
child.include m2
child.prepend m1
p object.foo
m1.include m2
m1.include m3
p object.foo

m1, m2, m3, child, object = fresh
child.prepend m1
m1.include m2
child.include m2
p object.foo

m1, m2, m3, child, object = fresh
m1.include m2
child.include m2
child.prepend m1
p object.foo
m1.include m3
p object.foo

m1, m2, m3, child, object = fresh
child.prepend m2
child.prepend m1
m1.include m2
p object.foo

m1, m2, m3, child, object = fresh
child.superclass.include m2
child.prepend m1
m1.include m2
p object.foo

m1, m2, m3, child, object = fresh
child.prepend m1
child.prepend m2
m1.include m3
m2.include m3
p object.foo

def copying(one, other)
  one.send(:initialize_copy, other)
  p one.instance_methods(false)
rescue TypeError => error
  puts error.message
end

own = Class.new(Module)
copying(own.new, Module.new { def q = 1 })
copying(Module.new, own.new)
copying(Module.new, 5)
copying(Module.new, Class.new)
copying(Class.new, Module.new)
