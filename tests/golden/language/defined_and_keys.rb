# What defined? makes of errors, which keys a pattern asks for, and constants where no Object is an ancestor.
def t
  puts yield.inspect
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { defined?(raise(LoadError)::A) }
t { defined?(exit::A) }
t { defined?(raise(Exception, "x").a) }
t { catch(:x) { defined?(throw(:x)::A); 1 } }
t { def unready = raise(NotImplementedError); defined?(unready.foo) }
t { Object.autoload(:Absent, "/no/such/feature"); defined?(Absent::Inner) }

class Keys
  def deconstruct_keys(keys) = ($keys = keys; { a: 0, b: 1 })
end

t { case Keys.new; in { a: 0, b: } then [b, $keys] end }
t { case Keys.new; in { a: 0, b:, ** } then [b, $keys] end }
t { case Keys.new; in { a: 0, b:, **r } then [b, r, $keys] end }
t { case Keys.new; in { a: 0, **nil } then 1 else $keys end }
t { case Keys.new; in {} then 1 else $keys end }

class Blank < BasicObject
end

t { (Blank.new.instance_eval("Object") rescue $!.class) }
t { Blank.new.instance_eval { ::Object } }
t { Blank.class_eval { Object } }
t { 5.instance_eval("String") }
t { class Blank; class << self; String; end; end }
t { (class << Blank.new; String; end rescue $!.class) }
t { 1.step(to: 3, by: nil).to_a }
t { 1.step(to: 3, by: nil) { } }
