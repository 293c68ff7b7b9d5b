# oracle: native
# Objects with finalizers are found by identity however many there are, and the latest is called first at the end.
objects = Array.new(20_000) { Object.new }
none = proc {}
objects.each { |object| ObjectSpace.define_finalizer(object, none) }

first = ObjectSpace.define_finalizer(objects[100], proc { puts "one" })[1]
second = ObjectSpace.define_finalizer(objects[100], proc { puts "two" })[1]
p ObjectSpace.define_finalizer(objects[100], first)[1].equal?(first)

forgotten = objects[200]
ObjectSpace.define_finalizer(forgotten, proc { puts "never" })
p ObjectSpace.undefine_finalizer(forgotten).equal?(forgotten)
p ObjectSpace.undefine_finalizer(forgotten).equal?(forgotten)
ObjectSpace.define_finalizer(forgotten, proc { puts "defined again" })

copy = objects[100].dup
p second.equal?(first), copy.equal?(objects[100])
