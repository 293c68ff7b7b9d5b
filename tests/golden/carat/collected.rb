# What nothing refers to any more goes, from weak tables too, and its finalizers run. A stack may still remember the last ones.
map = ObjectSpace::WeakMap.new
def fill(map) = 1000.times { |i| map[Object.new] = "v#{i}" }
fill(map)
GC.start
fill(keys2 = ObjectSpace::WeakKeyMap.new)
GC.start
p map.size < 900, keys2.inspect[/\d+>/].to_i < 900

$gone = 0
def finalize(count) = count.times { ObjectSpace.define_finalizer(Object.new, proc { |id| $gone += 1 if Integer === id }) }
finalize(1000)
GC.start
100.times { Object.new }
p $gone > 500
kept = Object.new
ObjectSpace.define_finalizer(kept, proc { puts "at the end" })
at_exit { puts "before" }
