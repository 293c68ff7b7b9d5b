# `return` in an `eval` ends a script only where the `eval` stands in no block of it.
def show
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

show { [1].each { eval("return 5") } }
show { [1].each { eval("[2].each { return 5 }") } }
show { Class.new { eval("return 3") } }
show { Class.new { eval("eval('return 3')") } }
show { eval("[1].each { return 3 }") }
show { binding.eval("return 3") }
show { instance_eval("return 3") }
show { Object.class_eval("return 3") }
show { b = binding; [1].each { b.eval("return 3") } }
def m; [1].each { eval("return 5") }; 6; end
p m
l = lambda { [1].each { eval("return 7") }; 8 }
p l.()
define_method(:dm) { eval("return 9"); 1 } rescue self.class.define_method(:dm) { eval("return 9"); 1 }
p dm
begin; eval("p 1; begin; return; ensure; p :en; end"); ensure; p :outer; end
p :not_here
