# Locals by name, often, while frames live and when they are gone.

def try
  yield
rescue Exception => e
  "#{e.class}: #{e.message.gsub(/0x\h+/, '0x')}"
end

def many(a, b = a + 1, *rest, key: 5, other: key + 1, **options, &block)
  local = [a, b]
  inner = binding
  10.times.map { |i|
    inner.local_variable_set(:local, i)
    [inner.local_variable_get(:local), local, inner.local_variable_get(:other), inner.local_variable_get(:i)] rescue [local, $!.class]
  }.uniq + [inner.local_variables, inner.local_variable_get(:rest), inner.local_variable_get(:options), inner.local_variable_get(:block)&.call]
end
p many(1), many(1, 2, 3, key: 4, extra: 5) { :block }

# New ones, and ones with names that no source could have.
b = binding
p try { b.local_variable_get(:nobody) }
3.times { |i| b.local_variable_set(:fresh, i); b.local_variable_set("fresh_#{i}", i) }
p b.local_variable_get(:fresh), b.local_variable_get("fresh_2"), b.local_variable_defined?(:fresh_1), b.local_variable_defined?(:fresh_3)
p b.eval("fresh + fresh_2"), b.local_variables.first(4)
b.local_variable_set(:if, 1)
b.local_variable_set(:é, 2)
p b.local_variable_get(:if), b.local_variable_get(:é), b.local_variable_get("\u00e9")
p %i[A @a $a a? _1 it].map { |name| try { b.local_variable_get(name) } }
p [nil, 1, "x y"].map { |name| try { b.local_variable_set(name, 1) } }

# Shadowed, in blocks and evaluated text.
x = :outer
p [1, 2].map { |x| c = binding; c.local_variable_set(:x, c.local_variable_get(:x) + 10); [x, c.local_variable_get(:x), c.local_variables.count(:x)] }, x
p [1].map { |y; x| x = :inner; binding.local_variable_get(:x) }, binding.local_variable_get(:x)
p eval("z = 3; binding").local_variable_get(:z), eval("x = 4; binding.local_variable_get(:x)"), x
p 3.times.map { |i| d = binding; d.eval("w = i"); [d.local_variable_get(:w), d.local_variable_defined?(:w)] }

# Of procs, whose methods run or ran.
def kept
  count = 0
  unshared = :before
  block = proc { count }
  unshared = :after
  count += 1
  found = [block.binding.local_variable_get(:count), block.binding.local_variable_get(:unshared)]
  block.binding.local_variable_set(:unshared, :set)
  block.binding.local_variable_set(:count, 41)
  [found, unshared, count, block]
end
found, unshared, count, block = kept
p found, unshared, count, block.call, block.binding.local_variable_get(:count), block.binding.local_variable_get(:unshared)
block.binding.local_variable_set(:count, 42)
p block.call

def with_keyword(given = proc { k }, k: (given&.binding&.local_variable_set(:later, 1); 3)) = k
p with_keyword
def numbered = [7].map { _1.then { binding.local_variables } }
p numbered
p [[1, 2]].each { |(m, n), *o| p binding.local_variables.first(3), binding.local_variable_get(:n) }
TOPLEVEL_BINDING.local_variable_set(:at_top, 1)
p TOPLEVEL_BINDING.local_variable_get(:at_top), binding.local_variable_defined?(:at_top)
